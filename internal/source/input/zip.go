package input

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// zipMagic is how a zip archive with a file in it begins. No JSON text begins so.
var zipMagic = []byte("PK\x03\x04")

// ZipMagicBytes is how many bytes IsZip needs.
const ZipMagicBytes = 4

// IsZip reports whether an input that begins with head is a zip archive.
func IsZip(head []byte) bool { return bytes.HasPrefix(head, zipMagic) }

// ErrNoMember reports that an archive does not contain a file of the wanted name.
var ErrNoMember = errors.New("the archive has no such file")

// OpenMember opens the file of that very name in a zip archive of so many
// bytes, to read it in place: nothing is written to disk. It reports a file that
// grows too much, as a [Reader] does, beyond maxUnpackedBytes. It fails with [ErrNoMember] if there is no such
// file, and on one that is there twice or encrypted.
func OpenMember(archive io.ReaderAt, size int64, name string, maxUnpackedBytes int64) (io.ReadCloser, error) {
	files, err := zip.NewReader(archive, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // no path is used
		return nil, fmt.Errorf("zip archive is corrupt or cut off: %w", err)
	}
	var found *zip.File
	for _, f := range files.File {
		if f.Name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the zip archive contains %s twice", name)
		}
		found = f
	}
	switch {
	case found == nil:
		return nil, ErrNoMember
	case found.Flags&1 != 0:
		return nil, fmt.Errorf("%s is encrypted in the zip archive: unpack it first", name)
	}
	return openFile(found, maxUnpackedBytes)
}

// openFile opens a file of an archive, with a guard against one that grows
// without measure.
func openFile(f *zip.File, limit int64) (io.ReadCloser, error) {
	opened, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("zip archive: %s: %w", f.Name, err)
	}
	packed := &compressedSource{bytes: int64(min(f.CompressedSize64, 1<<62))}
	return struct {
		io.Reader
		io.Closer
	}{&decompressed{src: opened, packed: packed, name: "zip", limit: limit}, opened}, nil
}

//go:build !js

package input

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
)

// ErrNoMember reports that an archive does not contain a file of the wanted name.
var ErrNoMember = errors.New("the archive has no such file")

// OpenMember opens a file in a zip archive of size bytes by its exact name, and
// reads it without writing to disk. Reads fail with an [ExpansionError] beyond
// maxUnpackedBytes, as in a [Reader]. OpenMember returns [ErrNoMember] if the
// file does not exist, and an error if it is encrypted or its name is
// ambiguous.
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
	opened, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("zip archive: %s: %w", name, err)
	}
	packed := &compressedSource{bytes: int64(min(found.CompressedSize64, 1<<62))}
	return struct {
		io.Reader
		io.Closer
	}{&decompressed{src: opened, packed: packed, name: "zip", limit: maxUnpackedBytes}, opened}, nil
}

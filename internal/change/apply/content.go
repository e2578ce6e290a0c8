package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// MaxBytes is the maximum size of an input to fix, decompressed, in bytes: it is
// held in memory.
const MaxBytes = 1 << 30

// ErrArchive reports an archive, whose members cannot be fixed.
var ErrArchive = errors.New("an archive cannot be changed: unpack it first")

// ErrBinary reports an input with NUL bytes, such as a database: what is between the records is not text.
var ErrBinary = errors.New("it is not fixed: it has NUL bytes, so it is not a text")

// ErrFramed reports an input that has the length of each record before it.
var ErrFramed = errors.New("it is not fixed: the length before each record would be wrong")

// ErrTooLarge reports an input that exceeds [MaxBytes].
var ErrTooLarge = fmt.Errorf("larger than %d bytes, the limit of what is changed", MaxBytes)

// Content is the content of a file, decompressed.
type Content struct {
	Text []byte

	// Pack returns the bytes of the file with another text, compressed like the
	// original.
	Pack func(text []byte) ([]byte, error)
}

// Read reads the content of a file, which may be compressed with gzip or zstd, to its
// end. It returns with an error, too, the bytes that it has read.
func Read(r io.Reader) (raw []byte, content Content, err error) {
	if raw, err = readAll(r); err != nil {
		return raw, Content{}, err
	}
	name, packed := "", bytes.NewReader(raw)
	switch {
	case input.IsZip(raw[:min(len(raw), input.ZipMagicBytes)]):
		return raw, Content{}, ErrArchive
	case bytes.HasPrefix(raw, []byte{0x1F, 0x8B}):
		name = "gzip"
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(packed); err != nil {
			break
		}
		header := unpacked.Header
		content.Text, err = readAll(unpacked)
		content.Pack = func(text []byte) ([]byte, error) {
			var out bytes.Buffer
			w := gzip.NewWriter(&out)
			w.Header = header
			_, err := w.Write(text)
			err = errors.Join(err, w.Close())
			return out.Bytes(), err
		}
	case bytes.HasPrefix(raw, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		name = "zstd"
		var unpacked *zstd.Decoder
		if unpacked, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)); err != nil {
			break
		}
		defer unpacked.Close()
		content.Text, err = readAll(unpacked)
		content.Pack = func(text []byte) ([]byte, error) {
			w, err := zstd.NewWriter(nil)
			if err != nil {
				return nil, err
			}
			return w.EncodeAll(text, nil), nil
		}
	default:
		content = Content{raw, func(text []byte) ([]byte, error) { return text, nil }}
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%s data is corrupt or cut off: %w", name, err)
	}
	return raw, content, err
}

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(text) > MaxBytes {
		return text, ErrTooLarge
	}
	return text, err
}

// maxHeader is how many bytes before a record may have its length, such as the header of a message.
const maxHeader = 1 << 10

// lengths match what may be a length, by base: a decimal number, or hexadecimal digits on a line of their own.
var lengths = map[int]*regexp.Regexp{
	10: regexp.MustCompile(`\b\d+\b`),
	16: regexp.MustCompile(`(?m)^[0-9A-Fa-f]+\r?$`),
}

// isBinary reports whether there are NUL bytes outside of the records of a text. In a record they are a mistake of its
// producer.
func isBinary(text []byte, records []lint.RecordSpan) bool {
	at := int64(0)
	for _, r := range records {
		if !r.Unreadable || text[r.Start] == '{' {
			if bytes.IndexByte(text[at:max(at, r.Start)], 0) >= 0 {
				return true
			}
			at = max(at, r.End)
		}
	}
	return bytes.IndexByte(text[at:], 0) >= 0
}

// isFramed reports whether a text is a sequence of frames, each with its length before it: netstrings, chunks of HTTP,
// messages with Content-Length, members of an ar archive. A frame has one record or several. A number before a
// record may be its length by chance, as in a log, but not in all frames.
func isFramed(text []byte, records []lint.RecordSpan) bool {
	at := int64(0) // where the last frame ended
	for i := 0; i < len(records); {
		end := frameEnd(text, max(at, records[i].Start-maxHeader), records[i])
		if end < 0 {
			return false
		}
		for at = end; i < len(records) && records[i].Start < end; {
			i++
		}
	}
	return at > 0
}

// frameEnd returns where the frame ends that begins with a record, or with its line. It returns -1 if no number
// between an offset and the record is its length.
func frameEnd(text []byte, from int64, first lint.RecordSpan) int64 {
	line := int64(bytes.LastIndexByte(text[:first.Start], '\n')) + 1
	for base, number := range lengths {
		for _, found := range number.FindAll(text[from:first.Start], -1) {
			length, err := strconv.ParseInt(string(bytes.TrimSpace(found)), base, 32)
			for _, start := range []int64{first.Start, line} {
				if end := start + length; err == nil && end >= first.End && isFrameEnd(text, end) {
					return end
				}
			}
		}
	}
	return -1
}

// isFrameEnd reports whether a frame may end at an offset: at the end of a line, of a record or of the text, or before
// a comma.
func isFrameEnd(text []byte, end int64) bool {
	size := int64(len(text))
	return end == size || end < size && (bytes.IndexByte([]byte("\r\n,"), text[end]) >= 0 || bytes.IndexByte([]byte("\n}]"), text[end-1]) >= 0)
}

// closeInput returns the change that ends the text before a truncated record at an
// offset, and closes the arrays and objects around it. It returns false if no record
// would be left, or if what is around is something else.
func (l *layout) closeInput(at int64) (change, bool) {
	if len(l.spans) == 0 || l.spans[0].Start >= at {
		return change{}, false
	}
	from, to := int64(0), int64(len(l.text))
	line := int64(bytes.LastIndexByte(l.text[:at], '\n') + 1)
	switch l.form {
	case source.FormJSON, source.FormPython:
	case source.FormJSONL:
		from = line
	case source.FormSSE:
		from, _ = eventAround(l.text, line, to)
		return change{start: from, end: to}, bytes.HasPrefix(l.text[line:], []byte("data"))
	default:
		return change{}, false
	}
	around := value.BracketMatcher{Python: true} // both quotes
	around.StartInsideObject()                   // there may be several values, or none
	isBroken := around.Feed(l.text[from:at])
	due, ok := around.Due()
	switch {
	case isBroken || !ok:
		return change{}, false
	case len(due) == 1:
		return change{start: at, end: to}, true
	}
	slices.Reverse(due)
	closers := string(due[:len(due)-1])
	kept := bytes.TrimRight(l.text[:at], blanks)
	kept = bytes.TrimRight(bytes.TrimSuffix(kept, []byte{','}), blanks)
	if bytes.HasSuffix(l.text, []byte{'\n'}) || l.form == source.FormJSONL {
		closers += l.end
	}
	return change{start: int64(len(kept)), end: to, text: closers}, !bytes.HasSuffix(kept, []byte{':'})
}

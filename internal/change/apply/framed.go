package apply

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/lmclint/lmclint/lint"
)

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

package source

import (
	"encoding/base64"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// probedRecords is how many records of a body or a connection are looked at to
// find out whether it holds any of the input's.
const probedRecords = 20

// otherBodies are beginnings of the media types that hold no records.
var otherBodies = []string{
	"image/", "font/", "video/", "audio/", "text/html", "text/css", "text/javascript", "application/javascript",
	"application/x-javascript", "application/wasm", "application/pdf", "application/octet-stream",
}

// bodyIn returns the records of a body of an HTTP request or response, and nil
// if it holds none. The value is the content or postData of a HAR.
func (r *Reader) bodyIn(n *value.Node) *nestedReader {
	text := n.Member("text")
	if text == nil || text.Kind != value.String || isOtherBody(n.Member("mimeType").Text()) {
		return nil
	}
	data := r.in.rest()[:n.End:n.End]
	value := Record{Data: data, Start: r.in.pos, Root: n}
	o := value.originOf(text)
	if n.Member("encoding").Text() == "base64" {
		if o = o.base64(); o == nil {
			return nil
		}
	}
	if !r.probe(o) {
		return nil
	}
	return r.inside(o, FormAuto)
}

func isOtherBody(media string) bool {
	for _, other := range otherBodies {
		if strings.HasPrefix(media, other) {
			return true
		}
	}
	return false
}

// probe reports whether a text holds a record of the input among the first.
func (r *Reader) probe(o *sourceMap) bool {
	index, told := r.index, r.told
	defer func() { r.index, r.told = index, told }()
	body := r.inside(o, FormAuto)
	for range probedRecords {
		rec := body.next()
		if rec == nil {
			return false
		}
		if !rec.IsGap && rec.Root != nil && r.options.owns(rec) {
			return true
		}
	}
	return false
}

// base64 is the origin of the bytes that the text of o encodes, or nil.
func (o *sourceMap) base64() *sourceMap {
	size := len(strings.TrimRight(string(o.text), "="))
	decoded, err := base64.RawStdEncoding.AppendDecode(nil, o.text[:size])
	if err != nil || size == 0 {
		return nil
	}
	return o.inner(decoded, 0, size, base64Units)
}

// base64Units are the units of base64 without its padding.
func base64Units(raw []byte) (written, decoded int) {
	written = min(len(raw), 4)
	return written, written * 3 / 4
}

// framesAreRecords reports whether one of the first frames of the list that the
// unread input stands in is a record of the input. It looks at no more than
// sniffWindow bytes and moves nothing.
func (r *Reader) framesAreRecords() bool {
	at := 0
	for range probedRecords {
		end := r.elementEnd(at)
		if end < 0 {
			return false
		}
		data := r.in.unread()[at:end]
		at = end
		skip := value.SpaceSize(data)
		for skip < len(data) && data[skip] == ',' {
			skip += 1 + value.SpaceSize(data[skip+1:])
		}
		v := r.scan.Scan(data[skip:], true)
		if v.Root == nil {
			return false
		}
		rec := Record{Data: data[skip:], Start: r.in.pos, Root: v.Root}
		n := v.Root.Member("data")
		if n != nil && n.Kind == value.String && rawOf(v.Root, "opcode") != binaryFrame && r.probe(rec.originOf(n)) {
			return true
		}
	}
	return false
}

// elementEnd returns where the element of a list ends, before which only white
// space and a comma may stand, or -1 if the list ends or more than sniffWindow
// bytes would have to be read.
func (r *Reader) elementEnd(at int) int {
	start := at
	for ; ; start++ {
		for start >= len(r.in.unread()) {
			if start >= sniffWindow || !r.in.fetch() {
				return -1
			}
		}
		if c := r.in.unread()[start]; !value.IsSpace(c) && c != ',' {
			break
		}
	}
	if r.in.unread()[start] == ']' {
		return -1
	}
	for b := (value.BracketMatcher{}); ; {
		if b.Feed(r.in.unread()[start:]); b.Closed {
			return start + b.Size
		}
		if b.Broken || len(r.in.unread()) >= sniffWindow || !r.in.fetch() {
			return -1
		}
	}
}

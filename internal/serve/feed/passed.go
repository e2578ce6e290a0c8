package feed

import (
	"bytes"
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
)

// Passed is what a consumer got of a text, as far as its proper end depends on it.
type Passed struct {
	event []byte // the last line with the name of a server-sent event
	end   []byte // the last bytes, up to endBytes
}

// endBytes is the length of the longest empty line after a line.
const endBytes = len("\r\n\r\n")

// Add adds a part of the text, which begins where a line does or continues one.
func (p *Passed) Add(text []byte) {
	p.end = append(p.end, text[max(0, len(text)-endBytes):]...)
	p.end = p.end[max(0, len(p.end)-endBytes):]
	if i := bytes.LastIndex(text, []byte("event:")); i == 0 || i > 0 && text[i-1] == '\n' {
		line, _, _ := bytes.Cut(text[i:], []byte("\n"))
		p.event = bytes.Clone(line)
	}
}

// Closing returns the text that ends a text of a form with some records, so that no
// consumer waits for its end.
func (p *Passed) Closing(form string, records []string) (text []byte) {
	isEvents := form == string(source.FormSSE)
	endsLine := len(p.end) == 0 || p.end[len(p.end)-1] == '\n'
	if len(records) > 0 && (isEvents && !endsEvent(p.end) || !endsLine) {
		text = append(text, '\n') // a field follows the data of the last event, or another record a record
	}
	for _, record := range records {
		switch {
		case form == string(source.FormJSONL):
			text = fmt.Appendf(text, "%s\n", record)
		case isEvents:
			if p.event != nil {
				text = fmt.Appendf(text, "%s\n", p.event)
			}
			text = fmt.Appendf(text, "data: %s\n\n", record)
		}
	}
	return text
}

// endsEvent reports whether a text of server-sent events ends with an empty line.
func endsEvent(text []byte) bool {
	return bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasSuffix(text, []byte("\r\n\r\n")) || bytes.HasSuffix(text, []byte("\r\r"))
}

package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"strings"
)

// document writes one document. Each Write has whole values, as [commandEscaper]
// requires. It keeps the first error.
type document struct {
	out     io.Writer
	encoder jsonEncoder
	err     error
}

// write adds text that does not contain data.
func (d *document) write(text string) { d.add([]byte(text), nil) }

// value adds a value as JSON on one line.
func (d *document) value(v any) { d.add(d.encoder.encode(v)) }

// xml adds a value as XML, on lines with an indent.
func (d *document) xml(indent string, v any) {
	text, err := xml.MarshalIndent(v, indent, "  ")
	d.add(append(text, '\n'), err)
}

// array adds an array of n elements, an element per line. The indent is that
// of the line on which the array starts.
func (d *document) array(indent string, n int, element func(int)) {
	d.write("[")
	for i := range n {
		if i > 0 {
			d.write(",")
		}
		d.write("\n  " + indent)
		element(i)
	}
	if n > 0 {
		d.write("\n" + indent)
	}
	d.write("]")
}

func (d *document) add(text []byte, err error) {
	if d.err = cmp.Or(d.err, err); d.err == nil {
		_, d.err = d.out.Write(text)
	}
}

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// xmlAttribute returns data as the value of an attribute.
func xmlAttribute(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(escapeStrict(text))) // a buffer does not fail
	return b.String()
}

var nonXML = strings.NewReplacer("\ufffe", "<U+FFFE>", "\uffff", "<U+FFFF>")

// escapeStrict is [EscapeControls] for XML and YAML, which do not allow two more
// characters.
func escapeStrict(text string) string { return nonXML.Replace(EscapeControls(text)) }

package report

import "bufio"

// document writes the parts of one JSON object and keeps the first error.
type document struct {
	out *bufio.Writer
	err error
}

func (d *document) text(s string) {
	if d.err == nil {
		_, d.err = d.out.WriteString(s)
	}
}

func (d *document) value(v any) {
	text, err := encode(v)
	if d.err == nil {
		d.err = err
	}
	d.text(string(text))
}

// member writes a member that another one follows.
func (d *document) member(name string, v any) {
	d.text(`  "` + name + `": `)
	d.value(v)
	d.text(",\n")
}

// array writes a member with an element a line, which another one follows.
func array[T any](d *document, name string, elements []T) {
	d.text(`  "` + name + `": [`)
	for i, e := range elements {
		if i > 0 {
			d.text(",")
		}
		d.text("\n    ")
		d.value(e)
	}
	if len(elements) > 0 {
		d.text("\n  ")
	}
	d.text("],\n")
}

func (d *document) close() error {
	if d.err != nil {
		return d.err
	}
	return d.out.Flush()
}

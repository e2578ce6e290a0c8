package report

import "io"

// documentBlock is how many bytes of a document are written at once, or some
// more.
const documentBlock = 64 << 10

// document writes the parts of one document, of JSON a member or an element a
// line, and keeps the first error.
type document struct {
	object
	out io.Writer
	err error
}

// write adds text, and writes what has gathered if that is much.
func (d *document) write(text string) {
	d.json = append(d.json, text...)
	if len(d.json) >= documentBlock {
		d.flush()
	}
}

// member begins a member; its value has to follow.
func (d *document) member(name string) { d.write(`  "` + name + `": `) }

// array writes a member with n elements, which another one follows.
func (d *document) array(name string, n int, element func(int)) {
	d.member(name)
	d.write("[")
	for i := range n {
		if i > 0 {
			d.write(",")
		}
		d.write("\n    ")
		element(i)
	}
	if n > 0 {
		d.write("\n  ")
	}
	d.write("],\n")
}

// spooled writes what was kept of a finding.
func (d *document) spooled(s *spool, i int) {
	text, err := s.text(i)
	if d.err == nil {
		d.err = err
	}
	d.json = append(d.json, text...)
	d.write("")
}

func (d *document) flush() {
	if d.err == nil {
		_, d.err = d.out.Write(d.json)
	}
	d.json = d.json[:0]
}

// close writes what is left and returns the first error.
func (d *document) close() error {
	d.flush()
	return d.err
}

// next begins an element of an array that is the whole document.
func (d *document) next(first bool) {
	if first {
		d.write("\n  ")
		return
	}
	d.write(",\n  ")
}

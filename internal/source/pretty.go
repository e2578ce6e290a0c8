package source

// pretty reads values one after another, of which each may take several
// lines.
type multiLineReader struct {
	r      *Reader
	column int  // where the line of the last record begins
	line   int  // on which the last record ended
	lost   bool // go on where a line begins as the last record's did
	strays int
	comma  bool // the record may have a comma behind it
}

func newPretty(r *Reader) *multiLineReader {
	r.packed(FormJSONL)
	return &multiLineReader{r: r}
}

func (p *multiLineReader) next() (*Record, error) {
	in := &p.r.in
	if p.lost {
		in.seekLine(p.column)
		p.lost = false
	}
	for {
		c, ok := in.peek()
		switch {
		case !ok:
			p.settleForm()
			return nil, in.end()
		case beginsValue(c):
			p.comma = p.r.scan.Python
			return p.value()
		case p.comma && c == ',':
			p.comma = false
			in.skip(1)
			continue
		}
		p.lost = !isSeparator(c)
		p.strays++
		if rec := p.r.strayLoose(); rec != nil {
			return rec, nil
		}
	}
}

func (p *multiLineReader) value() (*Record, error) {
	in := &p.r.in
	if in.pos.Line != p.line {
		p.column = in.pos.Column
	}
	piece := p.r.cut()
	if p.r.beginsWithEnvelope(piece) {
		return p.r.wholeDocuments(piece)
	}
	rec, lost, err := p.r.looseRecord(piece, p.column)
	p.lost = lost
	p.line = in.pos.Line
	return rec, err
}

// settleForm says that an input with one object was a single JSON text.
func (p *multiLineReader) settleForm() {
	if p.r.index == 1 && p.strays == 0 && p.r.options.Form == FormAuto {
		p.r.packed(FormJSON)
	}
}

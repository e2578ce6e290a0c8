package source

// pretty reads values one after another, of which each may take several
// lines.
type multiLineReader struct {
	r      *Cursor
	column int  // where the line of the last record begins
	line   int  // on which the last record ended
	lost   bool // go on where a line begins as the last record's did
	strays int
	comma  bool // the record may have a comma behind it
}

func newPretty(r *Cursor) *multiLineReader {
	r.SetForm(FormJSONL)
	return &multiLineReader{r: r}
}

func (p *multiLineReader) Next() (*Record, error) {
	in := &p.r.In
	if p.lost {
		seekLine(in, p.column)
		p.lost = false
	}
	for {
		c, ok := in.Peek()
		switch {
		case !ok:
			p.settleForm()
			return nil, in.End()
		case BeginsValue(c):
			p.comma = p.r.Scan.Python
			return p.value()
		case p.comma && c == ',':
			p.comma = false
			in.Skip(1)
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
	in := &p.r.In
	if in.Pos.Line != p.line {
		p.column = in.Pos.Column
	}
	piece := p.r.Cut()
	if p.r.beginsWithEnvelope(piece) {
		return p.r.wholeDocuments(piece)
	}
	rec, lost, err := p.r.LooseRecord(piece, p.column)
	p.lost = lost
	p.line = in.Pos.Line
	return rec, err
}

// settleForm says that an input with one object was a single JSON text.
func (p *multiLineReader) settleForm() {
	if p.r.Index == 1 && p.strays == 0 && p.r.Options.Form == FormAuto {
		p.r.SetForm(FormJSON)
	}
}

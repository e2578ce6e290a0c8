package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// documents reads conversations one after another: arrays of records,
// envelopes, and objects that are a conversation of one record. Mostly there
// is only one.
type documentReader struct {
	r       *Cursor
	bound   bool // each ends with its line
	only    bool // nothing may follow the first
	count   int
	current RecordReader // the one that is being read, or nil
	midLine bool         // one was read from this line
	column  int          // where the line of the last one begins
	lost    bool         // look for the next one only where a line begins as the last one's did
}

func (d *documentReader) Next() (*Record, error) {
	for {
		if d.current != nil {
			rec, err := d.current.Next()
			if rec != nil || err != nil {
				return rec, err
			}
			d.current = nil
		}
		rec, err := d.begin()
		if rec != nil || err != nil {
			return rec, err
		}
	}
}

// begin finds the next document. It returns nil if that is to be read by
// d.current.
func (d *documentReader) begin() (*Record, error) {
	in := &d.r.In
	if d.lost && !d.bound {
		seekLine(in, d.column)
	}
	d.lost = false
	c, ok := in.Peek()
	switch {
	case !ok && in.NextLine():
		d.midLine, d.r.strayed = false, false
		return nil, nil
	case !ok:
		return nil, in.End()
	case d.only && d.count > 0:
		return d.behindOnly(), nil
	case c == '[':
		d.start()
		in.Skip(1)
		d.current = newArray(d.r, "")
		return nil, nil
	case c == '{':
		d.start()
		return d.object()
	case d.count > 0 && (d.midLine || !d.bound):
		return d.strayText(), nil
	}
	d.start()
	return d.single(d.r.Cut())
}

// start counts a document and makes it a conversation of its own, if it is
// not the only one.
func (d *documentReader) start() {
	if d.bound || d.count > 0 {
		d.r.Conversation = d.count
	}
	d.r.Index = 0
	d.count++
	if !d.midLine {
		d.column = d.r.In.Pos.Column
	}
	d.midLine = true
}

// object begins to read an envelope, or reads an object that is none.
func (d *documentReader) object() (*Record, error) {
	if head := d.r.findEnvelope(0); head != nil {
		e, rec := d.r.newEnvelope(head)
		d.current = e
		return rec, nil
	}
	p := d.r.Cut()
	if p.Root != nil && IsEnvelope(p.Root) {
		d.current = d.r.newWhole(p)
		return nil, nil
	}
	return d.single(p)
}

// single reads a document that is one record.
func (d *documentReader) single(p RawValue) (*Record, error) {
	if d.bound {
		return d.r.LineRecord(p)
	}
	rec, lost, err := d.r.LooseRecord(p, d.column)
	d.lost = lost
	if d.only && d.lost {
		d.r.discardBehind(rec)
	}
	return rec, err
}

// strayText reports text between the documents.
func (d *documentReader) strayText() *Record {
	if d.bound {
		return d.r.strayOnLine()
	}
	rec := d.r.strayLoose()
	d.lost = rec != nil && !isSeparator(rec.Data[0])
	return rec
}

// behindOnly reports what follows an input that may hold only one text.
func (d *documentReader) behindOnly() *Record {
	in := &d.r.In
	end, found := value.Describe(in.Load(SettledBytes), 0)
	rec := d.r.NewGap(in.Rest()[:end:end], in.Pos, value.Fault{
		Kind: value.InvalidJSON, End: end, Detail: "found " + found + " behind the JSON text, expected the end of the input",
	})
	d.r.discardBehind(rec)
	return rec
}

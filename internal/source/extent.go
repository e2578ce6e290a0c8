package source

// Extent is where the last record of a reader is in its input, by offsets.
type Extent struct {
	End        int64 // of what was read with the record
	Amid       bool  // more records follow from what was read
	InDocument bool  // the record is part of a JSON document, such as an array
	Document   int64 // start of that document

	Skipped []Problem // that the end of the input reports of what was skipped so far
}

// amidReader is a reader of a form in which a part of the input may have several
// records.
type amidReader interface {
	// IsAmid reports whether more records follow from what was read.
	IsAmid() bool
}

// skippingReader is a reader of a form in which lines need not be records.
type skippingReader interface {
	// Skipped returns the problems of [Extent].
	Skipped() []Problem
}

// Extent returns where the last record is.
func (r *Reader) Extent() Extent {
	x := Extent{End: r.cur.In.Pos.Offset}
	switch m := r.cur.FormReader.(type) {
	case *documentReader:
		x.InDocument, x.Document = true, m.begun
	case amidReader:
		x.Amid = m.IsAmid()
	}
	switch r.cur.Form {
	case FormHAR, FormNotebook:
		x.InDocument = true
	}
	if m, ok := r.form.(amidReader); ok {
		x.Amid = x.Amid || m.IsAmid()
	}
	for _, form := range [...]RecordReader{r.form, r.cur.FormReader} {
		if m, ok := form.(skippingReader); ok {
			x.Skipped = append(x.Skipped, m.Skipped()...)
		}
	}
	return x
}

// IsAmid implements amidReader.
func (e *events) IsAmid() bool { return e.joined != nil && !e.joined.IsAtEnd() }

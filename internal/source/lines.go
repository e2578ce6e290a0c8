package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// lines reads JSON Lines: a record ends at the end of its line, and a line
// may hold several, one after another.
type lines struct {
	r       *Cursor
	midLine bool // a record was read from this line
	comma   bool // the record may have a comma behind it
	alone   bool // the text holds one record: what stands on its other lines belongs to it
	torn    bool // the last record ended too early: what follows may be the rest of it
}

func newLines(r *Cursor) *lines {
	r.In.Bound = true
	r.SetForm(FormJSONL)
	return &lines{r: r}
}

// single returns a reader of a text that holds one record.
func (r *Cursor) SingleRecord() RecordReader { return &lines{r: r, alone: true} }

func (l *lines) Next() (*Record, error) {
	for {
		c, ok := l.r.In.Peek()
		switch {
		case !ok && !l.r.In.NextLine():
			return nil, l.r.In.End()
		case !ok:
			l.midLine, l.comma, l.r.strayed = false, false, false
		case l.torn && !l.midLine && !BeginsValue(c):
			l.r.In.Discard()
		case l.comma && c == ',':
			l.r.In.Skip(1)
			l.comma = false
		case l.midLine && !BeginsValue(c):
			if rec := l.r.strayOnLine(); rec != nil {
				return rec, nil
			}
		default:
			l.midLine = true
			rec, err := l.value()
			l.torn = err == nil && (IsTruncated(rec) || isTraceback(rec))
			l.comma = l.r.Scan.Python && l.midLine
			return rec, err
		}
	}
}

// isTorn reports whether a record is well begun and ends too early. A stray
// line feed does that, and one finding is enough for all the lines that it
// makes of the record.
func IsTruncated(rec *Record) bool {
	n := len(rec.Problems)
	return n > 0 && rec.Problems[n-1].Detail == value.NotClosed
}

// isTraceback reports whether a record is the first line of what Python prints
// of an exception.
func isTraceback(rec *Record) bool {
	return rec.Root == nil && bytes.HasPrefix(rec.Data, []byte("Traceback (most recent call last)"))
}

func (l *lines) value() (*Record, error) {
	p := l.r.Cut()
	if l.alone {
		return l.r.LineRecord(p)
	}
	if l.r.beginsWithEnvelope(p) {
		return l.r.wholeDocuments(p)
	}
	rec, err := l.r.LineRecord(p)
	if l.r.In.PassLineEnd() {
		l.midLine, l.r.strayed = false, false
	}
	return rec, err
}

// lineRecord makes a record of a piece of a line. What is wrong with it ends
// where the line does.
func (r *Cursor) LineRecord(p RawValue) (*Record, error) {
	switch {
	case p.TooLarge:
		rec, _ := r.largeRecord(p, "", r.TooLarge())
		r.In.Discard()
		return rec, nil
	case p.Stop == nil && !r.clings(&p):
		rec := r.NewRecord(r.In.Rest()[:p.End:p.End], "", p.Result)
		rec.flat = p.IsASCII && r.In.OnLine(p.End)
		r.In.SkipTo(p.End, rec.advance(r.In.Pos, 0, p.End))
		return rec, nil
	case p.Stop.Truncated:
		return r.cutOffRecord(p, "")
	}
	data := r.In.Load(p.Stop.End + contextBytes)
	rec := r.NewRecord(input.TrimBehind(data, p.Stop.End), "", p.Result)
	r.discardBehind(rec)
	return rec, nil
}

// discardBehind skips the rest of the stretch behind a record, and keeps the
// record's data if the buffer is needed for that.
func (r *Cursor) discardBehind(rec *Record) {
	if !r.In.Complete() {
		r.kept = append(r.kept[:0], rec.Data...)
		rec.Data = r.kept
	}
	r.In.Discard()
}

// clings reports whether the piece is no record at all, but what is left of
// one: a string, a number or a word, and more behind it on its line. That is
// then what is wrong.
func (r *Cursor) clings(p *RawValue) bool {
	if p.Root.Kind == value.Object || p.Root.Kind == value.Array {
		return false
	}
	switch c := r.In.FollowedBy(p.End); {
	case c == 0:
		p.Result = r.Scan.Scan(r.In.Rest()[:p.End], true) // looking ahead may have moved it
		return false
	case c == ':' && p.Root.Kind == value.String:
		p.Result = value.Result{Stop: r.nameOutside(p.End)}
	default:
		data := r.In.Rest()
		at := p.End + value.SpaceSize(data[p.End:])
		end, detail := stray(r.In.Load(at + SettledBytes)[at:])
		p.Result = value.Result{Stop: &value.Fault{Kind: value.InvalidJSON, Start: at, End: at + end, Detail: detail}}
	}
	return true
}

// cutOffRecord makes a record of a value that is well begun when the stretch
// ends. It is truncated if nothing follows in the whole input.
func (r *Cursor) cutOffRecord(p RawValue, pointer string) (*Record, error) {
	if err := r.In.Failure(); err != nil {
		return nil, err
	}
	last := r.In.BlankBehind(len(r.In.Rest()))
	data := value.TrimRight(r.In.Rest())
	p.Stop = endOfRecord(data, last)
	rec := r.NewRecord(data, pointer, p.Result)
	r.In.Skip(len(r.In.Rest()))
	return rec, nil
}

// endOfRecord is the fault of a record that ends too early.
func endOfRecord(data []byte, last bool) *value.Fault {
	if last {
		return &value.Fault{Kind: TruncatedRecord, Start: len(data), End: len(data), Detail: value.InputEnds}
	}
	if i := value.PartialRune(data); i < len(data) {
		return &value.Fault{Kind: value.InvalidUTF8, Start: i, End: i + 1, Detail: value.NotUTF8(data[i])}
	}
	return &value.Fault{Kind: value.InvalidJSON, Start: len(data), End: len(data), Detail: value.NotClosed}
}

// endsInput makes a record that ends too early the last one of the input.
func (r *Record) SetTruncated() {
	p := &r.Problems[len(r.Problems)-1]
	p.Kind, p.Detail = TruncatedRecord, value.InputEnds
}

// strayOnLine reports text that stands behind a record on its line. Of
// separators, which can be many for one mistake, only the first is reported.
func (r *Cursor) strayOnLine() *Record {
	rec := r.strayLoose()
	if rec != nil && !isSeparator(rec.Data[0]) {
		r.discardBehind(rec)
	}
	return rec
}

// stray says what the text behind a record is, and where it ends.
func stray(text []byte) (end int, detail string) {
	for end < len(text) && end < value.MaxWord && isSeparator(text[end]) {
		end++
	}
	if end > 0 {
		return end, "found " + value.Quote(text[:end]) + " behind a record, expected a new line"
	}
	end, found := value.Describe(text, 0)
	return end, "found " + found + " behind a record, expected a new line; the rest of the line is not read"
}

// isSeparator reports whether c stands between values, so that behind a stray
// one another record may follow.
func isSeparator(c byte) bool { return c == ',' || c == '}' || c == ']' || c == ':' || c == ';' }

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

// looseRecord makes a record of a piece that is not bound to a line. Lost says
// that reading is to go on with seekLine.
func (r *Cursor) LooseRecord(p RawValue, column int) (rec *Record, lost bool, err error) {
	switch {
	case p.TooLarge:
		rec, closed := r.largeRecord(p, "", r.TooLarge())
		return rec, !closed, nil
	case p.Stop == nil:
		rec := r.NewRecord(r.In.Rest()[:p.End:p.End], "", p.Result)
		r.In.Skip(p.End)
		return rec, false, nil
	case p.Stop.HasEnd():
		rec, closed := r.largeRecord(p, "", *p.Stop)
		return rec, !closed, nil
	case p.Stop.Truncated:
		rec, err := r.cutOffRecord(p, "")
		return rec, false, err
	}
	return r.faultyLoose(p, column), true, nil
}

// faultyLoose makes a record that ends with the line on which it went wrong,
// or before that line if the next record begins there: then it was never
// closed.
func (r *Cursor) faultyLoose(p RawValue, column int) *Record {
	data := r.In.Rest()
	before := data[:p.Stop.Start]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 && p.Stop.Start < len(data) && BeginsValue(data[p.Stop.Start]) &&
		value.SpaceSize(before[line:]) == len(before)-line && len(before)-line == column {
		p.Stop = endOfRecord(data[:line], false)
		rec := r.NewRecord(data[:line:line], "", p.Result)
		r.In.Skip(line)
		return rec
	}
	data = lineWith(r.In.Load(p.Stop.End+contextBytes), p.Stop.End)
	rec := r.NewRecord(input.TrimBehind(data, p.Stop.End), "", p.Result)
	r.In.Skip(len(data))
	return rec
}

// lineWith cuts data at the end of the line that offset end stands on.
func lineWith(data []byte, end int) []byte {
	if end > 0 && data[end-1] == '\n' {
		return data[:end-1]
	}
	if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
		return data[:end+i]
	}
	return data[:value.PartialRune(data)]
}

// strayLoose reports text that stands between values. It returns nil for
// separators that are not the first.
func (r *Cursor) strayLoose() *Record {
	at := r.In.Pos
	end, detail := stray(r.In.Load(SettledBytes))
	data := r.In.Rest()[:end:end]
	r.In.Skip(end)
	if isSeparator(data[0]) {
		if r.strayed {
			return nil
		}
		r.strayed = true
	}
	return r.NewGap(data, at, value.Fault{Kind: value.InvalidJSON, End: end, Detail: detail})
}

// seekLine skips, in bounded memory, to a line whose first byte but white
// space opens a value and stands at the column, or to the end.
func seekLine(in *input.Input, column int) {
	for {
		for in.LineEnd() < 0 {
			in.Skip(len(in.Unread()))
			if !in.Fetch() {
				return
			}
		}
		in.Skip(in.LineEnd() + 1)
		if c, ok := in.Peek(); !ok || BeginsValue(c) && in.Pos.Column == column {
			return
		}
	}
}

// abandon skips what is left of a document that went wrong, and that began at
// the column: to the end of its line, if it is bound to that, else to where
// the next one may begin.
func abandon(in *input.Input, column int) {
	if in.Bound {
		in.Discard()
	} else {
		seekLine(in, column)
	}
}

// beginsValue reports whether c opens an object or an array.
func BeginsValue(c byte) bool { return c == '{' || c == '[' }

package source

import "bytes"

// lines reads JSON Lines: a record ends at the end of its line, and a line
// may hold several, one after another.
type lines struct {
	r       *Reader
	midLine bool // a record was read from this line
	comma   bool // the record may have a comma behind it
	alone   bool // the text holds one record: what stands on its other lines belongs to it
	torn    bool // the last record ended too early: what follows may be the rest of it
}

func newLines(r *Reader) *lines {
	r.in.bound = true
	r.packed(FormJSONL)
	return &lines{r: r}
}

func (l *lines) next() (*Record, error) {
	for {
		c, ok := l.r.in.peek()
		switch {
		case !ok && !l.r.in.nextLine():
			return nil, l.r.in.end()
		case !ok:
			l.midLine, l.comma, l.r.strayed = false, false, false
		case l.torn && !l.midLine && !beginsValue(c):
			l.r.in.discard()
		case l.comma && c == ',':
			l.r.in.skip(1)
			l.comma = false
		case l.midLine && !beginsValue(c):
			if rec := l.r.strayOnLine(); rec != nil {
				return rec, nil
			}
		default:
			l.midLine = true
			rec, err := l.value()
			l.torn = err == nil && (isTruncated(rec) || isTraceback(rec))
			l.comma = l.r.scan.python && l.midLine
			return rec, err
		}
	}
}

// isTorn reports whether a record is well begun and ends too early. A stray
// line feed does that, and one finding is enough for all the lines that it
// makes of the record.
func isTruncated(rec *Record) bool {
	n := len(rec.Problems)
	return n > 0 && rec.Problems[n-1].Detail == notClosed
}

// isTraceback reports whether a record is the first line of what Python prints
// of an exception.
func isTraceback(rec *Record) bool {
	return rec.Root == nil && bytes.HasPrefix(rec.Data, []byte("Traceback (most recent call last)"))
}

func (l *lines) value() (*Record, error) {
	p := l.r.cut()
	if l.alone {
		return l.r.lineRecord(p)
	}
	if l.r.beginsWithEnvelope(p) {
		return l.r.wholeDocuments(p)
	}
	rec, err := l.r.lineRecord(p)
	if l.r.in.passLineEnd() {
		l.midLine, l.r.strayed = false, false
	}
	return rec, err
}

// lineRecord makes a record of a piece of a line. What is wrong with it ends
// where the line does.
func (r *Reader) lineRecord(p rawValue) (*Record, error) {
	switch {
	case p.tooLarge:
		rec, _ := r.largeRecord(p, "", r.tooLarge())
		r.in.discard()
		return rec, nil
	case p.stop == nil && !r.clings(&p):
		rec := r.newRecord(r.in.rest()[:p.end:p.end], "", p.verdict)
		rec.flat = p.ascii && r.in.onLine(p.end)
		r.in.skipTo(p.end, rec.advance(r.in.pos, 0, p.end))
		return rec, nil
	case p.stop.cutOff:
		return r.cutOffRecord(p, "")
	}
	data := r.in.load(p.stop.end + contextBytes)
	rec := r.newRecord(trimBehind(data, p.stop.end), "", p.verdict)
	r.discardBehind(rec)
	return rec, nil
}

// discardBehind skips the rest of the stretch behind a record, and keeps the
// record's data if the buffer is needed for that.
func (r *Reader) discardBehind(rec *Record) {
	if !r.in.complete() {
		r.kept = append(r.kept[:0], rec.Data...)
		rec.Data = r.kept
	}
	r.in.discard()
}

// clings reports whether the piece is no record at all, but what is left of
// one: a string, a number or a word, and more behind it on its line. That is
// then what is wrong.
func (r *Reader) clings(p *rawValue) bool {
	if p.root.Kind == Object || p.root.Kind == Array {
		return false
	}
	switch c := r.in.followedBy(p.end); {
	case c == 0:
		p.verdict = r.scan.scan(r.in.rest()[:p.end], true) // looking ahead may have moved it
		return false
	case c == ':' && p.root.Kind == String:
		p.verdict = verdict{stop: r.nameOutside(p.end)}
	default:
		data := r.in.rest()
		at := p.end + countSpace(data[p.end:])
		end, detail := stray(r.in.load(at + settledBytes)[at:])
		p.verdict = verdict{stop: &fault{kind: InvalidJSON, start: at, end: at + end, detail: detail}}
	}
	return true
}

// cutOffRecord makes a record of a value that is well begun when the stretch
// ends. It is truncated if nothing follows in the whole input.
func (r *Reader) cutOffRecord(p rawValue, pointer string) (*Record, error) {
	if err := r.in.failure(); err != nil {
		return nil, err
	}
	last := r.in.blankBehind(len(r.in.rest()))
	data := trimRight(r.in.rest())
	p.stop = endOfRecord(data, last)
	rec := r.newRecord(data, pointer, p.verdict)
	r.in.skip(len(r.in.rest()))
	return rec, nil
}

// endOfRecord is the fault of a record that ends too early.
func endOfRecord(data []byte, last bool) *fault {
	if last {
		return &fault{kind: TruncatedRecord, start: len(data), end: len(data), detail: inputEnds}
	}
	if i := partialRune(data); i < len(data) {
		return &fault{kind: InvalidUTF8, start: i, end: i + 1, detail: notUTF8(data[i])}
	}
	return &fault{kind: InvalidJSON, start: len(data), end: len(data), detail: notClosed}
}

// endsInput makes a record that ends too early the last one of the input.
func (r *Record) endsInput() {
	p := &r.Problems[len(r.Problems)-1]
	p.Kind, p.Detail = TruncatedRecord, inputEnds
}

// strayOnLine reports text that stands behind a record on its line. Of
// separators, which can be many for one mistake, only the first is reported.
func (r *Reader) strayOnLine() *Record {
	rec := r.strayLoose()
	if rec != nil && !isSeparator(rec.Data[0]) {
		r.discardBehind(rec)
	}
	return rec
}

// stray says what the text behind a record is, and where it ends.
func stray(text []byte) (end int, detail string) {
	for end < len(text) && end < maxWord && isSeparator(text[end]) {
		end++
	}
	if end > 0 {
		return end, "found " + quote(text[:end]) + " behind a record, expected a new line"
	}
	end, found := describe(text, 0)
	return end, "found " + found + " behind a record, expected a new line; the rest of the line is not read"
}

// isSeparator reports whether c stands between values, so that behind a stray
// one another record may follow.
func isSeparator(c byte) bool { return c == ',' || c == '}' || c == ']' || c == ':' || c == ';' }

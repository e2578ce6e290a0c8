package apply

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// change is a change of bytes.
type change struct {
	start, end int64
	text       string
	touched    touched // the records that it is about, and the text around them
}

// layout is where the records of a text are, and in which form.
type layout struct {
	text  []byte
	form  source.Form
	spans []lint.RecordSpan // sorted
}

func newLayout(text []byte, r *lint.Result) layout {
	spans := slices.Clone(r.Spans)
	slices.SortStableFunc(spans, func(a, b lint.RecordSpan) int { return cmp.Compare(a.Start, b.Start) })
	return layout{text, source.Form(r.Form), spans}
}

// changes turns edits into changes of bytes. It returns false if one of them is
// impossible in this form, or if they overlap.
func (l *layout) changes(edits []lint.Edit) ([]change, bool) {
	var list []change
	for _, e := range edits {
		c, ok := l.change(e)
		if !ok || c.start < 0 || c.end < c.start || c.end > int64(len(l.text)) {
			return nil, false
		}
		c.touched = l.around(c.start, c.end)
		list = append(list, c)
		if head, ok := l.headAsJSON(e); ok {
			list = append(list, head)
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	for i := range max(0, len(list)-1) {
		if list[i].end > list[i+1].start {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// maxQuoting is how many records after a change may quote the word that it replaces:
// those of a refusal.
const maxQuoting = 8

// isQuoted reports whether one of the records after changes quotes a word that they
// replace, as "`py` disabled or not supported." does. After such a change the record
// would quote a word that is not in the recording.
func (l *layout) isQuoted(changes []change) bool {
	var words []string
	for _, c := range changes {
		word, ok := l.wordAt(&c)
		if ok && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return false
	}
	from := changes[len(changes)-1].touched.to
	i, _ := slices.BinarySearchFunc(l.spans, from, func(s lint.RecordSpan, at int64) int { return cmp.Compare(s.Start, at) })
	if i = min(i+maxQuoting, len(l.spans)) - 1; i < 0 || l.spans[i].End <= from {
		return false
	}
	text := l.text[from:l.spans[i].End]
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte("`"+word+"`")) })
}

// wordAt returns the string that a change replaces with another one, as a refusal quotes
// it: in lower case, without surrounding whitespace. It returns false if the change does
// not replace a string with a string, or if a refusal quotes both alike.
func (l *layout) wordAt(c *change) (string, bool) {
	const quotes = `\"'`
	old := string(l.text[c.start:c.end])
	inside := strings.Trim(old, quotes)
	if len(inside) == len(old) || strings.Trim(c.text, quotes) == c.text || strings.ContainsAny(inside, quotes) {
		return "", false
	}
	word := strings.ToLower(strings.TrimSpace(inside))
	return word, word != "" && word != strings.ToLower(strings.Trim(c.text, quotes))
}

// around returns the part of the text that a change touches: the records that it
// is in.
func (l *layout) around(start, end int64) touched {
	t := touched{start, end}
	i, _ := slices.BinarySearchFunc(l.spans, start, func(s lint.RecordSpan, at int64) int { return cmp.Compare(s.End, at) })
	for ; i < len(l.spans) && l.spans[i].Start <= end; i++ {
		t.from, t.to = min(t.from, l.spans[i].Start), max(t.to, l.spans[i].End)
	}
	return t
}

func (l *layout) change(e lint.Edit) (change, bool) {
	start, end := e.Span.Start.Offset, e.Span.End.Offset
	if e.Change == fix.ReplaceBytes {
		return change{start: start, end: end, text: e.Text}, true
	}
	if start < 0 || end > int64(len(l.text)) {
		return change{}, false
	}
	if e.Change == fix.CloseText {
		return l.closeInput(start)
	}
	if start >= end {
		return change{}, false
	}
	if e.Change == fix.EndAsJSON {
		return l.endAsJSON(start, end)
	}
	if el, ok := l.elementAt(start, end); ok {
		return el.change(e), true
	}
	if c, ok := l.carrierOf(start, end); ok {
		return c.change(e), true
	}
	if n, ok := l.neighborsOf(start, end); ok {
		return n.change(e), true
	}
	return change{}, false
}

// endAsJSON returns the change of the text after a Python literal that becomes
// JSON: a comma at the end of a line or of a list goes, and so do comments. It
// returns false if anything else is around the literal.
func (l *layout) endAsJSON(start, end int64) (change, bool) {
	none := change{start: end, end: end}
	if l.form != source.FormPython {
		return none, true // among other text
	}
	before, next := int64(0), int64(len(l.text))
	i, _ := slices.BinarySearchFunc(l.spans, start, func(s lint.RecordSpan, at int64) int { return cmp.Compare(s.Start, at) })
	if i > 0 {
		before = l.spans[i-1].End
	}
	if i+1 < len(l.spans) {
		next = l.spans[i+1].Start
	}
	above, after := withoutComments(string(l.text[before:start])), withoutComments(string(l.text[end:next]))
	if strings.Trim(above, blanks+",[]\ufeff") != "" || strings.Trim(after, blanks+",[]") != "" {
		return none, false
	}
	comma := strings.IndexByte(after, ',')
	if comma >= 0 && (!l.isList() || strings.HasPrefix(strings.TrimLeft(after[comma+1:], blanks), "]")) {
		after = after[:comma] + after[comma+1:]
	}
	return change{start: end, end: next, text: after}.shortened(l.text), true
}

// headAsJSON returns the change of the comments above the first record, if that
// is the one that becomes JSON.
func (l *layout) headAsJSON(e lint.Edit) (change, bool) {
	if e.Change != fix.EndAsJSON || l.form != source.FormPython || len(l.spans) == 0 || l.spans[0].Start != e.Span.Start.Offset {
		return change{}, false
	}
	head := string(l.text[:l.spans[0].Start])
	rest := withoutComments(head)
	c := change{start: 0, end: l.spans[0].Start, text: rest}.shortened(l.text)
	c.touched = l.around(c.start, c.end)
	return c, rest != head
}

// shortened returns a change without the text that stays at its start and its end.
func (c change) shortened(text []byte) change {
	for c.start < c.end && c.text != "" && text[c.start] == c.text[0] {
		c.start, c.text = c.start+1, c.text[1:]
	}
	for c.start < c.end && c.text != "" && text[c.end-1] == c.text[len(c.text)-1] {
		c.end, c.text = c.end-1, c.text[:len(c.text)-1]
	}
	return c
}

// comment is a comment of Python, with the spaces before it.
var comment = regexp.MustCompile(`[ \t]*#[^\n]*`)

// withoutComments returns text between literals without comments, and without the
// lines that have nothing else.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest := comment.ReplaceAllString(line, "")
		if rest == line || strings.Trim(rest, blanks) != "" || b.Len() == 0 && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			b.WriteString(rest)
		}
	}
	return b.String()
}

// blanks are the characters of JSON whitespace.
const blanks = " \t\r\n"

// isList reports whether the text begins with a bracket.
func (l *layout) isList() bool {
	return bytes.HasPrefix(bytes.TrimLeft(l.text, "\ufeff"+blanks), []byte("["))
}

// element is a record that is an element of an array, with the text around it.
type element struct {
	text       []byte
	start, end int64 // of the record
	before     int64 // offset of the comma or bracket before it
	after      int64 // offset of the comma or bracket after it
}

// elementAt returns the element at a span, if commas or brackets are around it.
func (l *layout) elementAt(start, end int64) (element, bool) {
	if l.form != source.FormJSON && l.form != source.FormPython && l.form != source.FormJSONL {
		return element{}, false
	}
	e := element{text: l.text, start: start, end: end}
	e.before = int64(len(bytes.TrimRight(l.text[:start], blanks))) - 1
	rest := l.text[end:]
	e.after = end + int64(len(rest)-len(bytes.TrimLeft(rest, blanks)))
	if e.before < 0 || e.after >= int64(len(l.text)) {
		return e, false
	}
	return e, strings.IndexByte(",[(", l.text[e.before]) >= 0 && strings.IndexByte(",])", l.text[e.after]) >= 0
}

func (e *element) change(edit lint.Edit) change {
	space := string(e.text[e.before+1 : e.start])
	isFirst := e.text[e.before] != ','
	if isFirst && !strings.Contains(space, "\n") {
		space = " "
	}
	switch {
	case edit.Change == fix.AddBefore:
		return change{start: e.start, end: e.start, text: edit.Text + "," + space}
	case edit.Change == fix.AddAfter:
		return change{start: e.end, end: e.end, text: "," + space + edit.Text}
	case !isFirst:
		return change{start: e.before, end: e.end}
	case e.text[e.after] == ',':
		rest := e.text[e.after+1:]
		return change{start: e.start, end: e.after + 1 + int64(len(rest)-len(bytes.TrimLeft(rest, blanks)))}
	}
	return change{start: e.start, end: e.end}
}

// carrier is the text that contains one record: whole lines, or an event.
type carrier struct {
	text       []byte
	from, to   int64 // without the end of its last line
	start, end int64 // of the record
	separator  string
	next       int64 // offset after the separator that follows it
}

// carrierOf returns the carrier of the record at a span. It returns false if the
// lines contain more than the record.
func (l *layout) carrierOf(start, end int64) (carrier, bool) {
	c := carrier{text: l.text, start: start, end: end}
	c.from = int64(bytes.LastIndexByte(l.text[:start], '\n') + 1)
	c.to = int64(len(l.text))
	if i := bytes.IndexByte(l.text[end:], '\n'); i >= 0 {
		c.to = end + int64(i)
	}
	lineEnd := l.lineEnd()
	if l.form == source.FormSSE {
		if !bytes.HasPrefix(l.text[c.from:], []byte("data")) {
			return c, false
		}
		c.from, c.to = l.event(c.from, c.to)
		c.separator = lineEnd + lineEnd
	} else {
		c.separator = lineEnd
	}
	c.to = end + int64(len(bytes.TrimRight(l.text[end:c.to], "\r\n")))
	c.next = c.to
	for c.next < int64(len(l.text)) && (l.text[c.next] == '\n' || l.text[c.next] == '\r') {
		c.next++
		if l.form != source.FormSSE && l.text[c.next-1] == '\n' {
			break
		}
	}
	return c, l.isAlone(&c)
}

// lineEnd returns the line end of the text: that of its first line.
func (l *layout) lineEnd() string {
	if i := bytes.IndexByte(l.text, '\n'); i > 0 && l.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// event extends a line to the event that it belongs to.
func (l *layout) event(from, to int64) (int64, int64) {
	isBlank := func(line []byte) bool { return len(bytes.TrimRight(line, "\r")) == 0 }
	for from > 0 {
		before := int64(bytes.LastIndexByte(l.text[:from-1], '\n') + 1)
		if isBlank(l.text[before : from-1]) {
			break
		}
		from = before
	}
	for to < int64(len(l.text)) {
		end := int64(len(l.text))
		if i := bytes.IndexByte(l.text[to+1:], '\n'); i >= 0 {
			end = to + 1 + int64(i)
		}
		if isBlank(l.text[to+1 : end]) {
			break
		}
		to = end
	}
	return from, to
}

// isAlone reports whether a carrier contains only its record and text that may
// be repeated with another one.
func (l *layout) isAlone(c *carrier) bool {
	i, _ := slices.BinarySearchFunc(l.spans, c.from, func(s lint.RecordSpan, at int64) int { return cmp.Compare(s.End, at+1) })
	for ; i < len(l.spans) && l.spans[i].Start < c.to; i++ {
		if l.spans[i].Start != c.start || l.spans[i].End != c.end {
			return false
		}
	}
	before, after := string(bytes.TrimSpace(c.text[c.from:c.start])), string(bytes.TrimSpace(c.text[c.end:c.to]))
	switch l.form {
	case source.FormJSONL:
		return wraps(before, after)
	case source.FormPython:
		return before == "" && (after == "" || after == ",")
	case source.FormSSE:
		return true
	case source.FormSessionLog, source.FormText:
		return !strings.HasPrefix(before, "[{") && !strings.HasSuffix(after, ",") && !strings.HasSuffix(after, "]")
	}
	return false
}

// wraps reports whether the text around a record on its line is nothing, or the
// rest of an object that contains it.
func wraps(before, after string) bool {
	return before == "" && after == "" || strings.HasPrefix(before, "{") && strings.HasSuffix(after, "}")
}

func (c *carrier) change(e lint.Edit) change {
	if e.Change == fix.RemoveRecord {
		return change{start: c.from, end: c.next}
	}
	copied := string(c.text[c.from:c.start]) + e.Text + string(c.text[c.end:c.to])
	if e.Change == fix.AddBefore {
		return change{start: c.from, end: c.from, text: copied + c.separator}
	}
	return change{start: c.to, end: c.to, text: c.separator + copied}
}

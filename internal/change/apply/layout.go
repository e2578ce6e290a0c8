package apply

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
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
	end   string            // the line end of the text: that of its first line
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
	switch {
	case e.Change == fix.ReplaceBytes:
		return change{start: start, end: end, text: e.Text}, true
	case start < 0 || end > int64(len(l.text)):
		return change{}, false
	case e.Change == fix.CloseText:
		return l.closeInput(start)
	case start >= end:
		return change{}, false
	case e.Change == fix.EndAsJSON:
		return l.endAsJSON(start, end)
	}
	for _, find := range []func(start, end int64) (site, bool){l.inList, l.onLines, l.beside} {
		s, ok := find(start, end)
		text := s.head + e.Text + s.tail
		switch {
		case !ok:
		case e.Change == fix.AddBefore:
			return change{start: s.before, end: s.before, text: text + s.separator}, true
		case e.Change == fix.AddAfter:
			return change{start: s.after, end: s.after, text: s.separator + text}, true
		default:
			return s.removed, true
		}
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
	before, next := l.between(start, end)
	above, after := withoutComments(string(l.text[before:start])), withoutComments(string(l.text[end:next]))
	if strings.Trim(above, blanks+",[]\ufeff") != "" || strings.Trim(after, blanks+",[]") != "" {
		return none, false
	}
	comma := strings.IndexByte(after, ',')
	if comma >= 0 && (!bytes.HasPrefix(bytes.TrimLeft(l.text, "\ufeff"+blanks), []byte("[")) || strings.HasPrefix(strings.TrimLeft(after[comma+1:], blanks), "]")) {
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

// site is where a record is in its form: what an inserted record needs around it, and
// what a removed one takes with it.
type site struct {
	before, after int64  // where records are inserted before it and after it
	head, tail    string // the text around the record, which an inserted one gets, too
	separator     string // between two records
	removed       change
}

// skipBlanks returns the offset of the first character from an offset on that is not
// whitespace.
func (l *layout) skipBlanks(at int64) int64 {
	return int64(len(l.text) - len(bytes.TrimLeft(l.text[at:], blanks)))
}

// inList returns the site of the record at a span that is an element of an array: commas
// or brackets are around it.
func (l *layout) inList(start, end int64) (site, bool) {
	if l.form != source.FormJSON && l.form != source.FormPython && l.form != source.FormJSONL {
		return site{}, false
	}
	before, after := int64(len(bytes.TrimRight(l.text[:start], blanks)))-1, l.skipBlanks(end)
	if before < 0 || after >= int64(len(l.text)) || strings.IndexByte(",[(", l.text[before]) < 0 || strings.IndexByte(",])", l.text[after]) < 0 {
		return site{}, false
	}
	space, isFirst := string(l.text[before+1:start]), l.text[before] != ','
	if isFirst && !strings.Contains(space, "\n") {
		space = " "
	}
	removed := change{start: start, end: end}
	switch {
	case !isFirst:
		removed.start = before
	case l.text[after] == ',':
		removed.end = l.skipBlanks(after + 1)
	}
	return site{before: start, after: end, separator: "," + space, removed: removed}, true
}

// onLines returns the site of the record at a span that has lines, or an event, of its
// own: an inserted record gets the same text around it.
func (l *layout) onLines(start, end int64) (site, bool) {
	first, last := l.between(start, end)
	if first > start || last < end {
		return site{}, false
	}
	// The bytes beside the part are those of other records.
	text, offset := l.text[max(0, first-1):min(last+1, int64(len(l.text)))], max(0, first-1)
	from, to := int64(bytes.LastIndexByte(text[:start-offset], '\n')+1), int64(len(text))
	if i := bytes.IndexByte(l.text[end:offset+to], '\n'); i >= 0 {
		to = end + int64(i) - offset
	}
	separator := l.end
	if l.form == source.FormSSE {
		if !bytes.HasPrefix(text[from:], []byte("data")) {
			return site{}, false
		}
		from, to = eventAround(text, from, to)
		separator += separator
	}
	from, to = from+offset, to+offset
	if from < first || to > last {
		return site{}, false
	}
	to = end + int64(len(bytes.TrimRight(l.text[end:to], "\r\n")))
	next := to
	for next < int64(len(l.text)) && (l.text[next] == '\n' || l.text[next] == '\r') {
		next++
		if l.form != source.FormSSE && l.text[next-1] == '\n' {
			break
		}
	}
	head, tail := string(l.text[from:start]), string(l.text[end:to])
	return site{from, to, head, tail, separator, change{start: from, end: next}}, l.canRepeat(strings.TrimSpace(head), strings.TrimSpace(tail))
}

// canRepeat reports whether an inserted record may have the text around another one.
func (l *layout) canRepeat(before, after string) bool {
	switch l.form {
	case source.FormJSONL: // nothing, or the rest of an object that contains the record
		return before == "" && after == "" || strings.HasPrefix(before, "{") && strings.HasSuffix(after, "}")
	case source.FormPython:
		return before == "" && (after == "" || after == ",")
	case source.FormSSE:
		return true
	case source.FormSessionLog, source.FormText:
		return !strings.HasPrefix(before, "[{") && !strings.HasSuffix(after, ",") && !strings.HasSuffix(after, "]")
	}
	return false
}

// beside returns the site of the record at a span that has others on its line, and
// nothing but whitespace between them.
func (l *layout) beside(start, end int64) (site, bool) {
	if l.form != source.FormJSONL {
		return site{}, false
	}
	first, last := l.between(start, end)
	if first > start || last < end {
		return site{}, false
	}
	before := l.text[max(0, first-1):start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	after := l.text[end:min(last+1, int64(len(l.text)))]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	left, right := bytes.TrimRight(before, blanks), bytes.TrimLeft(after, blanks)
	switch {
	case len(left) > 0 && left[len(left)-1] != '}', len(right) > 0 && right[0] != '{':
		return site{}, false
	case len(right) > 0:
		next := end + int64(len(after)-len(right))
		return site{before: start, after: end, separator: string(l.text[end:next]), removed: change{start: start, end: next}}, true
	}
	return site{before: start, after: end, separator: string(before[len(left):]), removed: change{start: start, end: end}}, len(left) > 0
}

// lineEndOf returns the line end of a text: that of its first line.
func lineEndOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// between returns the part of the text around the record at a span that has no other
// record: from the end of the one before it to the start of the one after it. Searches in
// it take time in proportion to it, not to the text.
func (l *layout) between(start, end int64) (from, to int64) {
	i, _ := slices.BinarySearchFunc(l.spans, start, func(s lint.RecordSpan, at int64) int { return cmp.Compare(s.Start, at) })
	if i > 0 {
		from = l.spans[i-1].End
	}
	for ; i < len(l.spans) && l.spans[i].Start == start && l.spans[i].End == end; i++ {
	}
	if i < len(l.spans) {
		return from, l.spans[i].Start
	}
	return from, int64(len(l.text))
}

// eventAround extends a line of a text to the event that it belongs to.
func eventAround(text []byte, from, to int64) (start, end int64) {
	isBlank := func(line []byte) bool { return len(bytes.TrimRight(line, "\r")) == 0 }
	for from > 0 {
		before := int64(bytes.LastIndexByte(text[:from-1], '\n') + 1)
		if isBlank(text[before : from-1]) {
			break
		}
		from = before
	}
	for to < int64(len(text)) {
		end := int64(len(text))
		if i := bytes.IndexByte(text[to+1:], '\n'); i >= 0 {
			end = to + 1 + int64(i)
		}
		if isBlank(text[to+1 : end]) {
			break
		}
		to = end
	}
	return from, to
}

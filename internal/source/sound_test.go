package source_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// requireSound checks that a reader gives the same however the input comes, and
// that every place lies where it says.
func requireSound(t *testing.T, data []byte, options source.Options) {
	want := outcomeOf(bytes.NewReader(data), options)
	for _, in := range []io.Reader{
		iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data)),
	} {
		got := outcomeOf(in, options)
		require.Equal(t, strings.Join(want.Lines, "\n"), strings.Join(got.Lines, "\n"))
		require.Equal(t, want.Form, got.Form)
	}
	if want.Err == nil {
		requirePlaces(t, data, options)
	}
}

// requirePlaces checks the places of everything that a reader gives.
func requirePlaces(t *testing.T, data []byte, options source.Options) {
	requirePlacesOf(t, bytes.NewReader(data), data, options)
}

// requirePlacesOf is requirePlaces for data that in returns, in parts of any size.
func requirePlacesOf(t *testing.T, in io.Reader, data []byte, options source.Options) {
	reader := text.NewReader(in, options)
	var offset int64
	conversation, index := -1, 0
	for count := 0; ; count++ {
		rec, err := reader.Next()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		require.LessOrEqual(t, count, 2*len(data)+2, "reading does not end")
		requireRecord(t, data, rec)
		if rec.IsGap && len(rec.Problems) == 0 {
			continue // a line that shows what the input is, or that belongs to the one before
		}
		require.GreaterOrEqual(t, rec.Start.Offset, offset, "records overlap")
		offset = rec.Start.Offset
		if rec.IsGap {
			continue
		}
		if rec.Conversation != conversation {
			conversation, index = rec.Conversation, 0
		}
		require.Equal(t, index, rec.Index)
		index++
	}
}

func requireRecord(t *testing.T, data []byte, rec *source.Record) {
	place := rec.Place()
	requirePlace(t, data, place)
	requireStands(t, string(rec.Data), spanned(data, place))
	require.True(t, rec.Root != nil || rec.Binary || rec.IsGap || len(rec.Problems) > 0, "a record is unreadable for no reason")
	for _, p := range rec.Problems {
		requirePlace(t, data, p.Place)
		if p.Kind != source.StrayLines && p.Kind != source.Comments {
			requireInside(t, place, p.Place)
		}
		require.NotEmpty(t, p.Detail)
		require.True(t, p.Kind != source.DuplicateKey || p.Related != nil)
		if p.Related != nil {
			requirePlace(t, data, *p.Related)
		}
	}
	if rec.Root != nil {
		requireNode(t, data, rec, rec.Root)
	}
	clone := rec.Clone()
	require.Equal(t, recordLine(rec), recordLine(clone))
}

// requireNode checks the place of a value in a record, and those of its children.
func requireNode(t *testing.T, data []byte, rec *source.Record, n *source.Node) {
	place := rec.PlaceOf(n)
	requirePlace(t, data, place)
	requireStands(t, string(n.Raw()), spanned(data, place))
	require.Equal(t, string(n.Raw()), string(rec.Data[n.Start:n.End]))
	text := n.Text()
	require.True(t, utf8.ValidString(text))
	inside := rec.PlaceIn(n, 0, len(text))
	requireInside(t, place, inside)
	if n.Kind == source.String {
		requireStands(t, string(n.RawContent()), spanned(data, inside))
	}
	for i := range n.Children {
		child := &n.Children[i]
		requireInside(t, place, rec.PlaceOf(child))
		requireInside(t, place, rec.PlaceOfKey(child))
		if len(n.Children) < 20 {
			requireNode(t, data, rec, child)
		}
	}
}

// requireStands checks that text is what is in the input, or decoded from it.
func requireStands(t *testing.T, text, there string) {
	if text == there || text == joinEvent(there) || text == unquoted(there) || text == unquoted(joinEvent(there)) {
		return
	}
	if cut, ok := strings.CutSuffix(there, `\`); ok && text == unquoted(cut)+`\` { // a literal may be cut in an escape
		return
	}
	if text == joinEvent(unquoted(there)) || strings.Contains(unbased(there), text) {
		return
	}
	require.Equal(t, text, there, "the text is not what stands there")
}

// unbased decodes base64, with or without padding.
func unbased(text string) string {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return ""
	}
	return string(decoded)
}

// unquoted is the text of a string in JSON or Python without its quotes.
func unquoted(inside string) string {
	for _, literal := range []string{`{"":"` + inside + `"}`, `{'':'` + inside + `'}`, `{'':"` + inside + `"}`} {
		reader := text.NewReader(strings.NewReader(literal), source.Options{Form: source.FormJSON})
		if literal[1] == '\'' || strings.Contains(inside, `\x`) {
			reader = text.NewReader(strings.NewReader(literal), source.Options{Form: source.FormPython})
		}
		rec, err := reader.Next()
		if err == nil && string(rec.Data) == literal && rec.Root != nil && len(rec.Root.Children) == 1 {
			return rec.Root.Children[0].Text()
		}
	}
	return ""
}

// joinEvent blanks all of the lines of an event but their values. The first line begins
// with its value.
func joinEvent(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		value, isData := strings.CutPrefix(line, "data:")
		if i > 0 && !isData {
			value = ""
		}
		if i > 0 {
			lines[i] = strings.Repeat(" ", len(line)-len(value)) + value
		}
	}
	return strings.Join(lines, "\n")
}

// requirePlace checks a place against the input, by counting again.
func requirePlace(t *testing.T, data []byte, p source.Place) {
	requirePosition(t, data, p.Span.Start)
	requirePosition(t, data, p.Span.End)
	require.LessOrEqual(t, p.Span.Start.Offset, p.Span.End.Offset)
	require.LessOrEqual(t, utf8.RuneCountInString(p.Excerpt.Text), 160)
	require.True(t, utf8.ValidString(p.Excerpt.Text))
	require.NotContains(t, p.Excerpt.Text, "\n")
	require.GreaterOrEqual(t, p.Span.Start.Column, p.Excerpt.Column)
	require.LessOrEqual(t, p.Span.Start.Column, p.Excerpt.Column+utf8.RuneCountInString(p.Excerpt.Text))
}

func requirePosition(t *testing.T, data []byte, p source.Position) {
	before := data[:p.Offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	require.Equal(t, 1+strings.Count(string(before), "\n"), p.Line)
	require.Equal(t, 1+len([]rune(string(line))), p.Column)
}

func requireInside(t *testing.T, outer, inner source.Place) {
	require.LessOrEqual(t, outer.Span.Start.Offset, inner.Span.Start.Offset)
	require.GreaterOrEqual(t, outer.Span.End.Offset, inner.Span.End.Offset)
}

func spanned(data []byte, p source.Place) string {
	return string(data[p.Span.Start.Offset:p.Span.End.Offset])
}

// readerSeeds show what inputs are made of.
var readerSeeds = []string{
	`{"log":"{\"a\":1}\n","stream":"stdout"}` + "\n" + `{"log":"x\n","stream":"stderr"}` + "\n" + `{"log":"{'b':","stream":"stdout"}`,
	"> # a\n> ```\n> {\"a\":\r\n>> 1}\n\n> {'b': 2}\n",
	"* a\n> b\n< HTTP/1.1 200\n< \n{\"a\":1}* c\n",
	"", " \n", "\ufeff", "x", "{}", "[]", "[{}]", "{\"a\":1}\n{\"b\":2}\n", `{"a":1}{"b":2} {"c":3}`,
	"[{\"a\":1},{\"b\":2}]\n[{\"c\":3}]\n", `{"messages":[{"a":1}],"x":2}`, "{\"x\":1,\"messages\":[{}]}\n{\"messages\":[]}",
	"{\n  \"a\": 1\n}\n{\n  \"b\": [1,\n 2]\n}\n", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]\n",
	`[{"a":"x}, {"b":"y"}, {"c":"z"}]`, `[{"a":1, {"b":2}, {"c":3}]`, `[{"a":1}, {"b":2} {"c":3}, , {"d":1},]`,
	`[{"a":1], {"c":3}]`, `[{"a":1}, "a": 1}, {"c":2}]`, `[{"a":1}, x, tru, {"b":nul`, `["\ud800", "\ud83c\udf89", -1e999]`,
	"{'role': 'user', 'start': True}", "# x\n{'a': 1}, # y\n{'b': (1,), }", "[{'a': u'\\x1b'},\n {'b': r'\\'', 'c': b''}, ]", "{\"a\": True}\n{\"b\": null}\n", "{'a': 'b}\n{'c': \"'\"}",
	`{"a":1,"a":2,"\u0061":3}`, "{\"a\":\"\xff\"}", "{\"a\":\"\xe2\x82", "[\xe2\x82",
	"data: {\"a\":1}\n\ndata:{\"b\": [\ndata: 2]}\n\n", "event: x\r\ndata: {'a': 'b'}\r\rid: 1\rdata: [DONE]\n", ":\ndata: {\n:\rdata\ndata: \"a\": \"\r\ndata:\"}",
	`{"dir":"send","frame":{"a":1}}` + "\n" + `{"dir":"recv","text":"{\"b\":\"\\u00e9\\n\"}"}` + "\n" + `{"dir":"recv","bytes_base64":"AA=="}`, `{"dir":"note"}` + "\n" + `{"dir":"send","frame":[]}`,
	`[{"direction":"client","data":"x"},{"direction":"server","data":"{\"a\":1}{\"b\":"}]`, "{'dir': 'send', 'text': '{\\'a\\': \"\\\\x1b\"}'}\n", `{"type":"receive","opcode":8,"data":""}` + "\n" + `{"type":"send","x":"\ud800","data":{"a":1,"a":2}}`,
	"Connected\n> {\"a\":1}\n< {\"b\": [}\n< hello\n", "[12:00] <- {'a': 1}\n{}\n>> {\"", `{"seq":1,"chunk":{"role":"a"}}` + "\n" + `{"chunk":"{\"role\": 1}"}` + "\n" + `{"chunk":{}}{"x":[]}`, "data: {\"chunk\":\ndata: \"{\\\"role\\\":\\\"\\\\u00e9\\\"}\"}\n\n",
	"HTTP/1.1 200 OK\nx: {}\n\ndata: {}\n{}\ndata: x\ndata: {\"", "data: {\ndata: {}\ndata: {\"a\":\ndata: [\"é\ndata: \"]}",
	"\xff\xfe{\x00", "\x00{\x00}", "{\x00}\x00", "[[[[{}]]]]", `{"a":{"a":{"a":{}}}}`, "\x1f\x8b\x08", "\x28\xb5\x2f\xfd",
	"{\"messages\":[{\"a\":1}]\n,\"messages\":1]}", "{\n\"a\":1\n{\n\"b\":2\n}", "[1,2", "[1,", "[", "{", "[\"a", `{"a":1},` + "\n" + `{"b":2},`,
	`[{}, {"messages": [1]}, {"x": {"y": [{}, {`, "{\"a\":1}\r\n\r\n{\"b\":2}\r\n", "01\n-\n1.\n1e\n.5\n+1\n", "[{\"a\":\"x\ny\"},{\"b\":1}]",
}

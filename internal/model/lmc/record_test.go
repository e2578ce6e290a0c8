package lmc

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// view returns the view of a record.
func view(t *testing.T, text string) *Record {
	t.Helper()
	src, err := source.NewReader(strings.NewReader(text), source.Options{Form: source.FormJSONL}).Next()
	require.NoError(t, err)
	return NewRecord(src.Clone())
}

func TestBlank(t *testing.T) {
	for raw, want := range map[string]bool{
		`""`: true, `" "`: true, `"\n\t \r"`: true, `"\u0020"`: true, `"\u2003"`: true, `" x"`: false, `"\n\u0041"`: false, `"\\"`: false, `"\""`: false,
		`"ü"`: false, `"\b"`: false, `null`: false, `5`: false, `[]`: false,
	} {
		assert.Equal(t, want, view(t, `{"content": `+raw+`}`).Blank(), raw)
	}
	assert.False(t, view(t, `{}`).Blank())
}

func TestRecordsThatBelongToOneDialect(t *testing.T) {
	fork := (*Record).IsFromFork
	typeless := (*Record).IsTypelessFlag
	replaces := (*Record).Replaces
	shares := (*Record).SharesID
	tests := []struct {
		is     func(*Record) bool
		record string
		want   bool
	}{
		{fork, `{"role": "user", "type": "command", "content": "go:x1"}`, true},
		{fork, `{"role": "user", "type": "command", "content": "go"}`, false},
		{fork, `{"role": "user", "type": "command", "content": "go:"}`, false},
		{fork, `{"role": "user", "type": "command", "content": "go:x 1"}`, false},
		{typeless, `{"role": "user", "start": true}`, true},
		{typeless, `{"role": "user"}`, false},
		{typeless, `{"role": "user", "start": true, "content": "x"}`, false},
		{typeless, `{"role": "user", "start": true, "typ": "message"}`, false},
		{replaces, `{"role": "assistant", "type": "message", "format": "reasoning", "content": "x", "replace": true}`, true},
		{replaces, `{"role": "assistant", "type": "message", "format": "reasoning", "content": "x", "replace": false}`, false},
		{replaces, `{"role": "assistant", "type": "message", "content": "x", "replace": true}`, false},
		{shares, `{"role": "server", "type": "completion", "content": "x"}`, true},
		{shares, `{"role": "server", "type": "status", "content": "complete"}`, true},
		{shares, `{"role": "server", "type": "status", "content": "busy"}`, false},
		{shares, `{"role": "server", "type": "status", "content": 5}`, true},
		{shares, `{"role": "server", "type": "status"}`, true},
		{shares, `{"role": "server", "type": "other", "content": "complete"}`, true},
		{shares, `{"role": "user", "type": "other", "content": "complete"}`, false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, tt.is(view(t, tt.record)), tt.record)
	}
}

// The role of a start does not decide what continues it.
func TestIsContinuedBy(t *testing.T) {
	start := view(t, `{"role": "user", "type": "message", "start": true}`)
	assert.True(t, start.IsContinuedBy(view(t, `{"role": "assistant", "type": "message", "content": "x"}`)))
}

func TestIsRefusal(t *testing.T) {
	assert.True(t, IsRefusal("`x` disabled or not supported.\n"))
	assert.False(t, IsRefusal("`x"))
}

func TestRewriteCode(t *testing.T) {
	tests := []struct {
		code, language string
		want           RewrittenCode
	}{
		{"x = 1", "python", RewrittenCode{Text: "x = 1", Language: "python"}},
		{"`\n x = 1 ", "python", RewrittenCode{Text: "x = 1", Language: "python"}},
		{"x = 1executeexecute", "python", RewrittenCode{Text: "x = 1", Language: "python"}},
		{"a note", "Markdown", RewrittenCode{Text: "```\na note\n```", Message: true}},
		{`functions.execute({"code": "ls"})`, " Shell", RewrittenCode{Text: "ls", Language: "shell", Called: true}},
		{`functions.execute({"code": "ls", "language": "bash"})`, "shell", RewrittenCode{Text: "ls", Language: "bash", Called: true}},
		{`functions.execute({"code": 5})`, "shell", RewrittenCode{Text: `functions.execute({"code": 5})`, Language: "shell"}},
		{`functions.execute(ls)`, "shell", RewrittenCode{Text: `functions.execute(ls)`, Language: "shell"}},
		{`{"language": "bash", "code": "ls"}`, "python", RewrittenCode{Text: "ls", Language: "bash", Called: true}},
		{`{language: "bash", code: "ls"}`, "python", RewrittenCode{Text: "ls", Language: "bash", Called: true}},
		{`{"language": "bash", "code": "ls", "x": 1}`, "python", RewrittenCode{Text: `{"language": "bash", "code": "ls", "x": 1}`, Language: "python"}},
		{`{"language": 5, "code": "ls"}`, "python", RewrittenCode{Text: `{"language": 5, "code": "ls"}`, Language: "python"}},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, RewriteCode(tt.code, tt.language), tt.code)
	}
}

// A digest is the same however the text is divided, also if it is longer than
// what is kept.
func TestDigestOfPieces(t *testing.T) {
	for _, begin := range []string{"{", "x"} {
		text := begin + strings.Repeat("line\n", maxCall/4)
		var w Digester
		for i := 0; i < len(text); i += 100 {
			w.Add([]byte(text[i:min(i+100, len(text))]))
			assert.LessOrEqual(t, len(w.object), maxCall)
			if begin == "x" {
				assert.Empty(t, w.object)
			}
		}
		whole := DigestText(text)
		pieces := w.Digest()
		assert.True(t, whole.Equal(&pieces))
		assert.Equal(t, whole.Lines, pieces.Lines)
		other := DigestText(text + "x")
		assert.False(t, whole.Equal(&other))
		w.Reset()
		assert.Zero(t, w.Digest().Bytes)
	}
}

// Of the ids of delivered records the last 4,096 are kept.
func TestDeliveriesAreBounded(t *testing.T) {
	record := func(id int, content string) *Record {
		return view(t, `{"role": "assistant", "type": "message", "content": "`+content+`", "id": "i`+strconv.Itoa(id)+`"}`)
	}
	var d Deliveries
	for i := range maxIDs {
		_, isNew, dropped := d.Keep(record(i, "x"))
		assert.True(t, isNew)
		assert.Nil(t, dropped)
	}
	first := d.Find("i0")
	require.NotNil(t, first)
	assert.Same(t, first, d.At(0))
	for i := range 3 {
		oldest := d.Find("i" + strconv.Itoa(i))
		require.NotNil(t, oldest)
		_, isNew, dropped := d.Keep(record(maxIDs+i, "x"))
		assert.True(t, isNew)
		assert.Same(t, oldest, dropped)
		assert.Nil(t, d.Find("i"+strconv.Itoa(i)))
		assert.Same(t, d.Find("i"+strconv.Itoa(i+1)), d.At(0))
		assert.Same(t, d.Find("i"+strconv.Itoa(maxIDs+i)), d.At(maxIDs-1))
	}
	assert.Equal(t, maxIDs, d.Len())
	assert.NotNil(t, d.Again(record(maxIDs, "x")))
	assert.Nil(t, d.Again(record(maxIDs, "y")), "another record under the id")
	_, isNew, _ := d.Keep(record(maxIDs, "y"))
	assert.False(t, isNew)
	assert.Nil(t, d.Again(record(maxIDs, "x")), "the id identifies no record any more")
}

// What is kept of a block's text.
func TestTextOfBlocks(t *testing.T) {
	var g openBlockText
	b := &Block{signature: signature{Type: "message"}, Contents: 1}
	g.add(b, view(t, `{"role": "assistant", "type": "message", "content": "`+strings.Repeat("x", maxText)+`"}`))
	assert.True(t, g.repeats.over)
	assert.Empty(t, g.piece, "it is not decoded")

	g.reset()
	g.add(b, view(t, `{"role": "assistant", "type": "message", "format": "reasoning", "content": "x", "replace": true}`))
	assert.True(t, g.repeats.over, "reasoning that is replaced repeats nothing")

	call := func(pieces ...string) *CalledCode {
		g.reset()
		for _, piece := range pieces {
			g.text.Add([]byte(piece))
		}
		var c Code
		g.keepCode(&c)
		return c.Call
	}
	const object = `{"language": "shell", "code": "ls"}`
	assert.Nil(t, call(strings.Repeat("x", 10), object), "an object at the end of code is no call")
	assert.NotNil(t, call(object))
	assert.Nil(t, call(object, strings.Repeat(" ", maxCall)), "only a text that is kept whole can be a call")

	head, tail := new(Block).Ends()
	assert.Empty(t, head+tail)
	var start source.PlaceRef
	start.Set(view(t, `{"role": "assistant"}`).Source, nil)
	assert.Equal(t, start.Place(), (&Block{Start: &start}).First())
}

func TestWantedEvents(t *testing.T) {
	var kinds Kind
	tracker := NewTracker(func(string) bool { return false }, func(kind Kind, _ any) { kinds |= kind })
	wanted := Kind(Closed) | Kind(Finished)
	tracker.SetWanted(wanted)
	feed(t, tracker, "m+ m. m. m- m-", 0)
	tracker.Finish()
	assert.Equal(t, wanted, kinds)
}

func TestStarted(t *testing.T) {
	assert.Nil(t, after(t, "m.").Started())
	assert.Equal(t, 1, after(t, "m+ m.").Started().Contents)
}

// Repeat counts the records that it follows.
func TestRepeat(t *testing.T) {
	tracker := after(t, "c+ c. c.")
	tracker.Repeat(3, []byte("abc"))
	assert.Equal(t, 5, tracker.Open().Contents)
	var code Code
	tracker.Open().text.keepCode(&code)
	want := DigestText("xxabc")
	assert.True(t, code.Has(&want))
}

func TestFlagsThatAreNotSet(t *testing.T) {
	for raw, want := range map[string]bool{
		`null`: true, `false`: true, `0`: true, `""`: true, `"false"`: true, `"False"`: true, `true`: false, `1`: false, `0.5`: false, `"0"`: false, `"x"`: false, `[]`: true, `{}`: true, `[0]`: false,
	} {
		assert.Equal(t, want, IsUnset(&view(t, `{"list": [`+raw+`]}`).Root.Member("list").Children[0]), raw)
	}
}

// Content beside a flag says nothing if it is empty, or null where null is no line.
func TestContentThatSaysNothingBesideAFlag(t *testing.T) {
	for text, want := range map[string]bool{
		`"type": "message", "start": true, "content": ""`:                               false,
		`"type": "message", "start": true, "content": "x"`:                              false,
		`"type": "message", "format": "active_line", "start": true, "content": null`:    true,
		`"type": "console", "format": "active_line", "start": true, "content": null`:    false,
		`"type": "console", "format": "active_line", "start": "false", "content": null`: false,
		`"type": "message", "format": "active_line", "start": false, "content": null`:   false,
	} {
		r := view(t, `{"role": "assistant", `+text+`}`)
		assert.Equal(t, want || r.Empty(), r.isFlagOnly(), text)
	}
}

func TestPlainTextHasAKindForEachType(t *testing.T) {
	var all KindOf[ContentEvent]
	for _, name := range []string{"message", "code", "review", "console"} {
		assert.NotZero(t, PlainTextOf(name))
		assert.Zero(t, all&PlainTextOf(name), name)
		all |= PlainTextOf(name)
	}
	assert.Equal(t, PlainText, all)
	assert.Zero(t, PlainTextOf("image"))
}

// A start that is held back opens a block; an end opens none.
func TestHeldBlock(t *testing.T) {
	held := HeldBlock(view(t, `{"role": "assistant", "type": "message", "start": true}`))
	require.NotNil(t, held)
	assert.Equal(t, "message", held.Type)
	assert.Nil(t, HeldBlock(view(t, `{"role": "assistant", "type": "message", "end": true}`)))
}

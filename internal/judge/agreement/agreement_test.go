package agreement_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// names are the names of the reasons.
var names = map[agreement.Reason]string{
	agreement.NotStreamed: "not streamed", agreement.StreamedBefore: "streamed before", agreement.StreamedAfter: "streamed after",
	agreement.StoredByDisplay: "stored by the display", agreement.StoredByApplication: "stored by the application",
	agreement.NotStored: "not stored", agreement.Moved: "moved",
	agreement.Differs: "differs", agreement.TruncatedOutput: "truncated", agreement.Unwrapped: "unwrapped", agreement.Edited: "edited",
	agreement.NoteAsMessage: "note", agreement.LanguageSpelling: "spelling", agreement.JoinedOutput: "joined", agreement.DisplayedToo: "displayed too",
	agreement.TruncationMismatch: "not its end", agreement.OtherFormat: "other format", agreement.AppendedToOther: "appended",
	agreement.RepeatedFirstChunk: "repeated",
}

// kinds are what the letters of the tests mean: role, type and format.
var kinds = map[string][3]string{
	"m": {"assistant", "message", ""},
	"c": {"assistant", "code", "python"},
	"p": {"assistant", "code", "Python"},
	"j": {"assistant", "code", "javascript"},
	"t": {"assistant", "code", "text"},
	"o": {"computer", "console", "output"},
	"i": {"computer", "image", "base64.png"},
	"u": {"user", "message", ""},
	"s": {"system", "message", ""},
	"r": {"assistant", "review", ""},
}

// object returns a record of a kind, with content under key.
func object(t *testing.T, kind string, key string, content any) string {
	t.Helper()
	names := kinds[kind]
	require.NotEmpty(t, names, kind)
	r := map[string]any{"role": names[0], "type": names[1], key: content}
	if names[2] != "" {
		r["format"] = names[2]
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	return string(text) + "\n"
}

// streamOf returns the chunks of blocks: kind and text, the chunks of which are
// separated by bars. "?code" is a confirmation, "m!text" has no end.
func streamOf(t *testing.T, blocks []string) string {
	t.Helper()
	var b strings.Builder
	for _, block := range blocks {
		kind, text := block[:1], block[2:]
		if kind == "?" {
			request, err := json.Marshal(map[string]any{"type": "code", "format": "python", "content": text})
			require.NoError(t, err)
			fmt.Fprintf(&b, `{"role": "computer", "type": "confirmation", "format": "execution", "content": %s}`+"\n", request)
			continue
		}
		b.WriteString(object(t, kind, "start", true))
		for chunk := range strings.SplitSeq(text, "|") {
			b.WriteString(object(t, kind, "content", chunk))
		}
		if block[1] != '!' {
			b.WriteString(object(t, kind, "end", true))
		}
	}
	return b.String()
}

// records reads the lines of a text.
func records(t *testing.T, text string) (list []*lmc.Record) {
	t.Helper()
	reader := source.NewReader(strings.NewReader(text), source.Options{Form: source.FormJSONL})
	for range strings.Count(text, "\n") {
		src, err := reader.Next()
		require.NoError(t, err)
		list = append(list, lmc.NewRecord(src.Clone()))
	}
	return list
}

// conversation returns a stored conversation of messages: kind and text. The
// content of "m=5" is a number.
func conversation(t *testing.T, messages []string) *agreement.StoredConversation {
	t.Helper()
	c := agreement.NewStoredConversation("stored")
	for _, m := range messages {
		content := any(m[2:])
		if m[1] == '=' {
			content = json.RawMessage(m[2:])
		}
		for _, r := range records(t, object(t, m[:1], "content", content)) {
			c.Add(r)
		}
	}
	return c
}

// differences compares a stream with a conversation.
func differences(t *testing.T, blocks, messages []string) (found []*agreement.Difference) {
	t.Helper()
	comparison := agreement.New(conversation(t, messages), func(d *agreement.Difference) { found = append(found, d) })
	tracker := lmc.NewTracker(lmc.IsNoteLanguage, func(_ lmc.Kind, event any) { comparison.Handle(event) })
	tracker.SetWanted(agreement.HandledKinds)
	for _, r := range records(t, streamOf(t, blocks)) {
		tracker.Step(r)
	}
	tracker.Finish()
	return found
}

// shown returns a difference as "reason: block = message +more".
func shown(d *agreement.Difference) string {
	text := names[d.Reason] + ":"
	if d.Block != nil {
		text += " " + d.Block.Type
	}
	if d.Message != nil {
		text += " = " + d.Message.Type
	}
	if d.More > 0 {
		text += fmt.Sprintf(" +%d", d.More)
	}
	return text
}

func TestComparison(t *testing.T) {
	long := strings.Repeat("0123456789", 40)
	notice := "Output truncated. Showing the last 30 characters. You should try again.\n\n"
	for name, c := range map[string]struct {
		stream, stored, want []string
	}{
		"nothing at all": {},
		"a turn": {
			[]string{"m:Hel|lo", "c:print(1)", "?:print(1)", "o:1\n", "m:Done"},
			[]string{"s:You are", "u:Hi", "m:Hello", "c:print(1)", "o:1\n", "m:Done"},
			nil,
		},
		"an execution without output":    {[]string{"c:x=1", "o:", "m:Done"}, []string{"c:x=1", "o:", "m:Done"}, nil},
		"a review is never stored":       {[]string{"r:looks good", "m:Done"}, []string{"m:Done"}, nil},
		"content that is not comparable": {[]string{"m:Hello"}, []string{"m=5"}, nil},

		"a block is not stored":     {[]string{"m:Hello", "m:again", "m:Done"}, []string{"m:Hello", "m:Done"}, []string{"not stored: message"}},
		"blocks are not stored":     {[]string{"m:a1", "m:b2", "m:c3", "c:x=1"}, []string{"c:x=1"}, []string{"not stored: message +2"}},
		"the last is not stored":    {[]string{"m:Hello", "c:x=1"}, []string{"m:Hello"}, []string{"not stored: code"}},
		"nothing is stored":         {[]string{"m:Hello"}, nil, []string{"not stored: message"}},
		"a message is not streamed": {[]string{"m:Hello", "m:Done"}, []string{"m:Hello", "c:x=1", "m:Done"}, []string{"not streamed: = code"}},
		"messages are not streamed": {[]string{"m:Hello", "m:Done"}, []string{"m:Hello", "c:x=1", "o:1", "m:Done"}, []string{"not streamed: = code +1"}},
		"nothing is streamed":       {nil, []string{"u:Hi", "m:Hello"}, []string{"not streamed: = message"}},
		"another order":             {[]string{"m:first", "c:x=1", "m:Done"}, []string{"c:x=1", "m:first", "m:Done"}, []string{"moved: code = code"}},

		"turns before":  {[]string{"m:three", "m:four"}, []string{"u:a", "m:one", "u:b", "m:two", "u:c", "m:three", "m:four"}, []string{"streamed before: = message +1"}},
		"turns after":   {[]string{"m:one"}, []string{"u:a", "m:one", "u:b", "m:two", "m:three"}, []string{"streamed after: = message +1"}},
		"a part of one": {[]string{"m:two"}, []string{"u:a", "m:one", "m:two"}, []string{"not streamed: = message"}},

		"another text":                    {[]string{"m:Hello"}, []string{"m:Help"}, []string{"differs: message = message"}},
		"another language":                {[]string{"c:x=1"}, []string{"j:x=1"}, []string{"other format: code = code"}},
		"a spelling of the language":      {[]string{"p:x=1"}, []string{"c:x=1"}, []string{"spelling: code = code"}},
		"a note":                          {[]string{"t:Buy milk"}, []string{"m:```\nBuy milk\n```"}, []string{"note: code = message"}},
		"another note":                    {[]string{"t:Buy milk"}, []string{"m:```\nBuy bread\n```"}, []string{"differs: code = message"}},
		"unwrapped code":                  {[]string{"c:`\nx=1 "}, []string{"c:x=1"}, []string{"unwrapped: code = code"}},
		"edited code":                     {[]string{"c:x=1", "?:x=1", "o:1"}, []string{"c:x=2", "o:1"}, []string{"edited: code = code"}},
		"the first chunk is stored again": {[]string{"m:ab|b"}, []string{"m:ab"}, []string{"repeated: message = message"}},

		"the end of output":          {[]string{"c:x=1", "o:" + long}, []string{"c:x=1", "o:" + notice + long[len(long)-30:]}, []string{"truncated: console = console"}},
		"not the end of output":      {[]string{"c:x=1", "o:" + long}, []string{"c:x=1", "o:" + notice + long[len(long)-31:len(long)-1]}, []string{"not its end: console = console"}},
		"output in one message":      {[]string{"c:x=1", "o:one", "o:two"}, []string{"c:x=1", "o:onetwo"}, []string{"joined: console = console"}},
		"output at the end of code":  {[]string{"c:x=1", "o:one", "m:Done"}, []string{"c:x=1one", "m:Done"}, []string{"appended: console = code"}},
		"the display added a line":   {[]string{"c:x=1", "o:1\n"}, []string{"c:x=1", "o:1\n\nDisplayed on the user's machine."}, []string{"displayed too: console = console"}},
		"the display stored a line":  {[]string{"c:x=1", "i:aGk=", "m:Done"}, []string{"c:x=1", "i:aGk=", "o:Displayed on the user's machine.", "m:Done"}, []string{"stored by the display: = console"}},
		"the application ran it":     {[]string{"c:x=1", "?:x=1"}, []string{"u:a", "c:x=1", "o:1"}, []string{"stored by the application: = console"}},
		"and the assistant went on":  {[]string{"c:x=1", "?:x=1"}, []string{"u:a", "c:x=1", "o:1", "m:Done"}, []string{"stored by the application: = console", "streamed after: = message"}},
		"code without its stream":    {[]string{"m:Hello", "?:x=1", "o:1"}, []string{"m:Hello", "c:x=1", "o:1"}, nil},
		"a block without an end":     {[]string{"m!Hello", "c:x=1"}, []string{"m:Hello, you", "c:x=1"}, nil},
		"many texts that are others": {[]string{"m:a1", "m:b1", "m:c1", "m:d1"}, []string{"m:a2", "m:b2", "m:c2", "m:d2"}, []string{"not streamed: = message +3", "not stored: message +3"}},
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, d := range differences(t, c.stream, c.stored) {
				found = append(found, shown(d))
			}
			assert.Equal(t, c.want, found)
		})
	}
}

// A difference has a place: the message that it is before or after, the block, and
// the first code point that differs.
func TestDifferencesHaveAPlace(t *testing.T) {
	between := differences(t, []string{"m:Hello", "m:again", "c:x=1"}, []string{"m:Hello", "c:x=1"})[0]
	assert.Equal(t, "code", between.Near.Type)
	assert.False(t, between.AfterNear)
	assert.Equal(t, "assistant message", between.Block.Name())
	assert.Equal(t, 4, between.Block.Place.Span.Start.Line)

	last := differences(t, []string{"m:Hello", "c:x=1"}, []string{"m:Hello"})[0]
	assert.Equal(t, "message", last.Near.Type)
	assert.True(t, last.AfterNear)

	missing := differences(t, []string{"m:Hello", "m:Done"}, []string{"m:Hello", "o:1", "m:Done"})[0]
	assert.Equal(t, "message", missing.After.Type)
	assert.Equal(t, "computer console (output)", missing.Message.Name())
	_, _, _, ok := missing.FirstMismatch()
	assert.False(t, ok, "without a block")

	other := differences(t, []string{"m:Größe 1"}, []string{"m:Größe 2"})[0]
	at, streamed, stored, ok := other.FirstMismatch()
	require.True(t, ok)
	assert.Equal(t, []any{7, "1", "2"}, []any{at, streamed, stored})

	halves := differences(t, []string{"m:xé"}, []string{"m:xè" + strings.Repeat("y", 30)})[0]
	at, streamed, stored, ok = halves.FirstMismatch()
	require.True(t, ok)
	assert.Equal(t, []any{2, "é", "è" + strings.Repeat("y", 23)}, []any{at, streamed, stored})
}

// Only a reason that explains a difference is not a mistake.
func TestExplained(t *testing.T) {
	for reason, name := range names {
		switch reason {
		case agreement.NotStreamed, agreement.NotStored, agreement.Moved, agreement.Differs,
			agreement.TruncationMismatch, agreement.OtherFormat, agreement.AppendedToOther, agreement.RepeatedFirstChunk:
			assert.False(t, reason.Explained(), name)
		default:
			assert.True(t, reason.Explained(), name)
		}
	}
}

// Many blocks are one difference, and so are many messages.
func TestLongStreams(t *testing.T) {
	var blocks, messages []string
	for i := range 300 {
		blocks = append(blocks, fmt.Sprintf("m:message %d", i))
		if i != 150 {
			messages = append(messages, fmt.Sprintf("m:message %d", i))
		}
	}
	found := differences(t, blocks, messages)
	require.Len(t, found, 1)
	assert.Equal(t, "not stored: message", shown(found[0]))
	assert.Equal(t, 150*3+1, found[0].Block.Place.Span.Start.Line)

	found = differences(t, blocks, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "not stored: message +299", shown(found[0]))

	for i := range 2000 { // more than are aligned exactly
		blocks, messages = append(blocks, fmt.Sprintf("m:more %d", i)), append(messages, fmt.Sprintf("m:more %d", i))
	}
	found = differences(t, blocks, messages)
	require.Len(t, found, 1)
	assert.Equal(t, "not stored: message", shown(found[0]))
	blocks = blocks[:300]

	var unrelated []string
	for i := range 300 {
		unrelated = append(unrelated, fmt.Sprintf("c:x = %d", i))
	}
	found = differences(t, blocks, unrelated)
	require.Len(t, found, 2)
	assert.Equal(t, "not streamed: = code +299", shown(found[0]))
	assert.Equal(t, "not stored: message +299", shown(found[1]))
}

// Texts that are too long to be kept are compared by their digests.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	assert.Empty(t, differences(t, []string{"m:" + long}, []string{"m:" + long}))
	found := differences(t, []string{"m:" + long + "y", "c:x=1"}, []string{"m:" + long + "z", "c:x=1"})
	require.Len(t, found, 1)
	assert.Equal(t, agreement.Differs, found[0].Reason)
	_, _, _, ok := found[0].FirstMismatch()
	assert.False(t, ok, "the texts are not kept")
	found = differences(t, []string{"t:" + long, "c:x=1"}, []string{"m:```\n" + long + "\n```", "c:x=1"})
	require.Len(t, found, 1)
	assert.Equal(t, agreement.NoteAsMessage, found[0].Reason)

	notice := "Output truncated. Showing the last 100 characters.\n\n"
	output := strings.Repeat("0123456789", 10<<10)
	found = differences(t, []string{"c:x=1", "o:" + output}, []string{"c:x=1", "o:" + notice + output[len(output)-100:]})
	require.Len(t, found, 1)
	assert.Equal(t, agreement.TruncatedOutput, found[0].Reason)
}

func TestCutNotice(t *testing.T) {
	for text, want := range map[string]struct {
		kept int
		rest string
		ok   bool
	}{
		"Output truncated. Showing the last 2800 characters.\n\nabc":                             {2800, "abc", true},
		"Output truncated. Showing the last 5 characters. You should try again.\n\nabc\n\ndef":   {5, "abc\n\ndef", true},
		"Output truncated. Showing the last characters.\n\nabc":                                  {},
		"Output truncated. Showing the last 2800 characters.":                                    {},
		"Output truncated. Showing the last 2800 lines.\n\nabc":                                  {},
		"Output truncated. Showing the last 5 characters." + strings.Repeat("x", 600) + "\n\nab": {},
		"abc": {},
		"":    {},
	} {
		kept, size, ok := agreement.CutNotice([]byte(text))
		assert.Equal(t, want.ok, ok, text)
		if ok {
			assert.Equal(t, want.kept, kept, text)
			assert.Equal(t, want.rest, text[size:], text)
		}
	}
}

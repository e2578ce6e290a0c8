package lmc

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/source"
)

// streamsFile has streams, some with a title, each followed by the events that it
// gives, indented. Its words are those of Word, with these marks: before a word ! says that its
// role is invalid, ~ its type, % its format, ^ its content and _ its line; after
// it =text is another content, @id an id, and /value the value of its flags.
const streamsFile = "testdata/streams.txt"

// Each stream gives the events that the file lists. Read the difference before you
// commit one that -update made.
func TestStreams(t *testing.T) {
	text, err := os.ReadFile(streamsFile)
	require.NoError(t, err)
	kinds := enumeration(t, "event.go", "Kind")
	var out strings.Builder
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		title := ""
		if strings.HasPrefix(part, "//") {
			head, rest, _ := strings.Cut(part, "\n")
			title, part = head+"\n", rest
		}
		stream, _, _ := strings.Cut(part, "\n")
		events := eventsOf(stream, kinds)
		got := strings.Join(events, "\n")
		out.WriteString(title + strings.TrimSpace(stream+"\n"+got) + "\n\n")
	}
	generated.Expected(t, streamsFile, []byte(strings.TrimSuffix(out.String(), "\n")))
}

// eventsOf returns the events of a stream, without those of healthy records unless
// it begins with "all: ".
func eventsOf(stream string, kinds []constant) (events []string) {
	var all bool
	stream, all = strings.CutPrefix(stream, "all: ")
	emit := func(e *Event) {
		if all || e.Kind&(Shape|Opened|Content|PlainText|ActiveLine) == 0 {
			events = append(events, "\t"+describe(e, kinds))
		}
	}
	tracker := NewTracker(func(language string) bool { return language == "markdown" }, emit)
	if rest, isClient := strings.CutPrefix(stream, "client: "); isClient {
		stream = rest
		tracker = NewClientTracker(func(string) bool { return false }, emit)
	}
	for i, w := range strings.Fields(stream) {
		src := markedWord(w, i)
		switch w {
		case "early":
			tracker.SkipContentWithoutStart(NewRecord(markedWord("m.", i)))
			continue
		case "cut":
			tracker.CutOff()
			continue
		case "B":
			tracker.Step(NewBinary(src))
			continue
		case "#":
			tracker.SkipUnreadable(src)
			continue
		}
		r := NewRecord(src)
		r.Invalid = invalidBy(w)
		if r.Type == "code" {
			r.Language = r.Format
		}
		if !tracker.Redelivered(r) {
			tracker.Step(r)
		}
	}
	tracker.Finish()
	return events
}

// marks are the marks before a word.
const marks = "!~%^_"

func invalidBy(w string) (parts InvalidParts) {
	for _, mark := range w[:len(w)-len(strings.TrimLeft(w, marks))] {
		parts |= map[rune]InvalidParts{'!': InvalidRole, '~': InvalidType, '%': InvalidFormat, '^': InvalidContent, '_': InvalidLine}[mark]
	}
	return parts
}

// markedWord returns the record of a word with marks.
func markedWord(w string, index int) *source.Record {
	w, id, _ := strings.Cut(strings.TrimLeft(w, marks), "@")
	w, flag, hasFlag := strings.Cut(w, "/")
	w, content, replaced := strings.Cut(w, "=")
	text := "{}"
	if w != "early" && w != "cut" {
		text = Word(w)
	}
	if replaced {
		text = strings.Replace(text, `"content": "x"`, fmt.Sprintf(`"content": %q`, content), 1)
	}
	if hasFlag {
		text = strings.ReplaceAll(text, "true", flag)
	}
	if id != "" {
		text = strings.TrimSuffix(text, "}") + fmt.Sprintf(`, "id": %q}`, id)
	}
	src, err := source.NewReader(strings.NewReader(text), source.Options{Form: source.FormJSONL}).Next()
	if err != nil {
		panic(err) // a word that Word does not know
	}
	src.Index = index
	return src
}

// describe returns an event as text, with the numbers of its records.
func describe(e *Event, kinds []constant) string {
	at := "end"
	if e.Record != nil {
		at = fmt.Sprint(e.Record.Source.Index + 1)
	}
	text := at + ":"
	for i, kind := range kinds {
		if e.Kind == 1<<i {
			text += " " + kind.name
		}
	}
	add := func(is bool, word string) {
		if is {
			text += " " + word
		}
	}
	if b := e.Block; b != nil {
		text += fmt.Sprintf(", block %d %s with %d", b.Number, b.Name(), b.Contents)
		add(b.Stray, "stray")
		add(b.Lossy, "lossy")
		add(b.Cut, "cut")
		add(b.Repetition() != NoRepetition, "doubled")
		add(b.IsFromExecution(), "executed")
		if head, tail := b.Ends(); head+tail != "" {
			text += fmt.Sprintf(" from %q to %q", head, tail)
		}
		add(b.Nulls > 0, fmt.Sprint("nulls ", b.Nulls))
		if b.Final != nil {
			text += fmt.Sprint(" final at ", b.Final.Place().Record+1)
		}
	}
	if c := e.Code; c != nil {
		text += fmt.Sprintf(", code %d %s", c.Number, c.Language)
		add(c.Edit, "edit")
		add(c.Lossy, "lossy")
		add(c.Note, "note")
		add(c.Misplaced, "misplaced")
		if c.Confirmed != nil {
			text += fmt.Sprint(" confirmed at ", c.Confirmed.Place().Record+1)
		}
		add(e.Asked != nil && e.Asked.Text != c.Text, "other text")
		add(c.Edit && c.Target != DigestText("a.txt"), "other target")
		add(c.Start.Place().Record+1 != c.Number, fmt.Sprint("from ", c.Start.Place().Record+1))
	}
	if r := e.Run; r != nil {
		text += ", run"
		add(r.Final, "final")
		add(r.Refused, "refused")
		add(r.Lossy, "lossy")
		add(r.NoCode, "no code")
		add(r.Again, "again")
		if r.First != nil {
			text += fmt.Sprint(" from ", r.First.Number)
		}
		if r.Console != nil {
			text += fmt.Sprint(" console ", r.Console.Number)
		}
	}
	add(e.Asked != nil && e.Asked.Reported, "reported")
	if e.Last != nil {
		text += fmt.Sprint(", last ", e.Last.Place().Record+1)
	}
	return text
}

// A block that goes on after another one has no text any more: its chunks may repeat, and
// their texts are not needed.
func TestResumedBlockRepeatsWithoutText(t *testing.T) {
	tracker := NewTracker(func(string) bool { return false }, func(*Event) {})
	for i, w := range strings.Fields("m+ m. c+ c.") {
		tracker.Follow(NewRecord(markedWord(w, i)))
	}
	again := NewRecord(markedWord("m.", 4))
	tracker.SetWanted(Finished)
	tracker.Follow(again)
	tracker.Follow(again)
	ok, needsText := tracker.CanRepeat(again)
	assert.True(t, ok)
	assert.False(t, needsText)
	tracker.Repeat(2, nil)
}

// The texts of chunks that repeat are compared with the first chunk as those of others are.
func TestDoubledTextRepeats(t *testing.T) {
	var doubled bool
	tracker := NewTracker(func(string) bool { return false }, func(e *Event) { doubled = e.Block.Repetition() == FirstHasAll })
	tracker.SetWanted(Closed)
	for i, w := range strings.Fields("c+ c.=xababcd") {
		tracker.Follow(NewRecord(markedWord(w, i)))
	}
	again := NewRecord(markedWord("c.=ab", 2))
	tracker.Follow(again)
	tracker.Follow(again)
	ok, needsText := tracker.CanRepeat(again)
	assert.True(t, ok)
	assert.True(t, needsText)
	tracker.Repeat(1, []byte("cd"))
	tracker.Follow(NewRecord(markedWord("c-", 5)))
	assert.True(t, doubled)
}

// Outside a block nothing repeats.
func TestNothingRepeatsOutsideABlock(t *testing.T) {
	tracker := NewTracker(func(string) bool { return false }, func(*Event) {})
	tracker.SetWanted(Finished)
	ok, needsText := tracker.CanRepeat(NewRecord(markedWord("m.", 0)))
	assert.False(t, ok || needsText)
}

// A stream that was saved among whole messages is stored from its first content on, without
// its flags, and with what comes between its blocks.
func TestStoredBlocks(t *testing.T) {
	var s storedBlocks
	for i, test := range []struct {
		word string
		want bool
	}{{"m.", false}, {"?", false}, {"m+", false}, {"c.", false}, {"m+", false}, {"m.", true}, {"m.", true}, {"m-", false}, {"m.", false}, {"?", true}, {"?+", false}, {"s", true}, {"m.", false}} {
		r := NewRecord(markedWord(test.word, i))
		s.follow(r)
		assert.Equal(t, test.want, r.Stored, "record %d, %s", i+1, test.word)
	}
}

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
	kinds := enumeration(t, "event.go", "KindOf")
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
	var tracker *Tracker
	at := "end" // the number of the current record
	emit := func(kind Kind, event any) {
		if all || !Shape.Is(kind) && !Opened.Is(kind) && !(Content|PlainText|ActiveLine).Is(kind) {
			events = append(events, "\t"+describe(kind, partsOf(event, at, tracker), kinds))
		}
	}
	tracker = NewTracker(func(language string) bool { return language == "markdown" }, emit)
	if rest, isClient := strings.CutPrefix(stream, "client: "); isClient {
		stream = rest
		tracker = NewClientTracker(func(string) bool { return false }, emit)
	}
	for i, w := range strings.Fields(stream) {
		src := markedWord(w, i)
		at = fmt.Sprint(i + 1)
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
	at = "end"
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

// parts are what an event may have.
type parts struct {
	at    string // the number of its record, or end
	block *Block
	code  *Code
	run   *Run
	asked *ConfirmationRequest
	last  *source.PlaceRef
}

// partsOf returns what an event has, or what the tracker has at it.
func partsOf(event any, at string, tracker *Tracker) parts {
	p := parts{at: at, block: PartOf[Block](event), code: PartOf[Code](event), asked: PartOf[ConfirmationRequest](event)}
	switch e := event.(type) {
	case *source.PlaceRef:
		p.last = e
	case *TruncatedEvent:
		p.last = e.Last
	case *ContentEvent:
		p.run = e.Run
	case *ClosedEvent:
		if e.Record == nil {
			p.at = "end"
		}
		if e.Block.Contents > 0 || e.Block.Cut || e.Block.Lossy { // else it is emitted later
			p.run = tracker.run
		}
	case *ExecutionEvent:
		if e.Record == nil {
			p.at = "end"
		}
		p.block, p.run, p.asked = e.Run.First, e.Run, e.Late
	case *OutputEvent:
		p.block, p.code, p.run = e.Block, e.Code, tracker.run
	case *Run:
		if e.Refused {
			p.at = "end"
		}
		p.block, p.run = e.Console, e
	}
	return p
}

// describe returns an event as text, with the numbers of its records.
func describe(of Kind, e parts, kinds []constant) string {
	text := e.at + ":"
	for i, kind := range kinds {
		if of == 1<<i {
			text += " " + kind.name
		}
	}
	add := func(is bool, word string) {
		if is {
			text += " " + word
		}
	}
	if b := e.block; b != nil {
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
	if c := e.code; c != nil {
		text += fmt.Sprintf(", code %d %s", c.Number, c.Language)
		add(c.Edit, "edit")
		add(c.Lossy, "lossy")
		add(c.Note, "note")
		add(c.Misplaced, "misplaced")
		if c.Confirmed != nil {
			text += fmt.Sprint(" confirmed at ", c.Confirmed.Place().Record+1)
		}
		add(e.asked != nil && e.asked.Text != c.Text, "other text")
		add(c.Edit && c.Target != DigestText("a.txt"), "other target")
		add(c.Start.Place().Record+1 != c.Number, fmt.Sprint("from ", c.Start.Place().Record+1))
	}
	if r := e.run; r != nil {
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
	add(e.asked != nil && e.asked.Reported, "reported")
	if e.last != nil {
		text += fmt.Sprint(", last ", e.last.Place().Record+1)
	}
	return text
}

// A block that goes on after another one has no text any more: its chunks may repeat, and
// their texts are not needed.
func TestResumedBlockRepeatsWithoutText(t *testing.T) {
	tracker := NewTracker(func(string) bool { return false }, func(Kind, any) {})
	for i, w := range strings.Fields("m+ m. c+ c.") {
		tracker.Follow(NewRecord(markedWord(w, i)))
	}
	again := NewRecord(markedWord("m.", 4))
	tracker.SetWanted(Kind(Finished))
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
	tracker := NewTracker(func(string) bool { return false }, func(_ Kind, event any) { doubled = event.(*ClosedEvent).Block.Repetition() == FirstHasAll })
	tracker.SetWanted(Kind(Closed))
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
	tracker := NewTracker(func(string) bool { return false }, func(Kind, any) {})
	tracker.SetWanted(Kind(Finished))
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

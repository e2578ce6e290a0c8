package lmc_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// words are all that the streams of the tests are written with.
var words = strings.Fields("m+ m. m- c+ c. c- p+ p. p- o+ o. o- 0 ? i+ i. i- w+ w. w- #")

// FuzzSlots checks that nothing references a slot that is free: the events are
// the same when free slots are spoiled before each record. A record is a pair
// of bytes: its word, and its invalid parts.
func FuzzSlots(f *testing.F) {
	for _, stream := range []string{
		"m+ m. m- c+ c. c- ? o+ o. 0 o- m+ m. m- c+ c. c- ? o+ 0 o-",
		"c+ c. c- c. m- p. p- m. m- c. c- ? o+ o. 0 o-", // code that goes on after another block's end
	} {
		var pairs []byte
		for _, word := range strings.Fields(stream) {
			pairs = append(pairs, byte(slices.Index(words, word)), 0)
		}
		f.Add(pairs)
	}
	seeded := rand.NewPCG(1, 2)
	for range 50 {
		stream := make([]byte, 0, 400)
		for len(stream) < cap(stream) {
			n := seeded.Uint64()
			doubt := byte(n>>8) & byte(n>>16) & byte(n>>24) & byte(n>>32) // of few records
			stream = append(stream, byte(n)%byte(len(words)), doubt)
		}
		f.Add(stream)
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		records := readPairs(t, stream)
		want := events(records, func(*lmc.Tracker) {})
		require.Equal(t, want, events(records, (*lmc.Tracker).SpoilFreeSlots))
	})
}

// readPairs makes one record from each pair of bytes.
func readPairs(t *testing.T, stream []byte) (records []*lmc.Record) {
	t.Helper()
	for at := 0; at+1 < min(len(stream), 2000); at += 2 {
		word := words[int(stream[at])%len(words)]
		reader := source.NewReader(strings.NewReader(lmc.Word(word)), source.Options{Form: source.FormJSONL})
		src, err := reader.Next()
		require.NoError(t, err)
		src.Index = at / 2
		if src.Root == nil {
			records = append(records, &lmc.Record{Source: src})
			continue
		}
		r := lmc.NewRecord(src)
		r.Invalid = lmc.InvalidParts(stream[at+1])
		records = append(records, r)
	}
	return records
}

// events passes the records to a tracker and returns the text of each event. It calls
// before with the tracker before each record.
func events(records []*lmc.Record, before func(*lmc.Tracker)) []string {
	said := []string{}
	tracker := lmc.NewTracker(func(string) bool { return false }, func(kind lmc.Kind, event any) { said = append(said, spell(kind, event)) })
	for _, r := range records {
		before(tracker)
		if r.Source.Root == nil {
			tracker.SkipUnreadable(r.Source)
			continue
		}
		tracker.Step(r)
	}
	tracker.Finish()
	return said
}

// spell says all of an event that can be seen.
func spell(kind lmc.Kind, event any) string {
	text := fmt.Sprint(kind, lmc.PartOf[lmc.ConfirmationRequest](event), spellBlock(lmc.PartOf[lmc.Block](event)), spellCode(lmc.PartOf[lmc.Code](event)), spellRun(lmc.PartOf[lmc.Run](event)))
	switch e := event.(type) {
	case *lmc.ContentEvent:
		text += spellRun(e.Run)
	case *lmc.ExecutionEvent:
		text += fmt.Sprint(e.Late)
	case *lmc.OutputEvent:
		text += spellBlock(e.Block) + spellCode(e.Code)
	}
	return text
}

func spellRun(run *lmc.Run) string {
	if run == nil {
		return "-"
	}
	return fmt.Sprint(spellBlock(run.First), spellBlock(run.Console), spellCode(run.Code), run.Final, run.Refused, run.Lossy, run.NoCode)
}

func spellBlock(b *lmc.Block) string {
	if b == nil {
		return "-"
	}
	text := fmt.Sprint(b.Name(), b.Language, b.Number, b.Start.Place(), b.Stray, b.Lossy, b.Cut, b.Contents, b.Nulls, b.Repetition())
	if b.Final != nil {
		text += fmt.Sprint(b.Final.Place())
	}
	return text
}

func spellCode(c *lmc.Code) string {
	if c == nil {
		return "-"
	}
	text := fmt.Sprint(c.Role, c.Language, c.Text, c.Lossy, c.Note, c.Misplaced, c.Lines())
	for _, at := range []*source.PlaceRef{c.Start, c.Confirmed} {
		if at != nil {
			text += fmt.Sprint(at.Place())
		}
	}
	return text
}

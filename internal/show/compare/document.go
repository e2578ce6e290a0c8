package compare

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
)

// DocumentVersion is the version of the JSON report. It increases when a reader of
// the previous version would be misled.
const DocumentVersion = 1

// Document is the JSON report, which schema/diff.schema.json describes.
type Document struct {
	Version     int                  `json:"version"`
	Tool        jsonreport.Tool      `json:"tool"`
	Options     Options              `json:"options"`
	A           documentRecording    `json:"a"`
	B           documentRecording    `json:"b"`
	Differences []documentDifference `json:"differences"`
	Explained   []documentDifference `json:"explained"`
	Summary     documentSummary      `json:"summary"`
}

type documentRecording struct {
	*Recording
	Blocks      int `json:"blocks"`
	Unreadable  int `json:"unreadable"`
	NotCompared int `json:"notCompared"`
}

type documentDifference struct {
	Change       Change         `json:"change"`
	A            *documentBlock `json:"a,omitempty"`
	B            *documentBlock `json:"b,omitempty"`
	Fields       []Field        `json:"fields,omitempty"`
	Reason       Reason         `json:"reason,omitempty"`
	Lines        []string       `json:"lines,omitempty"`
	OmittedLines int            `json:"omittedLines,omitempty"`
}

type documentBlock struct {
	*Entry
	Bytes        int64            `json:"bytes"`
	Hash         string           `json:"hash"`
	Line         int              `json:"line"`
	Column       int              `json:"column"`
	Offset       int64            `json:"offset"`
	Record       jsonreport.Index `json:"record,omitzero"`
	Records      int              `json:"records"`
	Conversation jsonreport.Index `json:"conversation,omitzero"`
	Pointer      string           `json:"pointer"`
}

type documentSummary struct {
	Equal        int  `json:"equal"`
	Changed      int  `json:"changed"`
	Removed      int  `json:"removed"`
	Added        int  `json:"added"`
	Moved        int  `json:"moved"`
	Explained    int  `json:"explained"`
	Approximated bool `json:"approximated"`
}

// NewDocument returns the JSON report of a comparison.
func NewDocument(tool jsonreport.Tool, a, b *Recording, o Options, r *Result) *Document {
	counts := r.Counts()
	return &Document{
		Version: DocumentVersion, Tool: tool, Options: o,
		A: documentRecording{a, len(a.Blocks), a.Unread, r.LeftOut[0]}, B: documentRecording{b, len(b.Blocks), b.Unread, r.LeftOut[1]},
		Differences: newDifferences(r.Differences), Explained: newDifferences(r.Explained),
		Summary: documentSummary{
			r.Equal, counts[Changed], counts[Removed], counts[Added], counts[Moved], len(r.Explained), r.Approximated,
		},
	}
}

func newDifferences(list []Difference) []documentDifference {
	made := make([]documentDifference, len(list))
	for i := range list {
		d := &list[i]
		made[i] = documentDifference{Change: d.Change, A: newBlock(d.A), B: newBlock(d.B), Fields: slices.Clone(d.Fields), Reason: d.Reason}
		lines, omitted := d.Lines()
		for _, line := range lines {
			made[i].Lines = append(made[i].Lines, string(line.Op)+line.Text)
		}
		made[i].OmittedLines = omitted
	}
	return made
}

func newBlock(b *Entry) *documentBlock {
	if b == nil {
		return nil
	}
	at := &b.Place
	return &documentBlock{
		b, b.Text.Bytes, hex.EncodeToString(b.Text.Hash[:]), max(at.Start.Line, 1), max(at.Start.Column, 1), at.Start.Offset,
		jsonreport.Index(at.Record), b.Records, jsonreport.Index(at.Conversation), at.Pointer,
	}
}

// Line is a line of a text that differs.
type Line struct {
	Op   byte   // ' ' in both, '-' only in the first, '+' only in the second; '@' for lines that are omitted, '\\' for a note
	Text string // valid UTF-8, without the line end; cut to [MaxLineRunes] code points
}

// MaxLineRunes is how many code points of a line are shown, and runesBefore how many
// of them come before the first one that differs.
const (
	MaxLineRunes = 160
	runesBefore  = 40
)

// Lines returns the lines of the text of a changed block that differ, with a few
// around them, and of a block that one recording lacks its first lines. Omitted is
// how many lines there are beyond [MaxLines]. There are none if a text is not
// kept, is data of an image, or is the same.
func (d *Difference) Lines() (lines []Line, omitted int) {
	switch {
	case d.Change == Changed && d.Has(FieldContent) && hasLines(d.A) && hasLines(d.B):
		lines = changedLines(d.A.Text.Head, d.B.Text.Head)
	case d.Change == Removed && hasLines(d.A):
		lines = allLines('-', d.A.Text.Head)
	case d.Change == Added && hasLines(d.B):
		lines = allLines('+', d.B.Text.Head)
	}
	if len(lines) > MaxLines {
		omitted = len(lines) - MaxLines
		lines = lines[:MaxLines]
	}
	cutLines(lines)
	return lines, omitted
}

func hasLines(b *Entry) bool {
	_, whole := b.Text.Whole()
	return whole && !b.IsImage() && b.Type != "audio"
}

// allLines returns the lines of a text.
func allLines(op byte, text []byte) (lines []Line) {
	for line := range bytes.Lines(text) {
		lines = append(lines, Line{op, string(bytes.TrimSuffix(line, []byte{'\n'}))})
	}
	return lines
}

// changedLines returns the lines that differ, with a few around them.
func changedLines(a, b []byte) (lines []Line) {
	if !bytes.HasSuffix(a, []byte{'\n'}) && !bytes.HasSuffix(b, []byte{'\n'}) {
		a, b = withLineEnd(a), withLineEnd(b) // a missing line end is not a difference
	}
	_, rest, _ := bytes.Cut(diff.Diff("a", a, "b", b), []byte("+++ b\n"))
	for line := range bytes.Lines(rest) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if len(line) == 0 {
			continue
		}
		switch op := line[0]; op {
		case '@':
			if len(lines) > 0 {
				lines = append(lines, Line{op, ""})
			}
		case '\\':
			lines = append(lines, Line{op, "no line end"})
		default:
			lines = append(lines, Line{op, string(line[1:])})
		}
	}
	return lines
}

func withLineEnd(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	return append(text[:len(text):len(text)], '\n')
}

// cutLines cuts long lines. Of a line that replaces another one it keeps the part
// where the two begin to differ.
func cutLines(lines []Line) {
	differsAt := make([]int, len(lines)) // 0 for a line that replaces none
	for i := 0; i < len(lines); {
		removed := countOf(lines[i:], '-')
		added := countOf(lines[i+removed:], '+')
		for k := range min(removed, added) {
			from, _ := blocks.CommonRunes([]byte(lines[i+k].Text), []byte(lines[i+removed+k].Text))
			differsAt[i+k], differsAt[i+removed+k] = from, from
		}
		i += max(removed+added, 1)
	}
	for i := range lines {
		lines[i].Text = cutLine(lines[i].Text, differsAt[i])
	}
}

// countOf returns how many lines have an operation, up to the first with another.
func countOf(lines []Line, op byte) int {
	if n := slices.IndexFunc(lines, func(l Line) bool { return l.Op != op }); n >= 0 {
		return n
	}
	return len(lines)
}

// cutLine returns the part of a line around one of its code points.
func cutLine(line string, around int) string {
	line = strings.ToValidUTF8(line, "\uFFFD")
	runes := []rune(line)
	if len(runes) <= MaxLineRunes {
		return line
	}
	from := 0
	if around > MaxLineRunes-runesBefore {
		from = min(around-runesBefore, len(runes)-MaxLineRunes)
	}
	to := from + MaxLineRunes
	cut := string(runes[from:min(to, len(runes))])
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(runes) {
		cut += "…"
	}
	return cut
}

// Reason is why a message of a transcript is not equal to the block of the stream
// that it comes from.
type Reason string

// reasons names the reasons of package agreement.
var reasons = map[agreement.Reason]Reason{
	agreement.TruncatedOutput:  "truncated output",
	agreement.Unwrapped:        "code unwrapped before it ran",
	agreement.Edited:           "code edited at its confirmation",
	agreement.NoteAsMessage:    "note stored as a message",
	agreement.LanguageSpelling: "other spelling of the language",
	agreement.JoinedOutput:     "output of two blocks",
	agreement.DisplayedToo:     "line added by the terminal's display",
	agreement.StoredByDisplay:  "stored by the terminal's display",
}

// explain sets the reason of each difference between a stream and a transcript
// that is known to happen when the blocks are stored.
func explain(list []Difference, isStreamFirst bool) {
	side := func(d *Difference) (block, message *Entry) {
		if isStreamFirst {
			return d.A, d.B
		}
		return d.B, d.A
	}
	for i := range list {
		d := &list[i]
		switch block, message := side(d); {
		case d.Change == Changed:
			if why, ok := agreement.Explain(&block.Block, &message.Block); ok {
				d.Reason = reasons[why]
			}
		case d.Change != Moved && message != nil && agreement.IsDisplayNote(&message.Block):
			d.Reason = reasons[agreement.StoredByDisplay]
		}
	}
	for i := range max(0, len(list)-1) { // a changed block next to one without a message, which may be the output of both
		a, b := &list[i], &list[i+1]
		first, message := side(a)
		second, other := side(b)
		if first == nil || second == nil || (message == nil) == (other == nil) || a.Reason != "" || b.Reason != "" {
			continue
		}
		if message == nil {
			message = other
		}
		if first.Type == "console" && second.Type == "console" && message.Type == "console" &&
			agreement.HoldsJoined(&first.Block, &second.Block, &message.Block) {
			a.Reason, b.Reason = reasons[agreement.JoinedOutput], reasons[agreement.JoinedOutput]
		}
	}
}

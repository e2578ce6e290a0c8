package main

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/fatih/color"

	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/report"
)

// diffText writes the differences of two recordings for people:
//
//	changed: assistant code (python): content
//	 --> expected.jsonl:12:1 (record 11)
//	 --> actual.jsonl:10:1 (record 9)
//	  | -print(1)
//	  | +print(2)
type diffText struct {
	out  bytes.Buffer
	ink  ink.Ink
	a, b *compare.Recording
}

func (t *diffText) write(found *compare.Result) {
	for i := range found.Differences {
		t.difference(&found.Differences[i])
		t.out.WriteByte('\n')
	}
	t.summary(found)
}

// difference writes one difference.
func (t *diffText) difference(d *compare.Difference) {
	change := t.ink.Paint(string(d.Change), changeColors[d.Change], color.Bold)
	words := []string{change, t.ink.Bold(t.title(d))}
	var fields []string // that differ
	for _, f := range d.Fields {
		fields = append(fields, wordOf(f, d))
	}
	if len(fields) > 0 {
		words = append(words, strings.Join(fields, ", "))
	}
	t.out.WriteString(strings.Join(words, ": ") + "\n")
	t.place(t.a, d.A)
	t.place(t.b, d.B)
	if d.Change == compare.Changed {
		t.fields(d)
	}
	t.lines(d)
}

// changeColors are the colors of the words for the changes.
var changeColors = map[compare.Change]color.Attribute{
	compare.Changed: color.FgYellow, compare.Removed: color.FgRed, compare.Added: color.FgGreen, compare.Moved: color.FgCyan,
}

// title names the block of a difference, or both if they have different names.
func (t *diffText) title(d *compare.Difference) string {
	switch {
	case d.A == nil:
		return d.B.Name()
	case d.B == nil || d.A.Name() == d.B.Name():
		return d.A.Name()
	}
	return d.A.Name() + " became " + d.B.Name()
}

// wordOf names a field. The values of console output are its active lines.
func wordOf(f compare.Field, d *compare.Difference) string {
	if f == compare.FieldValues && d.A.Type == "console" && d.B.Type == "console" {
		return "active lines"
	}
	return string(f)
}

// place writes where a block is.
func (t *diffText) place(r *compare.Recording, b *compare.Block) {
	if b == nil {
		return
	}
	at := b.Place
	where := strings.Join(recordWords(at.Conversation, at.Record), ", ")
	if where != "" {
		where = " (" + where + ")"
	}
	path := report.EscapeControls(r.Path)
	fmt.Fprintf(&t.out, " %s %s:%d:%d%s\n", t.ink.Faint("-->"), path, max(at.Start.Line, 1), max(at.Start.Column, 1), t.ink.Faint(where))
}

// fields writes the values of the fields that differ, but for those in the title.
func (t *diffText) fields(d *compare.Difference) {
	for _, f := range []struct {
		field compare.Field
		a, b  string
	}{
		{compare.FieldRecipient, d.A.Recipient, d.B.Recipient},
		{compare.FieldFlags, d.A.Flags, d.B.Flags},
		{compare.FieldKeys, d.A.Keys, d.B.Keys},
		{compare.FieldValues, d.A.Values, d.B.Values},
	} {
		if d.Has(f.field) {
			t.line('-', wordOf(f.field, d)+": "+cmp.Or(f.a, "none"))
			t.line('+', wordOf(f.field, d)+": "+cmp.Or(f.b, "none"))
		}
	}
}

// lines writes the lines that differ, or what is known of texts that are not shown.
func (t *diffText) lines(d *compare.Difference) {
	lines, omitted := d.Lines()
	for _, line := range lines {
		t.line(line.Op, line.Text)
	}
	if omitted > 0 {
		t.line('@', english.Plural(omitted, "more line", ""))
	}
	if len(lines) == 0 && d.Change == compare.Changed && d.Has(compare.FieldContent) {
		size := func(b *compare.Block) string {
			return fmt.Sprintf("%s, SHA-256 %s…", english.Plural(int(b.Text.Bytes), "byte", ""), hex.EncodeToString(b.Text.Hash[:6]))
		}
		t.line('-', size(d.A))
		t.line('+', size(d.B))
	}
}

// line writes one line of a text.
func (t *diffText) line(op byte, text string) {
	shown := report.EscapeControls(text)
	if strings.TrimRight(shown, " ") != shown {
		shown += "$" // trailing space would be invisible
	}
	sign := string(op)
	switch op {
	case '-':
		shown = t.ink.Paint(sign+shown, color.FgRed)
	case '+':
		shown = t.ink.Paint(sign+shown, color.FgGreen)
	case '@':
		shown = t.ink.Faint(strings.TrimSpace("... " + shown))
	case '\\':
		shown = t.ink.Faint(sign + " " + shown)
	default:
		shown = sign + shown
	}
	fmt.Fprintf(&t.out, "  %s %s\n", t.ink.Faint("|"), shown)
}

// summary writes the number of differences and of equal blocks.
func (t *diffText) summary(found *compare.Result) {
	counts := found.Counts()
	var kinds []string
	for _, change := range []compare.Change{compare.Changed, compare.Removed, compare.Added, compare.Moved} {
		if n := counts[change]; n > 0 {
			kinds = append(kinds, humanize.Comma(int64(n))+" "+string(change))
		}
	}
	line := "no differences"
	if n := len(found.Differences); n > 0 {
		line = english.Plural(n, "difference", "") + " (" + strings.Join(kinds, ", ") + ")"
	}
	fmt.Fprintf(&t.out, "%s; %s equal", line, english.Plural(found.Equal, "block", ""))
	if n := len(found.Explained); n > 0 {
		fmt.Fprintf(&t.out, ", %s explained by how messages are stored", humanize.Comma(int64(n)))
	}
	t.out.WriteByte('\n')
	if n := found.LeftOut[0] + found.LeftOut[1]; n > 0 {
		fmt.Fprintf(&t.out, "%s not compared: the other recording cannot have them\n", english.Plural(n, "block", ""))
	}
	if found.Approximated {
		t.out.WriteString("the recordings differ too much to be aligned exactly: there may be fewer differences\n")
	}
}

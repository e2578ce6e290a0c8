package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) diffCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "show where two recordings of a conversation differ",
		Long: `Blocks and messages are compared, not chunks: it does not matter how a text is
divided into chunks. If only one of A and B is a transcript, records that a
transcript cannot contain, such as flags and confirmations, are ignored.
One of A and B may be -, standard input.

With --update, A is then what B is: for expected output that a review shows.

Exit status: 0 no difference, 1 differences, 2 an input could not be read.`,
		Example: name + " diff expected.jsonl actual.jsonl\n" +
			"producer | " + name + " diff --ignore-images expected.jsonl -",
		Args: operands(2, 2, "diff compares two recordings: name both"),
	}
	flags := command.Flags()
	o := &diffFlags{}
	flags.BoolVar(&o.compare.IgnoreContent, "ignore-content", false, "compare the structure only")
	flags.BoolVar(&o.compare.IgnoreImages, "ignore-images", false, "do not compare the data of images")
	flags.BoolVar(&o.update, "update", false, "copy B over A if they differ, and exit with 0")
	o.as = choiceFlag(flags, "format", "FORMAT", "text or json", []string{"text", "json"})
	o.checkFlags = shareCheckFlags(flags,
		"color", "quiet", "kind", "protocol", "form", "allow-empty", "stdin-filename", "max-record-bytes", "config", "isolated")
	flags.Lookup("quiet").Usage = "print nothing; only set the exit status"
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.diff(ctx, o, operands[0], operands[1]) })
	return command
}

// diffFlags are the flags of diff: its own, and those of check that say what the
// inputs are.
type diffFlags struct {
	*checkFlags
	as      *choice
	compare compare.Options
	update  bool
}

// diff compares two recordings.
func (c *Command) diff(ctx context.Context, o *diffFlags, a, b string) error {
	if a == walk.Stdin && b == walk.Stdin {
		return usagef("standard input cannot be both recordings")
	}
	if o.update && a == walk.Stdin {
		return usagef("--update writes the first recording, which is standard input")
	}
	plans, err := c.newPlans(o.checkFlags)
	if err != nil {
		return err
	}
	var inputs []walk.Input
	for _, operand := range []string{a, b} {
		in := walk.Expand([]string{operand}, nil)[0]
		if in.Err == nil && !in.Named {
			in = walk.Input{Path: operand, Named: true, Err: errors.New("is a directory or a pattern, expected one recording")}
		}
		inputs = append(inputs, in)
	}
	run := &diffRun{inputRun: newInputRun(c, o.checkFlags, inputs), flags: o, plans: plans}
	run.inTurn = true
	if o.update {
		if inputs[0].Err == nil && !inputs[0].Regular {
			return fmt.Errorf("%s is not a regular file: --update cannot replace it", a)
		}
		file, err := atomicfile.Replace(a)
		if err != nil {
			return &outputError{a, err}
		}
		run.copy = &destination{Writer: file, name: a, file: file}
		defer func() { // unless it was committed
			if run.copy != nil {
				_ = run.copy.discard()
			}
		}()
	}
	err = each(ctx, &run.inputRun, run.read, run.done)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w: nothing was compared", context.Cause(ctx))
	case err != nil:
		return err
	}
	return run.report(run.recordings[0], run.recordings[1])
}

// diffRun is one run of diff.
type diffRun struct {
	inputRun
	flags      *diffFlags
	plans      *plans
	recordings []*compare.Recording
	copy       *destination // of the second recording, with --update; else nil
}

// read reads one of the recordings.
func (r *diffRun) read(ctx context.Context, in *opened) (*compare.Recording, error) {
	plan, err := r.plans.of(in.in)
	if err != nil {
		return nil, err
	}
	linter, err := newReader(plan.input, lint.WithObserver(compare.Observe))
	if err != nil {
		return nil, err
	}
	if r.copy != nil && in.number == 1 {
		in.reader = io.TeeReader(in.reader, r.copy)
	}
	reader, err := in.recording()
	if err != nil {
		return nil, err
	}
	result, err := linter.Run(ctx, in.path, reader, func(lint.Finding) error { return nil })
	recording := compare.Of(result)
	if err == nil {
		_, err = io.Copy(io.Discard, in.reader) // what is after the recording is copied, too
	}
	switch {
	case err != nil:
		return nil, err
	case result.Empty && len(recording.Unreadable) > 0: // nothing of the input was read
		return nil, errors.New(recording.Unreadable[0].Detail)
	case result.Empty && !plan.input.AllowEmpty:
		return nil, errors.New("the input contains no records")
	case recording.Full:
		return nil, fmt.Errorf("it exceeds the limit of %s", english.Plural(compare.MaxBlocks, "block", ""))
	}
	return recording, nil
}

// done keeps a recording, and prints which of its records could not be read: they are
// compared by their bytes. One that cannot be read at all ends the run.
func (r *diffRun) done(o outcome[*compare.Recording]) error {
	recording := o.result
	if o.err != nil {
		return fmt.Errorf("%s: %w", r.flags.nameOf(o.in), trimPathError(o.err))
	}
	r.recordings = append(r.recordings, recording)
	if r.flags.quiet {
		return nil
	}
	for _, p := range recording.Unreadable {
		r.command.printAt(recording.Path, p.Place.Span.Start, "unreadable record: %s", p.Detail)
	}
	if more := recording.Unread - len(recording.Unreadable); more > 0 {
		r.command.printLine("%s: %s", recording.Path, english.Plural(more, "other unreadable record", ""))
	}
	return nil
}

// report compares the recordings, writes the report and returns the exit status.
func (r *diffRun) report(a, b *compare.Recording) error {
	if a.Protocol != b.Protocol && a.Records > 0 && b.Records > 0 {
		return fmt.Errorf("%s is %s and %s is %s: they cannot be compared", a.Path, a.Protocol, b.Path, b.Protocol)
	}
	found := compare.Compare(a, b, r.flags.compare)
	var err error
	switch {
	case r.flags.quiet:
	case r.flags.as.value == "json":
		tool := jsonreport.Tool{Name: name, Version: currentBuild().Version}
		err = r.command.printJSON(compare.NewDocument(tool, a, b, r.flags.compare, found))
	default:
		text := diffText{ink: ink.Ink(r.command.colorFor(r.flags.color.value, r.command.Stdout)), a: a, b: b}
		text.write(found)
		err = r.command.write("", text.out.Bytes())
	}
	switch {
	case err != nil && !isClosedPipe(err):
		return err
	case len(found.Differences) > 0 && r.copy != nil:
		if isSame, err := sameCompression(a.Path, r.copy.file); err != nil || !isSame {
			return cmp.Or(err, fmt.Errorf("%s is not updated: %s is not compressed as it is", a.Path, b.Path))
		}
		copied := r.copy
		r.copy = nil
		if err := copied.commit(); err != nil {
			return err
		}
		r.command.printLine("updated %s", copied.name)
	case len(found.Differences) > 0:
		return statusError(exitFindings)
	}
	return nil
}

// sameCompression reports whether a file and what will replace it are compressed, or archives, in the same way.
func sameCompression(path string, by sink) (bool, error) {
	replacing, ok := by.(io.ReaderAt)
	file, err := os.Open(path)
	if err != nil || !ok {
		return !ok, err
	}
	defer func() { _ = file.Close() }()
	var kinds [2]string
	for i, content := range []io.ReaderAt{file, replacing} {
		head := make([]byte, srcinput.ZipMagicBytes)
		n, err := content.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if n == len(head) && (srcinput.IsZip(head) || srcinput.IsCompressed(head)) {
			kinds[i] = string(head[:2]) // what follows may be flags
		}
	}
	return kinds[0] == kinds[1], nil
}

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
func (t *diffText) place(r *compare.Recording, b *compare.Entry) {
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
		size := func(b *compare.Entry) string {
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

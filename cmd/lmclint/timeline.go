package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) timelineCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "timeline [flags] RECORDING...",
		Short: "draw a recording, with its findings",
		Long: `Each role has a lane. A block is a bar from its start to its end; confirmations,
commands and statuses are marks; findings are listed below. The axis is the
record number, or the time if the recording has times. - is standard input.

` + exitHelp,
		Example: name + " timeline stream.jsonl\n" + name + " timeline --format markdown stream.jsonl > issue.md",
		Args:    operands(1, -1, "nothing to draw: name a recording, or - for standard input"),
	}
	flags := command.Flags()
	o := &timelineFlags{conversation: number{value: -1, unset: -1, shown: "N", expected: "the number of a conversation, from 0"}}
	o.as = choiceFlag(flags, "format", "FORMAT", "text, markdown or svg", []string{"text", "markdown", "svg"})
	o.axis = choiceFlag(flags, "axis", "AXIS", "auto, record or time", []string{"auto", "record", "time"})
	flags.BoolVar(&o.ascii, "ascii", false, "draw with ASCII characters only")
	flags.Var(&o.conversation, "conversation", "draw this conversation of several")
	o.checkFlags = shareCheckFlags(flags,
		"width", "max-findings", "kind", "dialect", "auto-run", "select", "ignore", "protocol", "form", "partial",
		"allow-empty", "against", "stdin-filename", "max-record-bytes", "extend-select", "config", "isolated", "color", "hyperlinks", "quiet",
		"fail-on")
	flags.Lookup("width").Usage = "columns of the drawing (default the terminal's, or 80)"
	flags.Lookup("max-findings").Usage = "list at most N findings (default 100)"
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.timeline(ctx, o, operands) })
	return command
}

// timelineFlags are the flags of timeline.
type timelineFlags struct {
	*checkFlags // those of inputs

	as, axis     *choice
	ascii        bool
	conversation number
}

// timeline draws the recordings that the operands name.
func (c *Command) timeline(ctx context.Context, o *timelineFlags, operands []string) error {
	begun := time.Now()
	plans, inputs, err := c.planInputs(o.checkFlags, operands, nil)
	if err != nil {
		return err
	}
	if o.as.value == "svg" && len(inputs) > 1 {
		return usagef("--format svg draws one recording, not %d", len(inputs))
	}
	if err := c.readAgainst(ctx, o.checkFlags, inputs); err != nil {
		return err
	}
	plans.options = []lint.Option{lint.WithObserver(timeline.Observe)}
	o.each = true // each place has a pin
	run, err := c.prepareRun(ctx, o.checkFlags, plans, inputs, nil, begun)
	if err != nil {
		return err
	}
	to := c.stdout()
	out := &output{destination: to, buffer: bufio.NewWriterSize(to, bufferBytes), format: report.FormatHTML}
	looks := c.looks(&o.looksFlags, to.Writer, false)
	if o.as.value == "markdown" {
		looks.Color, looks.RulePage = false, nil
	}
	looks.Width = cmp.Or(looks.Width, helpColumns)
	drawn := &drawings{
		out: out.buffer, looks: looks, format: o.as.value, axis: o.axis.value,
		ascii: o.ascii || !c.showsUnicode(to.Writer), only: int(o.conversation.value), most: int(cmp.Or(o.maxFindings.value, maxListed)),
	}
	out.reporter = drawn
	run.out.all, run.most = []*output{out}, 0 // the drawing counts the findings that it does not list
	err = run.report(ctx)
	if len(drawn.missing) > 0 {
		for _, why := range drawn.missing {
			c.printError(errors.New(why))
		}
		return statusError(exitTrouble)
	}
	return err
}

// showsUnicode reports whether a terminal is expected to show more than ASCII:
// by LC_ALL, LC_CTYPE and LANG, the first one that is set, and TERM. Without
// any it is; so is a file.
func (c *Command) showsUnicode(w io.Writer) bool {
	if _, ok := terminal(w); !ok {
		return true
	}
	locale := cmp.Or(c.env("LC_ALL"), c.env("LC_CTYPE"), c.env("LANG"))
	utf8 := strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
	return (locale == "" || utf8) && c.env("TERM") != "dumb"
}

const (
	maxListed = 100 // findings that are listed under a drawing, unless --max-findings is given
	maxDrawn  = 20  // conversations of a recording that are drawn
)

// drawings is a [report.Reporter] that draws each input when it ends.
type drawings struct {
	out    io.Writer
	looks  report.Options
	format string // text, markdown or svg
	ascii  bool
	axis   string // auto, record or time
	only   int    // the conversation to draw, -1 for all
	most   int    // findings to list

	findings []lint.Finding // of the current input
	drawn    bool           // an input was drawn
	missing  []string       // recordings without the conversation to draw
}

// Begin implements [report.Reporter].
func (d *drawings) Begin(report.Run) error { return nil }

// End implements [report.Reporter].
func (d *drawings) End(report.Summary) error { return nil }

// Finding implements [report.Reporter]. It keeps the finding, without what the
// drawing does not show.
func (d *drawings) Finding(f lint.Finding) error {
	f.Place.Excerpt.Text, f.Place.Below = "", nil
	for i := range f.Related {
		f.Related[i].Place.Excerpt.Text, f.Related[i].Place.Below = "", nil
	}
	d.findings = append(d.findings, f)
	return nil
}

// File implements [report.Reporter].
func (d *drawings) File(f report.File) error {
	recording := timeline.Of(f.Result)
	findings := d.findings
	d.findings = nil
	if recording == nil || len(recording.Conversations) == 0 && len(findings) == 0 {
		return nil
	}
	for i := range findings {
		if c, _ := recording.Add(&findings[i]); c != nil {
			place(c, &findings[i])
		}
	}
	chosen, others := d.choose(recording)
	if d.only >= 0 && len(chosen) == 0 {
		d.missing = append(d.missing, fmt.Sprintf("%s: no conversation %d: there are %d, from 0", recording.Path, d.only, len(recording.Conversations)+recording.LeftOut))
		return nil
	}
	var b bytes.Buffer
	if d.drawn {
		b.WriteByte('\n')
	}
	d.drawn = true
	switch {
	case d.format != "svg":
		d.draw(&b, recording.Path, chosen, others, findings)
	case len(chosen) > 0: // the first one with findings, or the first
		i := slices.IndexFunc(chosen, func(c *timeline.Conversation) bool { return len(c.Pins) > 0 })
		b.Write(page.SVG{Title: recording.Path, ByTime: d.axis != "record", Escape: report.EscapeControls}.Draw(chosen[max(i, 0)]))
	}
	_, err := d.out.Write(b.Bytes())
	return err
}

// place sets the record of the last pin, if it is between records: to the one
// before it, as far as the excerpts say.
func place(c *timeline.Conversation, f *lint.Finding) {
	pin := &c.Pins[len(c.Pins)-1]
	if pin.Record >= 0 {
		return
	}
	pin.Record = 0
	for _, e := range c.Excerpts {
		if e.Offset <= f.Place.Span.Start.Offset {
			pin.Record = e.Record
		}
	}
}

// draw draws conversations of a recording and lists its findings.
func (d *drawings) draw(b *bytes.Buffer, path string, chosen []*timeline.Conversation, others int, findings []lint.Finding) {
	paint := ink.Ink(d.looks.Color)
	path = report.EscapeControls(path)
	fence := "```"
	if d.format == "markdown" {
		fmt.Fprintf(b, "%s\n\n%stext\n", inlineMarkdown(path), fence)
	} else {
		fmt.Fprintf(b, "%s\n", paint.Bold(path))
	}
	look := page.Terminal{
		Width: d.looks.Width, Color: d.looks.Color, ASCII: d.ascii, ByTime: d.axis != "record", Escape: report.EscapeControls,
	}
	for i, c := range chosen {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(look.Draw(c))
	}
	if others > 0 {
		fmt.Fprintf(b, "\n%s not drawn; --conversation N draws one\n", english.Plural(others, "other conversation", ""))
	}
	d.list(b, findings)
	if d.format == "markdown" {
		b.WriteString(fence + "\n")
	}
}

// choose returns the conversations to draw, those with findings first, and how
// many others there are.
func (d *drawings) choose(recording *timeline.Recording) (chosen []*timeline.Conversation, others int) {
	all := recording.Conversations
	others = recording.LeftOut
	if d.only >= 0 {
		i := slices.IndexFunc(all, func(c *timeline.Conversation) bool { return c.Number == d.only || c.Number < 0 && d.only == 0 })
		if i < 0 {
			return nil, others + len(all)
		}
		return all[i : i+1], 0
	}
	if len(all) <= maxDrawn {
		return all, others
	}
	for _, pins := range []bool{true, false} {
		for _, c := range all {
			if (len(c.Pins) > 0) == pins && len(chosen) < maxDrawn {
				chosen = append(chosen, c)
			}
		}
	}
	slices.SortFunc(chosen, func(a, b *timeline.Conversation) int { return a.Number - b.Number })
	return chosen, others + len(all) - len(chosen)
}

// list lists findings by place, one per paragraph.
func (d *drawings) list(b *bytes.Buffer, findings []lint.Finding) {
	slices.SortStableFunc(findings, func(x, y lint.Finding) int {
		return cmp.Or(cmp.Compare(x.Place.Span.Start.Offset, y.Place.Span.Start.Offset), cmp.Compare(x.Rule.ID, y.Rule.ID))
	})
	paint := ink.Ink(d.looks.Color)
	for i := range findings {
		if i == 0 {
			b.WriteByte('\n')
		}
		if i == d.most {
			fmt.Fprintf(b, "%s not listed\n", english.Plural(len(findings)-i, "other finding", ""))
			break
		}
		f := &findings[i]
		id := f.Rule.ID
		if d.looks.RulePage != nil {
			id = ink.Link(d.looks.RulePage(f.Rule), id)
		}
		where := append(recordWords(f.Conversation, f.Place.Record), fmt.Sprintf("line %d", max(1, f.Place.Span.Start.Line)))
		line := fmt.Sprintf("%s[%s]: %s: %s", f.Severity, f.Rule.ID, strings.Join(where, ", "), report.EscapeControls(f.Message))
		text := wrapTo(line, "", "    ", d.looks.Width)
		text = strings.TrimPrefix(text, f.Severity.String()+"["+f.Rule.ID+"]")
		b.WriteString(severityText(paint, f.Severity, f.Severity.String()) + "[" + id + "]" + text)
	}
}

// inlineMarkdown escapes markup in prose.
func inlineMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`).Replace(text)
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/fatih/color"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

const (
	beat      = 100 * time.Millisecond // how often reports are flushed
	showAfter = time.Second            // how long a run takes before it shows its progress
)

// beats flushes the reports and updates the progress line at each beat, until the
// function that it returns is called. An error or a panic is passed to stop.
func (r *checkRun) beats(stop func(error)) (end func()) {
	total := int64(0) // bytes to read; 0 if not known
	if r.line.Visible() {
		total = bytesOf(r.inputs)
	}
	update := func() (err error) {
		defer recoverPanic(&err)
		err = r.out.flush()
		if elapsed := time.Since(r.begun); elapsed >= showAfter && r.line.Visible() {
			r.line.Show(r.meter.Text(elapsed, total))
		}
		return err
	}
	ended := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				if err := update(); err != nil {
					stop(err)
					return
				}
			}
		}
	})
	return func() {
		close(ended)
		beats.Wait()
		r.line.Erase()
	}
}

// bytesOf returns how many bytes there are to read, 0 if that is not known.
func bytesOf(inputs []walk.Input) (total int64) {
	for _, in := range inputs {
		if in.Err != nil {
			continue
		}
		info, ok := regularFile(in.Path)
		if !ok {
			return 0
		}
		total += info.Size()
	}
	return total
}

// progressLine returns the progress line; it is invisible unless standard error
// is an interactive terminal.
func (c *Command) progressLine(o *checkFlags) *progress.Line {
	_, ok := terminal(c.Stderr)
	if !ok || o.quiet || c.env("CI") != "" || c.env("TERM") == "dumb" {
		return &progress.Line{}
	}
	return progress.NewLine(c.Stderr, func() int { return widthOf(c.Stderr) })
}

// withProgressLine returns the program with messages that erase the progress
// line first.
func (c *Command) withProgressLine(line *progress.Line) *Command {
	beside := *c
	beside.Stderr = line.Guard(c.Stderr)
	return &beside
}

// looksFlags are the flags for the appearance of text.
type looksFlags struct {
	color, hyperlinks *choice
	width             number
}

// define defines --color, --hyperlinks and --width.
func (o *looksFlags) define(flags *pflag.FlagSet) {
	when := []string{"auto", "always", "never"}
	o.color = choiceFlag(flags, "color", "WHEN", "auto, always or never", when)
	o.hyperlinks = choiceFlag(flags, "hyperlinks", "WHEN", "link rules: auto, always or never", when)
	o.width = number{value: autoWidth, unset: autoWidth, shown: "COLUMNS", expected: "a number of columns, or 0 for no limit"}
	flags.Var(&o.width, "width", "wrap text reports; 0 for no limit")
}

// autoWidth is the value of --width that was not given.
const autoWidth = -1

// looks returns the appearance of text that is written to w, which is a file
// that the user named or a standard stream.
func (c *Command) looks(o *looksFlags, w io.Writer, named bool) report.Options {
	looks := report.Options{
		Color: c.colorFor(o.color.value, w), Width: c.widthFor(o.width.value, w, named), Explain: name + " explain",
	}
	links, isForced := c.forced(o.hyperlinks.value, "FORCE_HYPERLINK")
	if _, ok := terminal(w); links || !isForced && ok && c.env("CI") == "" && c.terminalLinks() { // others may print the escapes
		looks.RulePage = pageOfRule
	}
	return looks
}

// colorFor reports whether to color what is written to w: by the flag,
// FORCE_COLOR, NO_COLOR, TERM, and whether w is a terminal, in this order.
func (c *Command) colorFor(mode string, w io.Writer) bool {
	if on, isForced := c.forced(mode, "FORCE_COLOR"); isForced {
		return on
	}
	_, ok := terminal(w)
	return ok && c.env("NO_COLOR") == "" && c.env("TERM") != "dumb"
}

// forced reports whether a flag, or else a variable of the environment, switches
// something on, and whether one of them decides it.
func (c *Command) forced(mode, variable string) (on, isForced bool) {
	switch force := c.env(variable); {
	case mode != "auto":
		return mode == "always", true
	case force == "":
		return false, false
	default:
		return force != "0" && force != "false", true
	}
}

// terminalLinks reports whether the terminal of the environment is known to
// support hyperlinks. Others may print the escapes.
func (c *Command) terminalLinks() bool {
	const firstVTE = 5000 // 0.50
	vte, _ := strconv.Atoi(c.env("VTE_VERSION"))
	programs := []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed", "WarpTerminal"}
	terms := []string{"xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-direct", "wezterm", "contour", "mintty"}
	return c.env("TERM") != "dumb" && (vte >= firstVTE ||
		slices.Contains(programs, c.env("TERM_PROGRAM")) || slices.Contains(terms, c.env("TERM")) ||
		c.env("WT_SESSION") != "" || c.env("KONSOLE_VERSION") != "" || c.env("DOMTERM") != "")
}

// widthFor returns the columns of what is written to w, 0 for no limit: by the
// flag, COLUMNS, and the terminal, in this order. A file that the user named has
// the width of the flag only.
func (c *Command) widthFor(flag int64, w io.Writer, named bool) int {
	if flag != autoWidth {
		return c.atMostWidth("--width", int(flag))
	}
	if named {
		return 0
	}
	if columns, err := strconv.Atoi(c.env("COLUMNS")); err == nil && columns > 0 {
		return c.atMostWidth("COLUMNS", columns)
	}
	return widthOf(w)
}

// maxWidth is how many columns are written at most: a drawing takes memory for each.
const maxWidth = 10_000

// atMostWidth returns a number of columns, or the maximum. It says once that a number is
// above that.
func (c *Command) atMostWidth(from string, columns int) int {
	if columns > maxWidth && !c.isTooWide {
		c.isTooWide = true
		c.printLine("%s: %s is %d, more than the %d columns that are written at most", name, from, columns, maxWidth)
	}
	return min(columns, maxWidth)
}

// terminal returns the file descriptor of a writer that is a terminal.
func terminal(w any) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// widthOf returns the columns of a terminal, 0 for any other writer.
func widthOf(w io.Writer) int {
	fd, ok := terminal(w)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(fd) // 0 if it is not known
	return width
}

const repositoryURL = "https://github.com/lmclint/lmclint"

// pageOfRule returns the URL of a rule's page.
func pageOfRule(r *lint.Rule) string { return rulePageURL(currentBuild().Version, r.ID) }

// rulePageURL returns the URL of the page of a rule that belongs to a version of
// the program: that of the release's tag, or of the main branch.
func rulePageURL(version, id string) string {
	ref := "main"
	// Not what the Go toolchain or goreleaser calls a commit without a tag.
	prerelease := regexp.MustCompile(`^((alpha|beta|rc)[.0-9]*)?$`)
	v, err := semver.StrictNewVersion(strings.TrimPrefix(version, "v"))
	if err == nil && strings.HasPrefix(version, "v") && v.Metadata() == "" && prerelease.MatchString(v.Prerelease()) {
		ref = version
	}
	return repositoryURL + "/blob/" + ref + "/docs/rules/" + id + ".md"
}

// severityText colors text that begins with the name of a severity as reports do.
func severityText(paint ink.Ink, s lint.Severity, text string) string {
	word, rest := s.String(), ""
	if strings.HasPrefix(text, word) {
		rest = text[len(word):]
	}
	return paint.Paint(word, ink.Severity(s), color.Bold) + rest
}

// summaryText returns the summary line with its counts colored as reports do.
func summaryText(paint ink.Ink, s *report.Summary) string {
	line := strings.Replace(s.String(), "no findings", paint.Paint("no findings", color.FgGreen, color.Bold), 1)
	for _, count := range strings.Split(s.Findings(), ", ") {
		for _, severity := range lint.Severities() {
			if strings.Contains(count, severity.String()) {
				line = strings.Replace(line, count, paint.Paint(count, ink.Severity(severity), color.Bold), 1)
			}
		}
	}
	return line
}

// patchText colors the lines of a patch.
func patchText(paint ink.Ink, patch []byte) []byte {
	var b strings.Builder
	for line := range strings.Lines(string(patch)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "):
			text = paint.Bold(text)
		case strings.HasPrefix(text, "@@"):
			text = paint.Paint(text, color.FgCyan)
		case strings.HasPrefix(text, "-"):
			text = paint.Paint(text, color.FgRed)
		case strings.HasPrefix(text, "+"):
			text = paint.Paint(text, color.FgGreen)
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String())
}

// isPlain reports whether a patch, without color, controls neither a terminal nor a CI system. What does cannot be
// escaped in it: the patch would not apply.
func isPlain(patch []byte) bool {
	for line := range strings.Lines(string(patch)) {
		text := strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", " ")
		if report.EscapeControls(text) != text || strings.HasPrefix(strings.TrimLeft(text, " "), "::") {
			return false
		}
	}
	return true
}

// What commands print, and the words of their errors.

// print writes to standard output.
func (c *Command) print(text string) error { return c.write("", []byte(text)) }

// printJSON writes a value to standard output as indented JSON.
func (c *Command) printJSON(value any) error {
	text, err := plainjson.MarshalIndent(value)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return c.write("", text)
}

// printStderr writes to standard error. A failure cannot be reported.
func (c *Command) printStderr(text string) { _, _ = io.WriteString(c.Stderr, text) }

// printError writes an error to standard error, with control characters
// escaped: the names in it are untrusted.
func (c *Command) printError(err error) {
	c.printStderr(name + ": " + report.EscapeControls(err.Error()) + "\n")
}

// printFailure prints why an input was not read to its end.
func (c *Command) printFailure(path string, err error) {
	shown := trimPathError(err)
	if path != "" {
		shown = fmt.Errorf("%s: %w", path, shown)
	}
	c.printError(shown)
	if panicked, ok := errors.AsType[*lint.PanicError](err); ok {
		c.printStderr(string(panicked.Stack))
	}
}

// printLine writes a line to standard error, with control characters escaped.
func (c *Command) printLine(format string, values ...any) {
	c.printStderr(report.EscapeControls(fmt.Sprintf(format, values...)) + "\n")
}

// printAt is printLine for a line about a place in an input.
func (c *Command) printAt(path string, at source.Position, format string, values ...any) {
	c.printLine("%s:%d:%d: %s", path, max(at.Line, 1), max(at.Column, 1), fmt.Sprintf(format, values...))
}

// recordWords names a conversation and a record, each unless its number is -1.
func recordWords(conversation, record int) (words []string) {
	if conversation >= 0 {
		words = append(words, fmt.Sprintf("conversation %d", conversation))
	}
	if record >= 0 {
		words = append(words, fmt.Sprintf("record %d", record))
	}
	return words
}

// unknownWord reports an unknown command, schema or rule, with the nearest
// known word, or else with the command that lists them.
func unknownWord(what, word string, known []string, lister string) error {
	hint := spelling.DidYouMean(word, known)
	if hint == "" {
		hint = "; " + name + " " + lister + " lists them"
	}
	return fmt.Errorf("unknown %s %q%s", what, word, hint)
}

// trimPathError removes the path and the operation from an error of the file
// system, for a message that has the path already.
func trimPathError(err error) error {
	var pathError *fs.PathError
	var linkError *os.LinkError
	var syscallError *os.SyscallError
	var errno syscall.Errno
	switch {
	case errors.As(err, &pathError):
		return pathError.Err
	case errors.As(err, &linkError):
		return linkError.Err
	case errors.As(err, &syscallError):
		return syscallError.Err
	case errors.As(err, &errno):
		return errno
	}
	return err
}

package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/fatih/color"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

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

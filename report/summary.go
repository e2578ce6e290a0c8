package report

import (
	"cmp"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/coverage"
)

// Summary is the counts of a run. The zero value is ready for use. As JSON it is the
// summary of the JSON report.
type Summary struct {
	Files      int `json:"files"`   // inputs that were checked, or whose check failed
	Failed     int `json:"-"`       // of Files, those whose check failed or is incomplete
	Flagged    int `json:"-"`       // of Files, those with findings
	Skipped    int `json:"skipped"` // files of unknown protocol found in directories; not in Files
	Records    int `json:"records"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Suppressed int `json:"known,omitempty"`  // findings that the baseline suppressed; not in Errors, Warnings and Notes
	Hidden     int `json:"hidden,omitempty"` // of Errors, Warnings and Notes, findings that the report does not show

	Fixable         int `json:"fixable,omitempty"`         // findings that have a safe fix
	FixableUnsafely int `json:"fixableUnsafely,omitempty"` // findings that have an unsafe fix

	// Incomplete is whether findings may be missing: the run was interrupted,
	// or the check of an input failed or is incomplete.
	Incomplete bool `json:"incomplete"`

	Coverage *coverage.Table `json:"-"` // what was looked at, for json and html; nil if that was not wanted
}

// Add adds the counts of an input.
func (s *Summary) Add(f File) {
	s.Files++
	s.Records += f.Records
	s.Errors += f.Errors
	s.Warnings += f.Warnings
	s.Notes += f.Notes
	s.Suppressed += f.Suppressed
	s.Fixable += f.Fixable
	s.FixableUnsafely += f.FixableUnsafely
	if f.Findings() > 0 {
		s.Flagged++
	}
	if f.Err != nil {
		s.Failed++
		s.Incomplete = true
	}
}

// String returns the summary as one human-readable line, as in "2 errors, 1
// warning in 1 of 3 files (1,204 records)".
func (s Summary) String() string {
	line := "nothing was checked"
	if s.Records > 0 || s.Flagged > 0 || s.Failed != s.Files {
		files := english.Plural(s.Files, "file", "")
		if s.Flagged > 0 && s.Files != 1 {
			files = humanize.Comma(int64(s.Flagged)) + " of " + files
		}
		line = cmp.Or(s.Findings(), "no findings") + " in " + files + " (" + english.Plural(s.Records, "record", "") + ")"
		if s.Failed > 0 {
			line += "; " + english.Plural(s.Failed, "file", "") + " not fully checked"
		}
	}
	if s.Suppressed > 0 {
		line += "; " + english.Plural(s.Suppressed, "finding", "") + " suppressed by the baseline"
	}
	if s.Hidden > 0 {
		line += "; " + english.Plural(s.Hidden, "finding", "") + " not shown"
	}
	if s.Skipped > 0 {
		line += "; " + english.Plural(s.Skipped, "file", "") + " skipped: unknown protocol"
	}
	return line
}

// Fixes returns how many findings the program fixes at most, as in "up to 2 fixable
// with lmclint fix, 1 more with lmclint fix --unsafe", or "" if it fixes none. Whether
// a fix can be applied may depend on later records and on other fixes.
func (s Summary) Fixes(program string) string {
	safe, more := humanize.Comma(int64(s.Fixable)), humanize.Comma(int64(s.FixableUnsafely))
	switch command := program + " fix"; {
	case s.Fixable > 0 && s.FixableUnsafely > 0:
		return "up to " + safe + " fixable with " + command + ", " + more + " more with " + command + " --unsafe"
	case s.Fixable > 0:
		return "up to " + safe + " fixable with " + command
	case s.FixableUnsafely > 0:
		return "up to " + more + " fixable with " + command + " --unsafe"
	}
	return ""
}

// Findings returns the number of findings of each severity in words, or "".
func (s Summary) Findings() string {
	var parts []string
	for _, count := range []struct {
		n    int
		noun string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if count.n > 0 {
			parts = append(parts, english.Plural(count.n, count.noun, ""))
		}
	}
	return strings.Join(parts, ", ")
}

// moreNotShown says that a report lacks findings, as in "1 more finding is not shown".
func moreNotShown(findings int) string {
	return english.Plural(findings, "more finding is", "more findings are") + " not shown"
}

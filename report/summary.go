package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/lint"
)

// Summary is the counts of a run. The zero value is ready for use. As JSON it is the
// summary of the JSON report.
type Summary struct {
	Files        int    `json:"files"`   // inputs that were checked, or whose check failed
	Failed       int    `json:"-"`       // of Files, those whose check failed or is incomplete
	NotRead      int    `json:"-"`       // of Failed, those that were not checked at all
	Flagged      int    `json:"-"`       // of Files, those with findings
	Skipped      int    `json:"skipped"` // files of unknown protocol found in directories; not in Files
	SkippedFiles Unread `json:"-"`       // the names of these
	Links        Unread `json:"-"`       // symbolic links to files, found in directories and not followed; not in Files
	Records      int    `json:"records"`
	Errors       int    `json:"errors"`
	Warnings     int    `json:"warnings"`
	Notes        int    `json:"notes"`
	Places       int    `json:"places"`           // of the findings
	Suppressed   int    `json:"known,omitempty"`  // findings that the baseline suppressed; not in Errors, Warnings and Notes
	Hidden       int    `json:"hidden,omitempty"` // of Errors, Warnings and Notes, findings that the report does not show

	Fixable         int `json:"fixable,omitempty"`         // findings that have a safe fix
	FixableUnsafely int `json:"fixableUnsafely,omitempty"` // findings that have an unsafe fix

	// Incomplete is whether findings may be missing: the run was interrupted,
	// or the check of an input failed or is incomplete.
	Incomplete bool `json:"incomplete"`

	Trouble bool `json:"-"` // the exit status is 2

	// Of Places, those of errors, warnings and notes.
	ErrorPlaces, WarningPlaces, NotePlaces int `json:"-"`

	Causes []CauseCount `json:"-"` // those in the most files, if there is one in several files

	Coverage *coverage.Table `json:"-"` // what was looked at, for json and html; nil if that was not wanted
}

// CauseCount is how often a cause of findings came in a run.
type CauseCount struct {
	Rule    *lint.Rule
	Message string // of the first finding
	Files   int    // with a finding of it
	Places  int
}

// String returns the cause as one human-readable line, as in "LMC125 null members "format":
// 96 files, 4,210 places".
func (c CauseCount) String() string {
	return c.Rule.ID + " " + visible(c.Message) + ": " + english.Plural(c.Files, "file", "") + ", " + english.Plural(c.Places, "place", "")
}

// Add adds the counts of an input.
func (s *Summary) Add(f File) {
	s.Files++
	s.Records += f.Records
	s.Errors += f.Errors
	s.Warnings += f.Warnings
	s.Notes += f.Notes
	s.ErrorPlaces += f.ErrorPlaces
	s.WarningPlaces += f.WarningPlaces
	s.NotePlaces += f.NotePlaces
	s.Places += f.ErrorPlaces + f.WarningPlaces + f.NotePlaces
	s.Suppressed += f.Suppressed
	s.Fixable += f.Fixable
	s.FixableUnsafely += f.FixableUnsafely
	if f.Findings() > 0 {
		s.Flagged++
	}
	if f.Err != nil {
		s.Failed++
		s.Incomplete = true
		if f.Records == 0 && f.Findings() == 0 {
			s.NotRead++
		}
	}
}

// String returns the summary as one human-readable line, as in "2 errors, 1
// warning in 1 of 3 files (1,204 records)".
func (s Summary) String() string {
	line := "nothing was checked"
	if s.Records > 0 || s.Flagged > 0 || s.Failed != s.Files {
		read := s.Files - s.NotRead
		files := english.Plural(read, "file", "")
		if s.Flagged > 0 && read != 1 {
			files = humanize.Comma(int64(s.Flagged)) + " of " + files
		}
		line = cmp.Or(s.Findings(), "no findings") + " in " + files + " (" + english.Plural(s.Records, "record", "") + ")"
		if n := s.Failed - s.NotRead; n > 0 {
			line += "; " + english.Plural(n, "file", "") + " not fully checked"
		}
		if s.NotRead > 0 {
			line += "; " + english.Plural(s.NotRead, "file", "") + " not read"
		}
	}
	if s.Suppressed > 0 {
		line += "; " + english.Plural(s.Suppressed, "finding", "") + " suppressed by the baseline"
	}
	if s.Hidden > 0 {
		line += "; " + english.Plural(s.Hidden, "finding", "") + " not shown"
	}
	return strings.Join(append([]string{line}, s.unread()...), "; ")
}

// Unread says what was not read, as in "2 files skipped: unknown protocol (a.json, b.txt); 1
// symbolic link not followed (c.jsonl)", or "".
func (s Summary) Unread() string { return strings.Join(s.unread(), "; ") }

func (s Summary) unread() (parts []string) {
	if s.Skipped > 0 {
		parts = append(parts, english.Plural(s.Skipped, "file", "")+" skipped: unknown protocol"+s.SkippedFiles.names())
	}
	if s.Links.Count > 0 {
		parts = append(parts, english.Plural(s.Links.Count, "symbolic link", "")+" not followed"+s.Links.names())
	}
	return parts
}

// Unread is files that were not read: how many, and the names of a few.
type Unread struct {
	Count int
	paths []string // of the first maxUnread
}

// maxUnread is how many files a summary names; of more it names none.
const maxUnread = 9

// Add adds a file.
func (u *Unread) Add(path string) {
	if u.Count++; u.Count <= maxUnread {
		u.paths = append(u.paths, EscapeControls(path))
	}
}

// names returns the names in parentheses, or "" if there are too many.
func (u *Unread) names() string {
	if len(u.paths) == 0 || u.Count > maxUnread {
		return ""
	}
	return " (" + strings.Join(u.paths, ", ") + ")"
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
		n, places int
		noun      string
	}{{s.Errors, s.ErrorPlaces, "error"}, {s.Warnings, s.WarningPlaces, "warning"}, {s.Notes, s.NotePlaces, "note"}} {
		if count.n == 0 {
			continue
		}
		parts = append(parts, WithPlaces(count.n, count.noun, count.places))
	}
	return strings.Join(parts, ", ")
}

// WithPlaces returns a number of findings, and of their places if there are more, as in
// "2 errors (46 places)".
func WithPlaces(n int, noun string, places int) string {
	text := english.Plural(n, noun, "")
	if places > n {
		text += " (" + english.Plural(places, "place", "") + ")"
	}
	return text
}

// moreNotShown says that a report lacks findings, as in "1 more finding is not shown".
func moreNotShown(findings int) string {
	return english.Plural(findings, "more finding is", "more findings are") + " not shown"
}

// maxNumbers is how many lines or records, or ranges of them, a text names of a finding,
// the last one included.
const maxNumbers = 8

// also returns the places of a finding besides its first one, as in "44 more, lines 3, 4, 6,
// 9 to 12, …, 90", or "" if there are none. Where all are on one line, as in a JSON document,
// it names the records.
func also(f *lint.Finding) string {
	if f.Count < 2 || len(f.Places) < 2 {
		return ""
	}
	what, numbers := "line", numbersOf(f, func(s lint.Spot) int { return s.Line })
	if len(numbers) == 0 {
		what, numbers = "record", numbersOf(f, func(s lint.Spot) int { return s.Record })
	}
	more := humanize.Comma(int64(f.Count-1)) + " more"
	if len(numbers) == 0 {
		return more + " in the same " + what
	}
	ranges := rangesOf(numbers)
	kept := len(f.Places) == f.Count // none is missing before the last one
	if len(ranges) > maxNumbers {
		last := ranges[len(ranges)-1]
		ranges = append(ranges[:maxNumbers-1:maxNumbers-1], "…", last[strings.LastIndexByte(last, ' ')+1:])
	} else if last := len(ranges) - 1; !kept && last > 0 {
		ranges = slices.Insert(ranges, last, "…")
	}
	if len(numbers) > 1 {
		what += "s"
	}
	return more + ", " + what + " " + strings.Join(ranges, ", ")
}

// numbersOf returns the different numbers of the places of a finding after the number of
// the first one.
func numbersOf(f *lint.Finding, number func(lint.Spot) int) []int {
	var all []int
	for _, s := range f.Places[1:] {
		if n := number(s); n >= 0 && n != number(f.Places[0]) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rangesOf returns sorted numbers as text, three or more consecutive ones as a range.
func rangesOf(numbers []int) (ranges []string) {
	for i := 0; i < len(numbers); {
		end := i + 1
		for end < len(numbers) && numbers[end] == numbers[end-1]+1 {
			end++
		}
		if end-i < 3 {
			end = i + 1
		}
		text := strconv.Itoa(numbers[i])
		if end > i+1 {
			text += " to " + strconv.Itoa(numbers[end-1])
		}
		ranges = append(ranges, text)
		i = end
	}
	return ranges
}

// again says of a finding that was reported before the end of its input how often its
// cause came, as in "unknown role "bot": 44 more, lines 3 to 46".
func again(f *lint.Finding) string { return f.Message + ": " + also(f) }

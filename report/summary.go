package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Summary counts what a run met. The zero value is ready for use.
type Summary struct {
	Files      int // inputs that were named or found, but for those skipped
	Failed     int // of them, inputs that were not checked to their end
	Flagged    int // of them, inputs with findings
	Skipped    int // files met in directories that are no conversation
	Records    int
	Errors     int
	Warnings   int
	Notes      int
	Suppressed int // findings that a baseline holds; they are not among the above
	Hidden     int // of the findings above, those that are not shown

	// Incomplete says that findings may be missing: the run was interrupted,
	// or an input was not checked to its end.
	Incomplete bool
}

// Add counts an input.
func (s *Summary) Add(f File) {
	s.Files++
	s.Records += f.Records
	s.Errors += f.Errors
	s.Warnings += f.Warnings
	s.Notes += f.Notes
	s.Suppressed += f.Suppressed
	if f.Findings() > 0 {
		s.Flagged++
	}
	if f.Err != nil {
		s.Failed++
		s.Incomplete = true
	}
}

// String is the summary as one line for people, as in "2 errors, 1 warning in
// 1 of 3 files (1,204 records)".
func (s Summary) String() string {
	line := s.checked()
	if s.Suppressed > 0 {
		line += "; " + Quantity(s.Suppressed, "known finding") + " left out"
	}
	if s.Hidden > 0 {
		line += "; " + Quantity(s.Hidden, "finding") + " not shown"
	}
	if s.Skipped > 0 {
		line += "; " + Quantity(s.Skipped, "file") + " skipped, of no known protocol"
	}
	return line
}

func (s Summary) checked() string {
	if s.Records == 0 && s.Flagged == 0 && s.Failed == s.Files {
		return "nothing was checked"
	}
	line := s.findings() + " in " + s.files() + " (" + Quantity(s.Records, "record") + ")"
	if s.Failed > 0 {
		line += "; " + Quantity(s.Failed, "file") + " not checked to the end"
	}
	return line
}

func (s Summary) findings() string {
	var parts []string
	for _, count := range []struct {
		n    int
		noun string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if count.n > 0 {
			parts = append(parts, Quantity(count.n, count.noun))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

func (s Summary) files() string {
	if s.Flagged == 0 || s.Files == 1 {
		return Quantity(s.Files, "file")
	}
	return fmt.Sprintf("%s of %s", thousands(s.Flagged), Quantity(s.Files, "file"))
}

// Quantity writes a number that is not negative with its noun, as in "1,204
// records".
func Quantity(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// thousands writes a number that is not negative with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

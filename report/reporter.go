package report

import (
	"fmt"
	"io"

	"github.com/lmclint/lmclint/lint"
)

// Reporter writes one run. Begin comes first and once, End last and once.
// Between them each input gives its findings and then its File. An error is
// the writer's own; after one, the report is of no use.
type Reporter interface {
	Begin(Run) error
	Finding(lint.Finding) error
	File(File) error
	End(Summary) error
}

// Run says which program a report comes from.
type Run struct {
	Tool    string
	Version string
}

// File is what the run says about an input as a whole.
type File struct {
	lint.Result
	Err error // why the input was not checked to its end, nil if it was
}

// Options say how a report looks. Only text heeds them.
type Options struct {
	Color bool // paint with terminal escapes
	Width int  // columns of the terminal; source lines are cut to fit; 0 means no limit
}

// Format is the name of a report format, as --format takes it.
type Format string

// The report formats.
const (
	FormatText  Format = "text"  // for people, each finding as it is decided
	FormatJSON  Format = "json"  // one sorted document, as report.schema.json describes it
	FormatJSONL Format = "jsonl" // a finding a line as it is decided, and the summary last
)

// Formats lists the report formats, the default first.
func Formats() []Format { return []Format{FormatText, FormatJSON, FormatJSONL} }

// New makes a reporter that writes to w. It fails on an unknown format.
func New(f Format, w io.Writer, o Options) (Reporter, error) {
	switch f {
	case FormatText:
		return newText(w, o), nil
	case FormatJSON:
		return &jsonReport{out: w}, nil
	case FormatJSONL:
		return &jsonLines{out: w}, nil
	}
	return nil, fmt.Errorf("unknown report format %q", f)
}

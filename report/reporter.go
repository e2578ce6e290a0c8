package report

import (
	"cmp"

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

// Run says which program a report comes from, and what it works on. Only Tool
// is needed.
type Run struct {
	Tool    string
	Version string

	// Rules are those that are applied, for reports that describe them.
	Rules []*lint.Rule

	// FailOn is the least severity that makes the run fail, for reports that
	// tell what fails from what does not: junit and tap. Without it every
	// finding does. With a value above SeverityError none does.
	FailOn lint.Severity

	// Root is the directory of the repository, and Dir the one that relative
	// paths start from. Both are absolute. Reports whose readers look files up
	// in the repository name them as seen from its root: sarif, github, gitlab.
	Root, Dir string

	located resolvedPath // what locate said last
}

// File is what the run says about an input as a whole.
type File struct {
	lint.Result
	Err error // why the input was not checked to its end, nil if it was

	// FailOn is Run.FailOn of this file, if it is not zero.
	FailOn lint.Severity
}

// Options say how a report looks. Only text and concise heed them.
type Options struct {
	Color bool // paint with terminal escapes
	Width int  // columns of the terminal; source lines are cut to fit; 0 means no limit
}

// reason says why a file was not checked, or not to its end.
func reason(f *File) string {
	what := "not checked: "
	if f.Records > 0 {
		what = "not checked to the end: "
	}
	return what + cmp.Or(f.Err.Error(), "unknown")
}

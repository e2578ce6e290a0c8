package job

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/lmclint/lmclint/lint"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Piece]())
	beam.RegisterType(reflect.TypeFor[Outcome]())
	beam.RegisterType(reflect.TypeFor[RuleCount]())
	beam.RegisterType(reflect.TypeFor[Base]())
	beam.RegisterType(reflect.TypeFor[Count]())
}

// Piece is what is checked at a time: an input, or the lines that begin in a
// range of its bytes.
type Piece struct {
	Path string
	Size int64 // of the input in bytes, 0 if it is not known
	Lane int   // which copy of the check it goes to, see [Options.Lanes]

	// Start and End are the range of a part. End is 0 for a whole input.
	Start, End int64

	// Head is the size of the first lines of the input, by which its kind is
	// detected: they are read before those of the part, and their findings are
	// not reported again. The counts are theirs.
	Head              int64
	HeadLines         int
	HeadConversations int
	HeadRecords       int
}

// isPart reports whether the piece is a part of an input.
func (p *Piece) isPart() bool { return p.End > 0 }

// key identifies the part that begins at an offset.
func (p *Piece) key(start int64) string { return fmt.Sprintf("%s\x00%d", p.Path, start) }

// Outcome is the result of a piece, or of an input.
type Outcome struct {
	Path     string
	Protocol string
	Kind     string
	Form     string
	Dialect  string

	Bytes      int64 // read, compressed as they may be
	Records    int
	Errors     int
	Warnings   int
	Notes      int
	Suppressed int // findings that the baseline lists
	Fixable    int // findings with a safe fix
	Unsafe     int // and unsafely
	Rules      []RuleCount

	// Failure says why the check failed or is incomplete; "" if it is complete.
	Failure string

	// InTable says that it is a row of a table, which has an outcome, too.
	InTable bool

	// What follows is of a part.
	Start         int64
	Lines         int
	Conversations int
}

// RuleCount is how many findings a rule has, of one severity.
type RuleCount struct {
	Rule, Name, Severity string
	Findings             int
}

// count counts a finding.
func (o *Outcome) count(f *lint.Finding) {
	switch f.Severity {
	case lint.SeverityError:
		o.Errors++
	case lint.SeverityWarning:
		o.Warnings++
	case lint.SeverityNote:
		o.Notes++
	}
	switch {
	case f.Fix == nil:
	case f.Fix.Safe:
		o.Fixable++
	default:
		o.Unsafe++
	}
	o.add(RuleCount{f.Rule.ID, f.Rule.Name, f.Severity.String(), 1})
}

// add adds findings of a rule. A run has few rules with findings.
func (o *Outcome) add(n RuleCount) {
	for i := range o.Rules {
		if c := &o.Rules[i]; c.Rule == n.Rule && c.Severity == n.Severity {
			c.Findings += n.Findings
			return
		}
	}
	o.Rules = append(o.Rules, n)
}

// join adds the outcome of the next part of the input.
func (o *Outcome) join(next *Outcome) {
	o.Bytes += next.Bytes
	o.Records += next.Records
	o.Errors += next.Errors
	o.Warnings += next.Warnings
	o.Notes += next.Notes
	o.Suppressed += next.Suppressed
	o.Fixable += next.Fixable
	o.Unsafe += next.Unsafe
	o.Lines += next.Lines
	o.Conversations += next.Conversations
	for _, n := range next.Rules {
		o.add(n)
	}
	if next.Dialect != "" {
		o.Dialect = next.Dialect
	}
	o.Failure = next.Failure
}

// Base is what precedes a part in its input.
type Base struct {
	Lines, Conversations int
}

// Count is a number that is summed.
type Count struct {
	Key string
	N   int64
}

package job

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/lmclint/lmclint/lint"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Input]())
	beam.RegisterType(reflect.TypeFor[Outcome]())
	beam.RegisterType(reflect.TypeFor[RuleCount]())
	beam.RegisterType(reflect.TypeFor[Count]())
	beam.RegisterFunction(laneOf)
}

// Input is a file that is checked.
type Input struct {
	Path string
	Lane int // which copy of the check it goes to, see [Options.Lanes]
}

// laneOf is the lane of an input for beam.Partition.
func laneOf(in Input) int { return in.Lane }

// Outcome is the result of an input, or of a row of a table.
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
	Places     int // of these findings
	Suppressed int // findings that the baseline lists
	Fixable    int // findings with a safe fix
	Unsafe     int // and unsafely
	Rules      []RuleCount

	// Failure says why the check failed or is incomplete; "" if it is complete.
	Failure string

	// InTable says that it is a row of a table, which has an outcome, too.
	InTable bool
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

// Count is a number that is summed.
type Count struct {
	Key string
	N   int64
}

package conformance

import (
	"slices"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Count counts cases.
type Count struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	Known   int `json:"knownFailures,omitempty"`
}

// Run returns how many cases were run.
func (c Count) Run() int { return c.Passed + c.Failed + c.Known }

// Report is the results of a run, for its reports.
type Report struct {
	Suite    string          `json:"suite"` // its version
	Kind     Kind            `json:"kind"`
	Command  string          `json:"command"`
	Profiles []suite.Profile `json:"profiles"`
	Level    suite.Level     `json:"level"`
	Results  []Result        `json:"-"` // in order of their ids

	requirements []suite.Requirement
}

// NewReport returns the report of results.
func (r *Runner) NewReport(command string, results []Result) *Report {
	return &Report{
		Suite: r.Manifest.Version, Kind: r.Kind, Command: command, Profiles: r.Profiles, Level: r.Level, Results: results,
		requirements: r.Manifest.Requirements,
	}
}

// Total counts the cases by their outcome.
func (r *Report) Total() Count {
	var n Count
	for i := range r.Results {
		n.add(r.Results[i].Outcome)
	}
	return n
}

func (c *Count) add(o Outcome) {
	switch o {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Skipped:
		c.Skipped++
	case KnownFailure:
		c.Known++
	}
}

// At counts the cases that are about a level: that have findings of it, or that
// are of that level themselves. Only what they failed at that level counts,
// at level one also what they failed at level must.
func (r *Report) At(l suite.Level) Count {
	var n Count
	for i := range r.Results {
		result := &r.Results[i]
		switch outcome := result.Outcome; {
		case !r.isAbout(result.Case, l):
		case outcome == Failed && len(result.Failed) > 0 && !slices.Contains(result.Failed, l) && (l != suite.One || result.Failed[0] != suite.Must):
			n.add(Passed)
		default:
			n.add(outcome)
		}
	}
	return n
}

func (r *Report) isAbout(c *suite.Case, l suite.Level) bool {
	if r.Kind != Checker {
		return l == suite.Must
	}
	if l == suite.One {
		l = suite.Must
	}
	return c.Level == l || slices.ContainsFunc(c.Findings, func(f suite.Finding) bool { return f.Level == l })
}

// levels returns the levels of the run.
func (r *Report) levels() []suite.Level {
	return slices.DeleteFunc(suite.Levels(), func(l suite.Level) bool {
		return !r.Level.Includes(l) || r.Kind != Checker && l != suite.Must
	})
}

// RequirementCount is the results of the cases that show a requirement.
type RequirementCount struct {
	ID    string      `json:"id"`
	Level suite.Level `json:"level"`
	Title string      `json:"title"`
	Count
}

// ByRequirement counts the cases of each requirement that has any.
func (r *Report) ByRequirement() []RequirementCount {
	counts := map[string]*Count{}
	for i := range r.Results {
		result := &r.Results[i]
		for _, id := range result.Requirements {
			if counts[id] == nil {
				counts[id] = new(Count)
			}
			switch {
			case result.Outcome != Failed:
				counts[id].add(result.Outcome)
			case slices.Contains(result.Unmet, id):
				counts[id].Failed++
			default:
				counts[id].Passed++
			}
		}
	}
	list := []RequirementCount{}
	for _, q := range r.requirements {
		if n := counts[q.ID]; n != nil {
			list = append(list, RequirementCount{q.ID, q.Level, q.Title, *n})
		}
	}
	return list
}

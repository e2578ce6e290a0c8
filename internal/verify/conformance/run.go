// Package conformance runs the conformance suite against other programs: checkers
// that find mistakes, consumers that make a transcript of a stream, and producers
// that make a stream of a transcript. A program is a command that reads standard
// input and writes standard output.
package conformance

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Kind is what a subject does.
type Kind string

// The kinds of subjects.
const (
	Checker  Kind = "checker"  // gets an input, answers with findings
	Consumer Kind = "consumer" // gets a stream, answers with the transcript
	Producer Kind = "producer" // gets a transcript, answers with a stream
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Checker, Consumer, Producer} }

// Runner runs the cases of a suite against a subject.
type Runner struct {
	Manifest  *suite.Manifest
	Files     fs.FS  // of the suite; paths are those of the manifest
	Root      string // the directory of the suite, for paths that a subject gets
	Kind      Kind
	Subject   Subject
	Reference Reference // for consumers and producers
	Jobs      int       // subjects that run at a time, at least 1

	Profiles []suite.Profile // only the cases of these
	Level    suite.Level     // findings of this level and stronger ones are compared
	Strict   bool            // compare columns, pointers and severities of findings, too
	IDs      []string        // only the cases with an id that matches one of these globs; all if empty
	Features []string        // only the cases that need none but these; any if nil
	Without  []string        // not the cases that need one of these
	Expected []string        // ids of the cases that are known to fail
	FailFast bool            // start no case after one that failed
}

// Outcome is how a case ended.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"

	// KnownFailure is that of a case which failed, and is known to.
	KnownFailure Outcome = "known failure"
)

// Result is the result of one case.
type Result struct {
	Case    *suite.Case   `json:"-"`
	ID      string        `json:"id"`
	Outcome Outcome       `json:"outcome"`
	Note    string        `json:"note,omitempty"`         // of the case
	Failed  []suite.Level `json:"failedLevels,omitempty"` // levels at which it failed, the strongest first
	Reasons []string      `json:"reasons,omitempty"`      // why it failed or was skipped
	Lesson  string        `json:"-"`                      // the same at length, in lines, for people

	// Requirements that the case showed: its own for a checker, those of consumers
	// or producers for these. The ones that the subject does not meet are Unmet.
	Requirements []string `json:"-"`
	Unmet        []string `json:"requirements,omitempty"`

	Stderr string `json:"stderr,omitempty"` // of a subject that failed, its end
}

// Plan returns the cases of the suite that are for the kind of subject, in order
// of their ids; those that are not to be run are skipped. Cases for other kinds
// of subjects and of weaker levels are not in it. It fails if a glob of IDs
// matches no case, if one of Expected is not in the suite, or if the plan is empty.
func (r *Runner) Plan() ([]Result, error) {
	var plan []Result
	used := map[string]bool{}
	cases := map[string]bool{}
	for i := range r.Manifest.Cases {
		c := &r.Manifest.Cases[i]
		cases[c.ID] = true
		wanted := len(r.IDs) == 0
		for _, glob := range r.IDs {
			ok, err := doublestar.Match(glob, c.ID)
			if err != nil {
				return nil, fmt.Errorf("invalid glob %q: %w", glob, err)
			}
			if ok {
				used[glob], wanted = true, true
			}
		}
		if !wanted || !slices.Contains(r.Profiles, c.Profile) || !r.fits(c) {
			continue
		}
		result := Result{Case: c, ID: c.ID, Note: c.Note}
		if reason := r.lacks(c); reason != "" {
			result.Outcome, result.Reasons = Skipped, []string{reason}
			if r.Kind == Checker {
				result.Requirements = c.Requirements
			}
		}
		plan = append(plan, result)
	}
	for _, id := range r.Expected {
		if !cases[id] {
			return nil, fmt.Errorf("%q is expected to fail, and is not in the suite: remove it", id)
		}
	}
	for _, glob := range r.IDs {
		if !used[glob] {
			return nil, fmt.Errorf("no case of the suite has an id that matches %q", glob)
		}
	}
	if len(plan) == 0 {
		return nil, fmt.Errorf("no case matches: no case for a %s at level %s in the profile %s", r.Kind, r.Level, joinProfiles(r.Profiles))
	}
	return plan, nil
}

// fits reports whether a case is for this kind of subject and level: for a consumer a
// stream in JSON Lines, for a producer a transcript in one array that is not broken.
func (r *Runner) fits(c *suite.Case) bool {
	d := c.Detected
	switch isLMC := c.JSON == "" && !c.Foreign && d.Protocol == "lmc" && !isCompressed(c); r.Kind {
	case Consumer:
		return isLMC && d.Kind == "stream" && d.Form == "jsonl" && c.Options.Against == ""
	case Producer:
		return isLMC && d.Kind == "transcript" && d.Form == "json" && isHealthy(c)
	}
	return r.Level.Includes(c.Level)
}

// lacks returns which feature of a case the subject does not have, "" if it has
// all.
func (r *Runner) lacks(c *suite.Case) string {
	for _, f := range c.Features {
		isNamed := func(word string) bool { return word == f || strings.HasPrefix(f, word+":") } // form is all forms
		if slices.ContainsFunc(r.Without, isNamed) || r.Features != nil && !slices.ContainsFunc(r.Features, isNamed) {
			return "needs " + f
		}
	}
	return ""
}

// Run runs the planned cases that are not skipped, several at a time, and sets
// their results. It stops at the first error: of the file system, of a command
// that does not start, or of ctx.
func (r *Runner) Run(ctx context.Context, plan []Result) error {
	judge := newCheckerJudge(r.Manifest, r.Strict)
	var failed atomic.Bool
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Jobs))
	for i := range plan {
		if plan[i].Outcome != "" {
			continue
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if r.FailFast && failed.Load() {
				plan[i].Outcome, plan[i].Reasons = Skipped, []string{"another case failed before"}
				return nil
			}
			if err := r.runCase(ctx, judge, &plan[i]); err != nil {
				return fmt.Errorf("case %s: %w", plan[i].Case.ID, err)
			}
			if plan[i].Outcome == Failed {
				failed.Store(true)
			}
			return nil
		})
	}
	return group.Wait()
}

// runCase runs the subject with one case and sets the result.
func (r *Runner) runCase(ctx context.Context, judge *checkerJudge, result *Result) error {
	c := result.Case
	data, err := fs.ReadFile(r.Files, c.File)
	if err != nil {
		return err
	}
	var want []message
	switch r.Kind {
	case Consumer:
		records, err := r.Reference.Records(ctx, data)
		if err != nil {
			return err
		}
		c, data = oneRecordPerLine(c, data, records)
	case Producer:
		var unfit string
		if want, unfit = streamed(data); unfit != "" {
			result.Outcome, result.Reasons = Skipped, []string{unfit}
			return nil
		}
	}
	a, err := r.Subject.run(ctx, r.input(c, data))
	if err != nil {
		return err
	}
	var v verdict
	switch r.Kind {
	case Consumer:
		v, err = judgeConsumer(ctx, r.Reference, c, data, a)
	case Producer:
		v, err = r.judgeProducer(ctx, c, want, a)
	default:
		v = judge.answered(c, a)
	}
	if err != nil {
		return err
	}
	mistakes := r.conclude(result, v)
	if result.Outcome == Failed || result.Outcome == KnownFailure {
		result.Stderr = a.stderr
		result.Lesson = teach(judge.requirements, c, data, mistakes, v.came)
	}
	return nil
}

// conclude sets the outcome of a case, and returns what it failed at. What it
// failed at a weaker level than that of the run does not count.
func (r *Runner) conclude(result *Result, v verdict) []mistake {
	result.Outcome = Passed
	result.Failed = nil
	var mistakes []mistake
	for _, l := range suite.Levels() {
		if len(v.mistakes[l]) == 0 || !r.Level.Includes(l) {
			continue
		}
		result.Outcome = Failed
		result.Failed = append(result.Failed, l)
		mistakes = append(mistakes, v.mistakes[l]...)
	}
	if slices.Contains(r.Expected, result.Case.ID) {
		switch result.Outcome {
		case Failed:
			result.Outcome = KnownFailure
		case Passed:
			result.Outcome = Failed
			mistakes = []mistake{{text: noLongerFails}}
		}
	}
	for _, m := range mistakes {
		result.Reasons = append(result.Reasons, m.text)
		result.Unmet = append(result.Unmet, m.requirements...)
	}
	slices.Sort(result.Unmet)
	result.Requirements, result.Unmet = v.shown, slices.Compact(result.Unmet)
	if r.Kind == Checker {
		result.Requirements = result.Case.Requirements
	}
	if result.Outcome == Failed && len(result.Unmet) == 0 {
		result.Unmet = result.Requirements
	}
	return mistakes
}

// noLongerFails is why a case fails that is known to fail, and passes.
const noLongerFails = "no longer fails: remove it from the expected failures"

// input returns what the subject gets for a case. A checker gets the options of the
// case, and detects what they do not set; consumers and producers get the protocol,
// kind, form and dialect of the input.
func (r *Runner) input(c *suite.Case, data []byte) input {
	o := c.Options
	if r.Kind != Checker {
		o.Protocol, o.Kind, o.Form, o.Dialect = c.Detected.Protocol, c.Detected.Kind, c.Detected.Form, c.Detected.Dialect
	}
	against := ""
	if c.Against() != "" {
		against = filepath.Join(r.Root, filepath.FromSlash(c.Against()))
	}
	in := input{data: data, variables: []variable{{"CASE", c.ID}, {"FILE", filepath.Join(r.Root, filepath.FromSlash(c.File))}}}
	switches := map[bool]string{true: "1"}
	for _, option := range []struct {
		name, value string
		hasValue    bool // its flag
	}{
		{"PROTOCOL", o.Protocol, true},
		{"DIALECT", o.Dialect, true},
		{"KIND", o.Kind, true},
		{"FORM", o.Form, true},
		{"AGAINST", against, true},
		{"AUTO_RUN", switches[o.AutoRun], false},
		{"ALLOW_EMPTY", switches[o.AllowEmpty], false},
		{"PARTIAL", switches[o.Partial], false},
	} {
		in.variables = append(in.variables, variable{option.name, option.value})
		if option.value == "" {
			continue
		}
		in.flags = append(in.flags, "--"+strings.ReplaceAll(strings.ToLower(option.name), "_", "-"))
		if option.hasValue {
			in.flags = append(in.flags, option.value)
		}
	}
	return in
}

// Package lint is the engine: it reads an input, lets a protocol follow its
// records, and lets rules answer what happens.
//
// A [Rule] is data: its texts, its examples and the hooks that it hangs on
// events. A [Protocol] turns records into events. A [Linter] holds both
// together; it knows no rule, protocol or report by name.
//
//	linter, err := lint.New(rules.All())
//	…
//	for finding, err := range linter.Lint(ctx, "stream.jsonl", reader) {
//		…
//	}
package lint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// Linter checks inputs against a set of rules. It is safe for concurrent use.
type Linter struct {
	rules     []*Rule
	protocols []Protocol                                // of the rules, in their order
	factories map[plugin.Protocol]plugin.SessionFactory // of the candidates; not changed after New
	tables    dispatchTables                            // made when the first conversation of their kind needs them
	config    Config
	source    source.Options
	selection *Selection
	processor func(path string) Processor

	noSkimming   bool
	fingerprints bool
	judged       func(records int)
	runs         sync.Pool // of *run
}

// Option changes how a Linter works.
type Option func(*Linter)

// WithConfig says what the user knows about the inputs.
func WithConfig(c Config) Option { return func(l *Linter) { l.config = c } }

// WithSource says how inputs are read.
func WithSource(o source.Options) Option { return func(l *Linter) { l.source = o } }

// WithSelection says which rules count, and how much. Rules that are off are
// not run, but for those that were ignored: they are, until they find
// something, for Result.Ignored.
func WithSelection(s *Selection) Option { return func(l *Linter) { l.selection = s } }

// WithProcessor has a function called for each input, and what it returns for
// each finding of that input, before the finding is counted. What it returns
// may be nil.
func WithProcessor(of func(path string) Processor) Option {
	return func(l *Linter) { l.processor = of }
}

// Processor looks at a finding before it is counted. It may change it, and
// reports whether to keep it. One processor serves one input, in order.
type Processor func(*Finding) (keep bool)

// WithoutSkimming has every record read and judged as if it were the first of
// its kind, with nothing left of what came before. The findings are the same, and come more slowly: it is there to
// show that.
func WithoutFastPath() Option { return func(l *Linter) { l.noSkimming = true } }

// WithFingerprints has each finding come with its fingerprint, for those who
// compare runs.
func WithFingerprints() Option { return func(l *Linter) { l.fingerprints = true } }

// WithJudged has a function called with how many records were judged since its
// last call, now and then while an input is read. Checks that run side by side
// call it side by side.
func WithProgress(judged func(records int)) Option { return func(l *Linter) { l.judged = judged } }

// New returns a linter of rules, which it does not change. It fails if no rule
// has a protocol, or if an option is wrong: an unknown protocol, form, kind or
// dialect, or a negative limit.
func New(rules []*Rule, options ...Option) (*Linter, error) {
	l := &Linter{rules: rules}
	for _, r := range rules {
		if r.Protocol != nil && !slices.Contains(l.protocols, r.Protocol) {
			l.protocols = append(l.protocols, r.Protocol)
		}
	}
	for _, option := range options {
		option(l)
	}
	l.config.FormNamed = l.source.Form != source.FormAuto
	if l.source.IsRecord == nil {
		l.source.IsRecord = l.owned
	}
	if err := l.checkSource(); err != nil {
		return nil, err
	}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	return l, nil
}

// checkSource fails on an unknown form and on a negative limit.
func (l *Linter) checkSource() error {
	o := &l.source
	if o.Form != source.FormAuto && !slices.Contains(source.Forms(), o.Form) {
		return fmt.Errorf("unknown form %q", o.Form)
	}
	if o.MaxRecordBytes < 0 || o.MaxDepth < 0 || o.MaxUnpackedBytes < 0 {
		return errors.New("a limit is negative, expected 0 for the default or more")
	}
	return nil
}

// prepare has each protocol that an input may belong to prepare for the
// configuration.
func (l *Linter) prepare() error {
	candidates := l.candidates()
	switch {
	case len(l.protocols) == 0:
		return errors.New("no rule has a protocol")
	case len(candidates) == 0:
		return fmt.Errorf("unknown protocol %q", l.config.Protocol)
	}
	l.factories = map[plugin.Protocol]plugin.SessionFactory{}
	for _, p := range candidates {
		factory, err := p.Prepare(l.config)
		if err != nil {
			return err
		}
		l.factories[p] = factory
	}
	return nil
}

// owned reports whether an object among other text is a record of a protocol.
func (l *Linter) owned(r *source.Record) bool {
	return slices.ContainsFunc(l.protocols, func(p Protocol) bool {
		owner, ok := p.(RecordMatcher)
		return ok && owner.IsRecord(r)
	})
}

// Lint reads an input to its end and yields each finding as soon as its record
// is judged. Name is how findings call the input. An error ends the sequence:
// the reader's own, the context's, an [*UnknownInputError] or a [*PanicError].
func (l *Linter) Lint(ctx context.Context, name string, r io.Reader) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		_, err := l.Run(ctx, name, r, func(f Finding) error {
			if !yield(f, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(Finding{}, err)
		}
	}
}

// Run is Lint with a result: it calls emit for each finding and says at the
// end what it read. An error of emit ends the run and is returned as it is.
// The result is good up to where an error stopped the run.
func (l *Linter) Run(ctx context.Context, name string, r io.Reader, emit func(Finding) error) (Result, error) {
	run, ok := l.runs.Get().(*run)
	if !ok {
		run = newRun(l)
	}
	run.begin(ctx, name, r, emit)
	err := run.all()
	return run.end(err), err
}

// Result is what a run says about its input as a whole.
type Result struct {
	Path     string
	Protocol string
	Kind     string // transcript, stream or session
	Form     source.Form
	Dialect  string // the one in force at the end
	Records  int    // readable or not

	Errors, Warnings, Notes int // findings

	Ignored    []*Rule // those of the rules that were ignored that found something
	Suppressed int     // findings that the processor did not keep
}

// count adds a finding to the result's counts.
func (r *Result) count(s Severity) {
	switch s {
	case SeverityError:
		r.Errors++
	case SeverityWarning:
		r.Warnings++
	case SeverityNote:
		r.Notes++
	}
}

// Findings returns how many findings there were in all.
func (r *Result) Findings() int { return r.Errors + r.Warnings + r.Notes }

// UnknownInputError says that an input is of no protocol that the rules know.
type UnknownInputError struct {
	Looks string // what it looks like, as in "OpenAI chat messages"
}

// Error implements the interface error.
func (e *UnknownInputError) Error() string {
	return "not a conversation that lmclint knows: " + e.Looks
}

// PanicError is a panic in a rule or a protocol, caught so that the findings
// before it are not lost.
type PanicError struct {
	Rule  string // the rule's id; "" if no rule was at work
	Value any    // what was passed to panic
	Stack []byte
}

// Error implements the interface error.
func (e *PanicError) Error() string {
	if e.Rule == "" {
		return fmt.Sprintf("internal error: %v", e.Value)
	}
	return fmt.Sprintf("internal error in rule %s: %v", e.Rule, e.Value)
}

// errStopped is how a consumer that breaks off ends a run.
var errStopped = errors.New("stopped by the consumer")

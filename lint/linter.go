package lint

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync"

	"github.com/lmclint/lmclint/source"
)

// Linter checks inputs against a set of rules. It is safe for concurrent use.
type Linter struct {
	rules     []*Rule
	protocols []Protocol                          // of the rules, in their order
	openers   map[Protocol]func() (Opener, error) // made when the first input needs them
	config    Config
	source    source.Options

	noSkimming   bool
	fingerprints bool
	judged       func(records int)
	readers      sync.Pool // of *source.Reader
}

// Option changes how a Linter works.
type Option func(*Linter)

// WithConfig says what the user knows about the inputs.
func WithConfig(c Config) Option { return func(l *Linter) { l.config = c } }

// WithSource says how inputs are read.
func WithSource(o source.Options) Option { return func(l *Linter) { l.source = o } }

// WithoutSkimming has every record read and judged as if it were the first of
// its kind. The findings are the same, and come more slowly: it is there to
// show that.
func WithoutSkimming() Option { return func(l *Linter) { l.noSkimming = true } }

// WithFingerprints has each finding come with its fingerprint, for those who
// compare runs.
func WithFingerprints() Option { return func(l *Linter) { l.fingerprints = true } }

// WithJudged has a function called with how many records were judged since its
// last call, now and then while an input is read. Checks that run side by side
// call it side by side.
func WithJudged(judged func(records int)) Option { return func(l *Linter) { l.judged = judged } }

// New makes a linter of rules, which it does not change.
func New(rules []*Rule, options ...Option) *Linter {
	l := &Linter{rules: rules}
	for _, option := range options {
		option(l)
	}
	l.config.FormNamed = l.source.Form != source.FormAuto
	l.openers = map[Protocol]func() (Opener, error){}
	for _, r := range rules {
		if l.openers[r.Protocol] == nil {
			l.protocols = append(l.protocols, r.Protocol)
			l.openers[r.Protocol] = sync.OnceValues(func() (Opener, error) { return r.Protocol.Prepare(l.config) })
		}
	}
	return l
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
	run := &run{linter: l, ctx: ctx, emit: emit, result: Result{Path: name}, reader: l.reader(r)}
	err := run.all()
	run.result.Form = run.reader.Form()
	run.reader.Reset(nil) // let go of the input
	l.readers.Put(run.reader)
	return run.result, err
}

// reader returns a reader of earlier runs, if there is one that nobody uses.
func (l *Linter) reader(src io.Reader) *source.Reader {
	r, ok := l.readers.Get().(*source.Reader)
	if !ok {
		return source.NewReader(src, l.source)
	}
	r.Reset(src)
	return r
}

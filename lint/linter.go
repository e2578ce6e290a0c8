// Package lint is the engine: it reads an input, a protocol turns its records
// into events, and rules turn the events into findings.
//
// A program that embeds the linter needs [New], the options, [Linter.Lint] and
// [Finding]; package rules has the rules, package config the configuration
// files, package report the reports.
//
//	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter"}))
//	if err != nil {
//		return err
//	}
//	for finding, err := range linter.Lint(ctx, "stream.jsonl", reader) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(finding.Place.Span.Start.Line, finding.Rule.ID, finding.Message)
//	}
//
// A [Rule] is data: its texts, its examples, and the hooks that receive events.
// The engine knows no rule, protocol or report by name.
package lint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// Linter checks inputs with a set of rules. It is safe for concurrent use.
type Linter struct {
	rules      []*Rule
	protocols  []plugin.Protocol                     // of the rules, in their order
	candidates []plugin.Protocol                     // of these, that an input may be of: all, or the one that the user named
	sessions   map[plugin.Protocol]plugin.NewSession // of the candidates; not changed after New
	tables     sync.Map                              // of conversationKind to *dispatchTable, each made for the first conversation of its kind
	config     plugin.Config                         // for the protocols
	source     source.Options                        // for the reader
	selection  *Selection

	baseline     *Baseline
	baselinePath func(name string) string
	each         bool // of WithEach
	progress     func(records int)
	observe      func(name string) plugin.Observer // nil: no observer
	runs         sync.Pool                         // of *run: without it small inputs take 2.5 times as long, for their buffers
}

// Config is what is known about the inputs. The zero value detects everything. It is a
// struct:
//
//	Protocol string // "lmc" or "workbench"; "" detects
//	Dialect  string // of LMC, as in "interpreter"; "" and "auto" detect
//	Kind     string // "transcript", "stream" or "session"; "" detects
//	Form     string // "json", "jsonl", "sse" and so on; "" detects
//	After    string // text before each record on its line, if the form is "text"
//
//	AutoRun    bool // the recording has no confirmations
//	AllowEmpty bool // accept inputs without records
//	Partial    bool // do not report missing messages
//
//	MaxRecordBytes   int64 // of one record; 0 for the default, as of the other limits
//	MaxUnpackedBytes int64 // of a compressed input that expands too much
//	MaxDepth         int   // levels of arrays and objects
//
//	Tentative  bool // Protocol, Kind and Dialect apply to inputs of that protocol only
//	Discovered bool // the inputs were found in a directory and not named
//	Immediate  bool // a program waits for the findings of each record
//	Live       bool // the input is the log of an open connection; implies Immediate
//	Coverage   bool // collect what occurs in the inputs, in Result.Coverage
//	Vocabulary any  // custom terms: a *schema.Dialects, or nil
//	Against    any  // the conversation that streams are compared with, or nil
type Config = plugin.Settings

// Option configures a Linter.
type Option func(*Linter)

// WithConfig sets what is known about the inputs.
func WithConfig(c Config) Option { return func(l *Linter) { l.config.Settings = c } }

// WithSelection sets which rules are on, and their severities. Without it every
// rule is on.
func WithSelection(s *Selection) Option { return func(l *Linter) { l.selection = s } }

// WithBaseline suppresses the findings that are listed in a baseline. Path
// returns the path by which the baseline lists an input; nil means the name of
// the input.
func WithBaseline(b *Baseline, path func(name string) string) Option {
	return func(l *Linter) { l.baseline, l.baselinePath = b, path }
}

// WithoutFastPath parses every record. The findings are the same, and need more
// time.
func WithoutFastPath() Option { return func(l *Linter) { l.config.NoFastPath = true } }

// WithFixes makes all fixes complete, for a program that applies them: those that change
// later records have the edits of these. Findings with fixes are emitted when their
// conversation ends. It implies WithEach and WithoutFastPath, and sets [Result.Spans].
func WithFixes() Option { return func(l *Linter) { l.config.Fixing, l.config.NoFastPath = true, true } }

// WithEach makes each place of a cause a finding of its own, for a program that acts on
// each record.
func WithEach() Option { return func(l *Linter) { l.each = true } }

// WithProgress calls a function with the number of records that were checked
// since its last call, at least once per window of input. The function must be
// safe for concurrent use if inputs are checked in parallel.
func WithProgress(checked func(records int)) Option {
	return func(l *Linter) { l.progress = checked }
}

// WithObserver calls a function at the start of each input. What it returns
// receives the records and events of the input, and is in [Result.Observer]; nil
// observes nothing. The function must be safe for concurrent use if inputs are
// checked in parallel. Every record is parsed then, as with [WithoutFastPath];
// the findings are the same. The interface is that of the packages of this
// module.
func WithObserver(observe func(name string) plugin.Observer) Option {
	return func(l *Linter) { l.observe = observe }
}

// New returns a linter with rules, which it does not change. It returns an error
// if no rule has a protocol, or if an option is wrong: an unknown protocol,
// form, kind or dialect, or a negative limit.
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
	c, form := &l.config.Settings, source.Form(l.config.Form)
	if form != source.FormAuto && !slices.Contains(source.Forms(), form) {
		return nil, fmt.Errorf("unknown form %q, expected one of %q", c.Form, source.Forms())
	}
	if lowest := min(c.MaxRecordBytes, c.MaxUnpackedBytes, int64(c.MaxDepth)); lowest < 0 {
		return nil, fmt.Errorf("limit %d is negative, expected 0 for the default or more", lowest)
	}
	if c.Kind != "" && plugin.InputsOf(c.Kind) == 0 {
		return nil, fmt.Errorf("unknown kind of input %q", c.Kind)
	}
	c.Immediate = c.Immediate || c.Live
	l.source = source.Options{
		Form: form, MaxRecordBytes: c.MaxRecordBytes, MaxDepth: c.MaxDepth, MaxUnpackedBytes: c.MaxUnpackedBytes,
		Detect: func(object *source.Node) (m source.Meaning) { // the strongest one
			for _, p := range l.protocols {
				m = max(m, p.MeaningOf(object))
			}
			return m
		},
		After: c.After, AnyName: c.Explicit(), Live: c.Live, EachSeparator: l.config.Fixing,
	}
	l.config.NoFastPath = l.config.NoFastPath || l.observe != nil || c.Coverage
	if l.candidates = l.protocols; c.Protocol != "" {
		l.candidates = slices.DeleteFunc(slices.Clone(l.protocols), func(p plugin.Protocol) bool { return p.Name() != c.Protocol })
	}
	switch {
	case len(l.protocols) == 0:
		return nil, errors.New("no rule has a protocol")
	case len(l.candidates) == 0:
		var names []string
		for _, p := range l.protocols {
			names = append(names, p.Name())
		}
		return nil, fmt.Errorf("unknown protocol %q, expected one of %q", c.Protocol, names)
	}
	l.sessions = map[plugin.Protocol]plugin.NewSession{}
	for _, p := range l.candidates {
		newSession, err := p.Prepare(l.config)
		if err != nil {
			return nil, err
		}
		l.sessions[p] = newSession
	}
	return l, nil
}

// Lint reads an input to its end and yields each finding as soon as its record
// is checked, a cause that comes again only once. Name is the path of the input in findings. An error is the last
// value of the sequence: that of the reader or the context, an
// [*UnknownInputError] or a [*PanicError].
//
// When the context ends, Lint returns before the next record, but it cannot interrupt a
// Read that blocks: end that as well, as by closing the connection or the file.
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

// errStopped ends a run whose consumer stopped reading.
var errStopped = errors.New("stopped by the consumer")

// Run is [Linter.Lint] with a result. It calls emit for each finding; an error
// of emit ends the run and is returned unchanged. The result is also valid with
// an error, for the part of the input before it.
func (l *Linter) Run(ctx context.Context, name string, r io.Reader, emit func(Finding) error) (Result, error) {
	check, ok := l.runs.Get().(*run)
	if !ok {
		check = &run{linter: l, reader: text.NewReader(nil, l.source)}
	}
	check.begin(ctx, name, r, emit)
	err := check.all()
	return check.end(err), err
}

// Result is the result of a run on one input.
type Result struct {
	Path     string // the name of the input
	Protocol string // as in Config; "" if it was not detected
	Kind     string // as in Config
	Form     string // as in Config
	Dialect  string // in effect at the end
	Records  int    // records that were read, invalid ones included
	Empty    bool   // it has no records, and is not an empty list of messages

	// RulesRun are the rules that were run: those that apply to it and are on. RulesOff are
	// those that apply to it and are off.
	RulesRun, RulesOff []*Rule

	Interrupted bool // it ends with the note that the recording of a connection was interrupted

	// Conversations is the number of whole conversations in JSON Lines of them, 0
	// if the records of the input are one conversation.
	Conversations int

	Errors, Warnings, Notes                int // findings of each severity
	ErrorPlaces, WarningPlaces, NotePlaces int // and their places: the sum of what Count is of them

	// Repeated are the findings whose cause came more than once, with Count and Places, in
	// the order in which they were emitted.
	Repeated []Finding

	Fixable         int // findings that have a safe fix
	FixableUnsafely int // findings that have an unsafe fix

	Spans []RecordSpan // of the records, in the order in which they were read; only WithFixes

	Suppressed int // findings that the baseline suppressed

	// Closing are records, as JSON, that end the stream well for a consumer of the
	// records before the one with the last finding, at which emit stopped the run. It
	// needs Config.Immediate.
	Closing []string

	Observer plugin.Observer // of WithObserver, else nil

	Coverage *plugin.Coverage // what occurred, if Config.Coverage is set
}

// RecordSpan is where a record is in the decompressed input, by offsets.
type RecordSpan struct {
	Start, End int64
	Unreadable bool
}

// Count counts a finding.
func (r *Result) Count(f *Finding) {
	switch {
	case f.Fix == nil:
	case f.Fix.Safe:
		r.Fixable++
	default:
		r.FixableUnsafely++
	}
	switch f.Severity {
	case SeverityError:
		r.Errors++
	case SeverityWarning:
		r.Warnings++
	case SeverityNote:
		r.Notes++
	}
	r.countPlace(f.Severity)
}

// countPlace counts a place of a finding.
func (r *Result) countPlace(s Severity) {
	switch s {
	case SeverityError:
		r.ErrorPlaces++
	case SeverityWarning:
		r.WarningPlaces++
	case SeverityNote:
		r.NotePlaces++
	}
}

// Complete adds what is known at the end of the input to the findings that were emitted
// for it: their number and places. It sorts them by place.
func (r *Result) Complete(findings []Finding) {
	for _, again := range r.Repeated {
		for i := range findings {
			if f := &findings[i]; f.Fingerprint == again.Fingerprint {
				f.Count, f.Places = again.Count, again.Places
			}
		}
	}
	sortFindings(findings)
}

// Findings returns the number of findings.
func (r *Result) Findings() int { return r.Errors + r.Warnings + r.Notes }

// UnknownInputError reports an input that matches no protocol of the rules.
type UnknownInputError struct {
	Looks string // what it looks like, as in "OpenAI chat messages"
	Named bool   // the protocol or a dialect was named, and the input is of another protocol
	Other bool   // it is another thing than a text with records, whatever protocol is named
}

// Error implements the interface error.
func (e *UnknownInputError) Error() string {
	if e.Named {
		return e.Looks
	}
	return "unknown protocol: " + e.Looks
}

// PanicError is a panic in a rule or a protocol. The findings before it were
// emitted.
type PanicError struct {
	Rule  string // id of the rule; "" if no rule was running
	Value any    // argument of panic
	Stack []byte // as of runtime/debug.Stack
}

// Error implements the interface error.
func (e *PanicError) Error() string {
	if e.Rule == "" {
		return fmt.Sprintf("internal error: %v", e.Value)
	}
	return fmt.Sprintf("internal error in rule %s: %v", e.Rule, e.Value)
}

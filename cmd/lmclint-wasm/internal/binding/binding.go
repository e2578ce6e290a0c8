// Package binding is what the WebAssembly build offers to JavaScript: functions
// that take text and options, and answer with JSON. It knows nothing of
// JavaScript, so that its tests run everywhere.
//
// Each answer is an object. One with the key "error" says what was wrong with
// the call, or why an input was not checked to its end.
package binding

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/lint"
)

// Binding is the linters of one program. It is not safe for concurrent use.
type Binding struct {
	tool    jsonreport.Tool
	linters linters
	pushed  map[int]*pushed
	last    int // number of the input that was opened last
}

// pushed is an input that is pushed.
type pushed struct {
	*feed.Feed
	found []*jsonreport.Finding // since the last answer
}

// take returns what was found since the last answer, never nil.
func (p *pushed) take() []*jsonreport.Finding {
	found := p.found
	p.found = []*jsonreport.Finding{}
	return found
}

// New returns the functions of a program of a version.
func New(version string) *Binding {
	return &Binding{tool: jsonreport.Tool{Name: "lmclint", Version: version}, pushed: map[int]*pushed{}}
}

// failure is the answer to a call that failed.
type failure struct {
	Error   string `json:"error"`
	IsUsage bool   `json:"usage,omitempty"` // the arguments are wrong, not the input

	// Report is what was found before the check failed.
	Report *document `json:"report,omitempty"`
}

// document is the JSON report of one input.
type document struct {
	Version  int                   `json:"version"`
	Tool     jsonreport.Tool       `json:"tool"`
	Files    []jsonreport.File     `json:"files"`
	Findings []*jsonreport.Finding `json:"findings"` // sorted by path, offset and rule
	Summary  summary               `json:"summary"`
}

// summary is the summary of the JSON report, of one input.
type summary struct {
	Files      int  `json:"files"`
	Skipped    int  `json:"skipped"`
	Records    int  `json:"records"`
	Errors     int  `json:"errors"`
	Warnings   int  `json:"warnings"`
	Notes      int  `json:"notes"`
	Places     int  `json:"places"`
	Fixable    int  `json:"fixable,omitempty"`
	Unsafe     int  `json:"fixableUnsafely,omitempty"`
	Incomplete bool `json:"incomplete"`
}

// findings is the answer to what adds to an input.
type findings struct {
	Findings []*jsonreport.Finding `json:"findings"`

	// Of the end of an input only.
	File    *jsonreport.File `json:"file,omitempty"`
	Summary *summary         `json:"summary,omitempty"`
	Tool    *jsonreport.Tool `json:"tool,omitempty"`
}

// errEmpty reports an input whose check can say nothing.
var errEmpty = errors.New("the input contains no records")

// noRecords is the rule that reports such an input.
const noRecords = "LMC011"

// Check checks a whole input. Options is the JSON of [Options]. The answer is
// the JSON report.
func (b *Binding) Check(input []byte, options string) []byte {
	o, err := parseOptions(options)
	if err != nil {
		return usage(err)
	}
	linter, err := b.linters.get(o, forReport)
	if err != nil {
		return usage(err)
	}
	d := &document{Version: jsonreport.Version, Tool: b.tool, Findings: []*jsonreport.Finding{}}
	found, result, err := lintAll(linter, o.Path, bytes.NewReader(input))
	for i := range found {
		d.Findings = append(d.Findings, new(jsonreport.NewFinding(&found[i])))
	}
	if err == nil {
		err = o.compared(&result)
	}
	if err == nil && result.Empty && !o.AllowEmpty {
		err = errEmpty
		if len(d.Findings) > 0 && d.Findings[0].Rule != noRecords { // such as that it is UTF-16
			err = errors.New(d.Findings[0].Message)
		}
	}
	slices.SortStableFunc(d.Findings, func(a, b *jsonreport.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Rule, b.Rule))
	})
	d.Files, d.Summary = []jsonreport.File{jsonreport.NewFile(&result, err)}, summaryOf(&result, err)
	if err != nil {
		return encode(failure{Error: err.Error(), Report: d})
	}
	return encode(d)
}

// lintAll checks a whole input and returns its findings, complete.
func lintAll(linter *lint.Linter, path string, input io.Reader) (found []lint.Finding, result lint.Result, err error) {
	result, err = linter.Run(context.Background(), path, input, func(f lint.Finding) error {
		found = append(found, f)
		return nil
	})
	result.Complete(found)
	return found, result, err
}

// Open begins an input that is pushed, and returns its number, which is positive.
// With an error, the answer is not nil.
func (b *Binding) Open(options string) (number int, answer []byte) {
	o, err := parseOptions(options)
	if err != nil {
		return 0, usage(err)
	}
	linter, err := b.linters.get(o.forPushing(), forPushes)
	if err != nil {
		return 0, usage(err)
	}
	in := &pushed{found: []*jsonreport.Finding{}}
	in.Feed = feed.New(context.Background(), linter, o.Path, func(f lint.Finding) error {
		in.found = append(in.found, new(jsonreport.NewFinding(&f)))
		return nil
	}, nil)
	b.last++
	b.pushed[b.last] = in
	return b.last, nil
}

// Push adds lines to an input, which must be whole. The answer is the findings
// that they decide.
func (b *Binding) Push(number int, lines []byte) []byte {
	in, ok := b.pushed[number]
	if !ok {
		return usage(feed.ErrEnded)
	}
	if len(lines) == 0 || lines[len(lines)-1] != '\n' {
		lines = append(lines, '\n')
	}
	if err := in.Push(lines); err != nil {
		return encode(failure{Error: err.Error()})
	}
	return encode(findings{Findings: in.take()})
}

// End ends an input. The answer is the findings that its end decides, and the
// counts of the whole input.
func (b *Binding) End(number int) []byte {
	in, ok := b.pushed[number]
	if !ok {
		return usage(feed.ErrEnded)
	}
	result, err := in.End()
	b.Close(number)
	if err != nil {
		return encode(failure{Error: err.Error()})
	}
	file, summary := jsonreport.NewFile(&result, nil), summaryOf(&result, nil)
	return encode(findings{in.take(), &file, &summary, &b.tool})
}

// Close releases an input that was not ended. It does nothing for one that was.
func (b *Binding) Close(number int) {
	if in, ok := b.pushed[number]; ok {
		_, _ = in.Close()
		delete(b.pushed, number)
	}
}

// Pending is how many inputs were neither ended nor closed.
func (b *Binding) Pending() int { return len(b.pushed) }

func summaryOf(r *lint.Result, err error) summary {
	return summary{
		Files: 1, Records: r.Records, Errors: r.Errors, Warnings: r.Warnings, Notes: r.Notes, Places: r.ErrorPlaces + r.WarningPlaces + r.NotePlaces,
		Fixable: r.Fixable, Unsafe: r.FixableUnsafely, Incomplete: err != nil,
	}
}

func usage(err error) []byte { return encode(failure{Error: err.Error(), IsUsage: true}) }

// encode returns a value as JSON.
func encode(value any) []byte {
	text, err := plainjson.Marshal(value)
	if err != nil { // which no value of this package causes
		panic(fmt.Errorf("encode: %w", err))
	}
	return text
}

package main

import (
	"errors"
	"slices"
	"sync"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// outputs are the reports of a run, as one reporter. It is safe for concurrent
// use.
type outputs struct {
	mu       sync.Mutex // held while a reporter or a buffer is in use
	all      []*output
	panicked *lint.PanicError // the first panic in a reporter, nil if there was none
}

// fingerprinted reports whether one of the reports shows fingerprints.
func fingerprinted(list []target) bool {
	return slices.ContainsFunc(list, func(t target) bool { return t.format.Fingerprinted() })
}

// openOutputs makes the reports that the user asked for.
func (c *Command) openOutputs(o *checkFlags, list []target, line *progress.Line) (*outputs, error) {
	outs := &outputs{}
	for _, each := range list {
		out, err := c.openOutput(o, each, line)
		if err != nil {
			return nil, errors.Join(err, outs.discard())
		}
		outs.all = append(outs.all, out)
	}
	if summary := c.jobSummary(list); summary != nil {
		outs.all = append(outs.all, summary)
	}
	return outs, nil
}

// each does something with each report. One whose reader went away is left
// alone from then on. It fails on any other error, or when no reader is left.
func (o *outputs) each(do func(*output) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	gone := error(syscall.EPIPE)
	for _, out := range o.all {
		if out.gone {
			continue
		}
		var panicked *lint.PanicError
		switch err := out.call(do); {
		case isClosedPipe(err):
			out.gone = true
		case errors.As(err, &panicked):
			gone = nil
			if o.panicked == nil {
				o.panicked = panicked
			}
		case err != nil:
			return out.word(err)
		default:
			gone = nil
		}
	}
	return gone
}

// Begin implements [report.Reporter].
func (o *outputs) Begin(r report.Run) error {
	return o.each(func(out *output) error { return out.reporter.Begin(r) })
}

// Finding implements [report.Reporter].
func (o *outputs) Finding(f lint.Finding) error {
	return o.each(func(out *output) error { return out.reporter.Finding(f) })
}

// File implements [report.Reporter].
func (o *outputs) File(f report.File) error {
	return o.each(func(out *output) error { return out.reporter.File(f) })
}

// End implements [report.Reporter].
func (o *outputs) End(s report.Summary) error {
	return o.each(func(out *output) error { return out.reporter.End(s) })
}

// flush writes what has been reported so far.
func (o *outputs) flush() error {
	return o.each(func(out *output) error { return out.buffer.Flush() })
}

// close makes the reports final.
func (o *outputs) close() error {
	var errs []error
	for _, out := range o.all {
		if err := out.close(); err != nil {
			errs = append(errs, out.word(err))
		}
	}
	return errors.Join(errs...)
}

// fail gives the reports up because of an error, and returns it.
func (o *outputs) fail(err error) error { return errors.Join(err, o.discard()) }

func (o *outputs) discard() error {
	var errs []error
	for _, out := range o.all {
		errs = append(errs, out.discard())
	}
	return errors.Join(errs...)
}

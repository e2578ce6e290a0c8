package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Events about reading, which every protocol's session emits. They have the
// highest bits, so that they are the same beside the events of any protocol.
const (
	ProblemEvent   plugin.Mask = 1 << (63 - iota) // *problem: the reader could not read something
	NoRecordsEvent                                // nil: the input holds no record
)

// problem is what the reader met in a record or between records.
type Problem struct {
	source.Problem
	Record *source.Record
}

// onProblem answers one kind of the reader's problems.
func OnProblem(kind source.ProblemKind, do func(*Problem)) lint.Hook {
	return lint.Hook{On: ProblemEvent, Do: func(event any) {
		if p := event.(*Problem); p.Kind == kind {
			do(p)
		}
	}}
}

// onText answers every content that is a string and beyond doubt, in records of
// some types: of a chunk, with its block, and of a whole message, with none.
func OnText(do func(r *lmc.Record, b *lmc.Block), types ...string) lint.Hook {
	return onTextOf(lmc.Message, do, types)
}

// onAttached is onText for types of attachments.
func OnAttached(do func(r *lmc.Record, b *lmc.Block), types ...string) lint.Hook {
	return onTextOf(lmc.Attachment, do, types)
}

func onTextOf(whole lmc.Kind, do func(r *lmc.Record, b *lmc.Block), types []string) lint.Hook {
	return On(lmc.Content|whole, func(e *lmc.Event) {
		if e.Record != nil && slices.Contains(types, e.Record.Type) && HasText(e) {
			do(e.Record, e.Block)
		}
	})
}

// hasText reports whether an event brings a string that may be judged. What
// should never have been stored in a transcript is not.
func HasText(e *lmc.Event) bool {
	r := e.Record
	switch {
	case r == nil, r.Content == nil, r.Content.Kind != source.String:
		return false
	case r.Invalid&(lmc.InvalidType|lmc.InvalidFormat|lmc.InvalidContent) != 0:
		return false
	}
	return e.Kind == lmc.Content || !NeverStored(r)
}

// holdsImage reports whether a record's content is to be an image in base64.
func HoldsImage(r *lmc.Record) bool {
	return r.Type == "image" && (r.Format == "base64" || strings.HasPrefix(r.Format, "base64."))
}

// onDisagreement answers the disagreements with a stored conversation from one
// reason to another.
func OnDifference(from, to agreement.Reason, do func(*agreement.Difference)) lint.Hook {
	return lint.Hook{On: differenceEvent, Do: func(event any) {
		if d := event.(*agreement.Difference); from <= d.Reason && d.Reason <= to {
			do(d)
		}
	}}
}

// held holds findings back until it is certain that the stream does not come
// from a server, where they are none.
type DeferredFindings struct {
	Pass     *lint.Pass
	findings []lint.Finding
	Stands   func(*State) bool // whether they are findings, now that the dialect is certain
}

// report reports a finding of the dialect in force, at once or as soon as the
// dialect is certain.
func (h *DeferredFindings) Report(f lint.Finding) {
	if StateOf(h.Pass).DialectFixed {
		h.Pass.Report(f)
		return
	}
	h.findings = append(h.findings, f)
}

// release reports what was held back when the dialect is certain.
func (h *DeferredFindings) Release() lint.Hook {
	return lint.Hook{On: dialectFixedEvent, Do: func(any) {
		if h.Stands(StateOf(h.Pass)) {
			for _, f := range h.findings {
				h.Pass.Report(f)
			}
		}
		h.findings = nil
	}}
}

// forget forgets what is held back.
func (h *DeferredFindings) Forget() { h.findings = nil }

package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Events of the sessions of both protocols. They use the highest bits, so that
// they do not clash with the events of a model.
const (
	ProblemEvent   plugin.Mask = 1 << (63 - iota) // *Problem: the reader found a problem in the input
	NoRecordsEvent                                // nil: the input contains no record
	RecordEvent                                   // *source.Record: a record or a gap was read; only if fixes are wanted
)

// on calls do for the events of some kinds, which are of one type.
func on[E any](kinds plugin.Mask, do func(E)) lint.Hook {
	return lint.Hook{On: kinds, Do: func(event any) { do(event.(E)) }}
}

// Problem is a problem that the reader found in a record or between records.
type Problem struct {
	*source.Problem
	Record *source.Record // the record, or the gap between records
}

// On calls do for the events of the given kinds.
func On[E any](kinds lmc.KindOf[E], do func(*E)) lint.Hook { return on(plugin.Mask(kinds), do) }

// OnProblem calls do for the reader's problems of one kind.
func OnProblem(kind source.ProblemKind, do func(*Problem)) lint.Hook {
	return on(ProblemEvent, func(p *Problem) {
		if p.Kind == kind {
			do(p)
		}
	})
}

// OnRecord calls do for each record that is read, if fixes are wanted.
func OnRecord(do func(*source.Record)) lint.Hook {
	return on(RecordEvent, do)
}

// OnText calls do for each valid string content of records of the given types:
// a chunk with its block, or a whole message with a nil block. Kinds are the events of
// these besides [lmc.Content]: [lmc.PlainText], all messages or those with an attachment.
// Plain text of other types is not asked for: a session steps over it faster if no rule
// reads it.
func OnText(kinds lmc.KindOf[lmc.ContentEvent], do func(r *lmc.Record, b *lmc.Block), types ...string) lint.Hook {
	others := lmc.PlainText
	for _, name := range types {
		others &^= lmc.PlainTextOf(name)
	}
	kinds &^= others
	return On(lmc.Content|kinds, func(e *lmc.ContentEvent) {
		if e.Record != nil && slices.Contains(types, e.Record.Type) && HasText(e) {
			do(e.Record, e.Block)
		}
	})
}

// HasText reports whether an event has a string content that is neither
// reported as invalid nor part of a record that a transcript must not contain.
func HasText(e *lmc.ContentEvent) bool {
	r := e.Record
	switch {
	case r == nil, r.Content == nil, r.Content.Kind != source.String:
		return false
	case r.Invalid&(lmc.InvalidType|lmc.InvalidFormat|lmc.InvalidContent) != 0:
		return false
	}
	return e.Block != nil || !NeverStored(r)
}

// HoldsImage reports whether the content of a record is a base64-encoded image
// by its type and format.
func HoldsImage(r *lmc.Record) bool {
	return r.Type == "image" && (r.Format == "base64" || strings.HasPrefix(r.Format, "base64."))
}

// HoldsPath reports whether the content of a record is a path by its type and
// format.
func HoldsPath(r *lmc.Record) bool {
	return r.Type == "file" || r.Type == "image" && r.Format == "path"
}

// OnDifference calls do for the differences from a stored conversation whose
// reason is between from and to, inclusive.
func OnDifference(from, to agreement.Reason, do func(*agreement.Difference)) lint.Hook {
	return on(differenceEvent, func(d *agreement.Difference) {
		if from <= d.Reason && d.Reason <= to {
			do(d)
		}
	})
}

// ReportUnless reports a finding that holds unless the dialect turns out to be one that
// allows what it is about.
func ReportUnless(p *lint.Pass, f lint.Finding, allows func(*schema.Dialect) bool) {
	var others []string
	for _, d := range StateOf(p).possible {
		if allows(d) {
			others = append(others, d.Name)
		}
	}
	p.ReportUnless(f, others)
}

// Report makes the check of a rule that reports a finding for each event of the
// given kinds, unless that is [Explained], or the finding has no message.
func Report[E any](kinds lmc.KindOf[E], finding func(*lint.Pass, *E) lint.Finding) func(*lint.Pass) []lint.Hook {
	return func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{On(kinds, func(e *E) {
			if !Explained(p, e) {
				p.Report(finding(p, e))
			}
		})}
	}
}

// ReportProblems makes the check of a rule that reports each of the reader's
// problems of one kind with the message and the help that words returns.
func ReportProblems(kind source.ProblemKind, words func(*Problem) (message, help string)) func(*lint.Pass) []lint.Hook {
	return func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{OnProblem(kind, func(e *Problem) {
			if p.Rule.OneCause && p.RepeatsAt("", e.Place) {
				return
			}
			message, help := words(e)
			p.Report(lint.Finding{Place: e.Place, Message: message, Help: help})
		})}
	}
}

// UnderAuto is the case of a rule about a value that the documentation prints or lists,
// and that releases do not accept. If no dialect is named, the producer may follow the
// documentation, so that the finding is a warning.
var UnderAuto = lint.SeverityCase{Severity: lint.SeverityWarning, When: "auto"}

// Documented returns a finding about what the documentation prints or lists. With a dialect
// named it is a mistake; else it is a warning, and documented is its message: what is wrong
// for a release, where the documentation is one side.
func Documented(p *lint.Pass, f lint.Finding, documented string) lint.Finding {
	if !StateOf(p).DialectNamed {
		f.Message, f.Severity = documented, UnderAuto.Severity
	}
	return f
}

// OtherEvents skips the data of server-sent events that do not belong to the
// protocol: no record so far came in an event of that name, and this is not one. Some
// servers end their streams with such events, as in
//
//	event: done
//	data: {"session_id": "1"}
type OtherEvents struct {
	Count int          // of the records that were skipped
	First source.Place // of those

	names map[string]bool // the events in which records came
}

// Skips reports whether a record of LMC's input came in an event and is not of the
// protocol, and counts it. Events without a name may have records before such an object.
func (o *OtherEvents) Skips(src *source.Record) bool {
	isNamed := src.Event != ""
	switch {
	case src.IsGap, o.names[src.Event], !isNamed && !src.InEvent:
		return false
	case !isNamed && (!isObject(src) || len(src.Root.Children) == 0 || MayBePreLMC(lmc.Present(src.Root)) || IsServerFrame(lmc.NewRecord(src)) || !HasNothing(lmc.NewRecord(src))):
		return false // without a name only an object of other keys is
	}
	if src.Root == nil && hasRecordKeys(src) || isObject(src) && ((LMC{}).MeaningOf(src.Root) >= source.Weak || resemblesLMC(src)) {
		o.accept(src.Event)
		return false
	}
	if o.Count == 0 {
		o.First = src.Place()
	}
	o.Count++
	return true
}

// accept notes that records come in events of a name.
func (o *OtherEvents) accept(name string) {
	if name == "" || o.names[name] {
		return
	}
	if o.names == nil {
		o.names = make(map[string]bool)
	}
	o.names[name] = true
}

// String describes the events.
func (o *OtherEvents) String() string {
	if o.Count == 1 {
		return "this event contains no LMC record"
	}
	return fmt.Sprintf("%d events contain no LMC record, this is the first of them", o.Count)
}

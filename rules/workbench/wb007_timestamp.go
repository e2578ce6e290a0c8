package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var oddTimestamp = lint.SeverityCase{Severity: lint.SeverityNote, When: "valid, in another form"}

var timestamp = &lint.Rule{
	ID: "WB007", Name: "timestamp",
	Summary: "A timestamp is invalid or not in the service's format",
	Rationale: "The models refuse a timestamp that they cannot parse. One without an offset, as a service on SQLite writes " +
		"it, is local time for some consumers and UTC for others; a number or a date alone is accepted but unusual. These " +
		"are notes, at most three per input.",
	Evidence: []string{
		modelOf + "ConversationMessage.timestamp is a datetime",
		"semanticworkbench, Webservice.cs: captured events with and without an offset",
	},
	Requirements: []string{"WB-MSG-7"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{oddTimestamp},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name:  "a human-readable time",
		Make:  func() string { return example.Altered(hello(), "2025-03-03T20:01:01Z", "Monday, March 3 3:01 PM") },
		Edits: []string{`"Monday, March 3 3:01 PM"`, `"2025-03-03T20:01:05Z"`},
		Want:  []string{"WB007 1:220"},
	}, {
		Name: "no offset",
		Make: func() string { return example.Altered(hello(), "2025-03-03T20:01:01Z", "2025-03-03T20:01:01.123456") },
		Want: []string{"WB007 1:220"},
	}},
	Good: []lint.Example{{Name: "a time in UTC", Make: hello}},
	New:  newTimestamp,
}

func newTimestamp(p *lint.Pass) []lint.Hook {
	const help = "write RFC 3339, such as 2025-03-03T20:01:05Z"
	var refused []*source.Node // values of the current record that the schema rejects
	unreadable := func(place source.Place, n *source.Node) {
		p.Report(lint.Finding{Place: place, Cause: "invalid", Message: "invalid timestamp " + protocol.ValueText(n), Help: help})
	}
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		refused = append(refused, b.Node)
		unreadable(b.Place(), b.Node)
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		r, rejected := e.Record, refused
		refused = refused[:0] // the next record may use the same nodes
		for _, n := range r.Times() {
			f := lint.Finding{Place: r.Source.PlaceOf(n), Severity: oddTimestamp.Severity, Help: help}
			at, ok := workbench.ParseTimestamp(n)
			switch {
			case slices.Contains(rejected, n), n.Kind != source.String && n.Kind != source.Number:
				continue
			case !ok: // no such day or hour
				unreadable(f.Place, n)
				continue
			case (r.Message == nil || n != r.Message.Time) && (!r.Streamed() || n != r.Source.Root.Member("timestamp")):
				continue // it is not the time of the record's event or message
			case at.Number:
				f.Message = "timestamp is a number, expected RFC 3339"
			case at.Odd:
				f.Message = "timestamp is not in the service's format"
			case !at.Offset:
				f.Message, f.Help = "timestamp has no offset", "write it in UTC with Z; consumers disagree on the time zone without it"
			default:
				continue
			}
			p.Report(f)
		}
	})}
}

package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// maxTimeNotes is how many unusual timestamps are reported per input.
const maxTimeNotes = 3

var oddTimestamp = lint.SeverityCase{Severity: lint.SeverityNote, When: "valid, in another form"}

var timestamp = &lint.Rule{
	ID: "WB007", Name: "timestamp", Since: "0.1",
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
		Name: "a human-readable time",
		Make: func() string { return altered(hello(), "2025-03-03T20:01:01Z", "Monday, March 3 3:01 PM") },
		Want: []string{"WB007 1:220"},
	}, {
		Name: "no offset",
		Make: func() string { return altered(hello(), "2025-03-03T20:01:01Z", "2025-03-03T20:01:01.123456") },
		Want: []string{"WB007 1:220"},
	}},
	Good: []lint.Example{{Name: "a time in UTC", Make: hello}},
	New:  newTimestamp,
}

func newTimestamp(p *lint.Pass) []lint.Hook {
	notes := 0
	var refused []*source.Node // values of the current record that the schema rejects
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		refused = append(refused, b.Node)
		p.Report(unreadable(b.Place(), b.Node))
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		rejected := refused
		refused = refused[:0] // the next record may use the same nodes
		for _, n := range e.Record.Times() {
			at, ok := workbench.ParseTimestamp(n)
			switch {
			case slices.Contains(rejected, n), n.Kind != source.String && n.Kind != source.Number:
			case !ok: // no such day or hour
				p.Report(unreadable(e.Record.Source.PlaceOf(n), n))
			case !isWhen(e.Record, n):
			case at.Number, at.Odd, !at.Offset:
				if notes++; notes <= maxTimeNotes {
					p.Report(oddTime(e.Record.Source.PlaceOf(n), at, notes))
				}
			}
		}
	})}
}

// isWhen reports whether a timestamp is that of the record's event or message.
func isWhen(r *workbench.Record, n *source.Node) bool {
	return r.Message != nil && n == r.Message.Time || r.Streamed() && n == r.Source.Root.Member("timestamp")
}

func unreadable(place source.Place, n *source.Node) lint.Finding {
	return lint.Finding{
		Place: place, Message: "invalid timestamp " + protocol.ValueText(n),
		Help: "write RFC 3339, such as 2025-03-03T20:01:05Z",
	}
}

func oddTime(place source.Place, at workbench.Timestamp, notes int) lint.Finding {
	f := lint.Finding{Place: place, Severity: oddTimestamp.Severity, Message: "timestamp has no offset", Help: "write it in UTC with Z; consumers disagree on the time zone without it"}
	switch {
	case at.Number:
		f.Message, f.Help = "timestamp is a number, expected RFC 3339", "write RFC 3339, such as 2025-03-03T20:01:05Z"
	case at.Odd:
		f.Message, f.Help = "timestamp is not in the service's format", "write RFC 3339, such as 2025-03-03T20:01:05Z"
	}
	if notes == maxTimeNotes {
		f.Help += "; further timestamps like this are not reported"
	}
	return f
}

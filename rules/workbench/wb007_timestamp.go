package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// toldTimes is how often times of an unusual form are told of in one input.
const toldTimes = 3

var timestamp = &lint.Rule{
	ID: "WB007", Name: "timestamp", Since: "0.1",
	Summary: "A time cannot be read, or is not written as the service writes it",
	Rationale: "The models refuse a time that they cannot read. One without an offset, as a service on SQLite writes it, is read as " +
		"local time by some consumers and as UTC by others; a number or a date alone is read, but nobody writes it. Of those, a note tells " +
		"three times for each input.",
	Evidence: []string{
		modelOf + "ConversationMessage.timestamp is a datetime",
		"semanticworkbench, Webservice.cs: captured events with and without an offset",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a time for people",
		Make: func() string { return altered(hello(), "2025-03-03T20:01:01Z", "Monday, March 3 3:01 PM") },
		Want: []string{"WB007 1:220"},
	}, {
		Name: "no offset",
		Make: func() string { return altered(hello(), "2025-03-03T20:01:01Z", "2025-03-03T20:01:01.123456") },
		Want: []string{"WB007 1:220"},
	}},
	Good: []lint.Example{{Name: "a time in UTC", Make: hello}},
	New: func(p *lint.Pass) []lint.Hook {
		told := 0
		var refused *source.Node // by the schema
		return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
			refused = b.Node
			p.Report(unreadable(b.Place(), b.Node))
		}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
			for _, n := range timesOf(e.Record) {
				at, ok := workbench.ParseTimestamp(n)
				switch {
				case n == nil, n == refused, n.Kind != source.String && n.Kind != source.Number:
				case !ok: // there is no such day or hour
					p.Report(unreadable(e.Record.Source.PlaceOf(n), n))
				case at.Number, at.Odd, !at.Offset:
					if told++; told <= toldTimes {
						p.Report(oddTime(e.Record.Source.PlaceOf(n), at, told))
					}
				}
			}
		})}
	},
}

// timesOf are the times of a record's event and message; each may be nil.
func timesOf(r *workbench.Record) (times [2]*source.Node) {
	if r.Streamed() {
		times[0] = r.Source.Root.Member("timestamp")
	}
	if r.Message != nil {
		times[1] = r.Message.Time
	}
	return times
}

func unreadable(place source.Place, n *source.Node) lint.Finding {
	return lint.Finding{
		Place: place, Message: "the time " + protocol.ValueText(n) + " cannot be read",
		Help: "write it as RFC 3339 has it, such as 2025-03-03T20:01:05Z",
	}
}

func oddTime(place source.Place, at workbench.Timestamp, told int) lint.Finding {
	f := lint.Finding{Place: place, Severity: lint.SeverityNote, Message: "the time has no offset", Help: "write it in UTC with a Z: consumers differ on what it means without"}
	switch {
	case at.Number:
		f.Message, f.Help = "the time is a number", "write it as RFC 3339 has it, as the service does"
	case at.Odd:
		f.Message, f.Help = "the time is not written as the service writes it", "write it as RFC 3339 has it, such as 2025-03-03T20:01:05Z"
	}
	if told == toldTimes {
		f.Help += "; further such times are not told of"
	}
	return f
}

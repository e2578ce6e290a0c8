package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Reference is what consumers and producers are compared with.
type Reference interface {
	// Records returns the records of a stream, and the text between records.
	Records(ctx context.Context, stream []byte) ([]Record, error)
	// Assemble returns the transcript, as a JSON array, that a correct consumer
	// makes of a stream as JSON Lines. Faithful reports whether that is all that
	// the stream has; otherwise the stream is broken.
	Assemble(ctx context.Context, dialect string, autoRun bool, stream []byte) (transcript []byte, faithful bool, err error)
	// Check returns the findings in a stream as JSON Lines.
	Check(ctx context.Context, dialect string, autoRun bool, stream []byte) ([]suite.Finding, error)
}

// The requirements of docs/protocol.md that consumers and producers show.
const (
	makesMessages  = "LMC-CON-1"
	endsWithStream = "LMC-CON-2"
	survives       = "LMC-CON-3"
	losesNothing   = "LMC-CON-4"
	makesStreams   = "LMC-CON-5"
	keepsApart     = "LMC-CON-6"
	executesOnce   = "LMC-CON-7"

	finalLine = "LMC-EXE-10" // which recordings may lack
)

func isCompressed(c *suite.Case) bool {
	return slices.ContainsFunc(c.Features, func(f string) bool { return strings.HasPrefix(f, "compression:") })
}

// isHealthy reports whether a case has no finding above a note.
func isHealthy(c *suite.Case) bool {
	return !slices.ContainsFunc(c.Findings, func(f suite.Finding) bool { return f.Level != suite.May })
}

// judgeConsumer compares the transcript of a consumer with the reference, or, if
// the stream is broken, with the messages that are whole in it.
func judgeConsumer(ctx context.Context, ref Reference, c *suite.Case, stream []byte, a answer) (verdict, error) {
	var v verdict
	want, faithful, err := ref.Assemble(ctx, c.Detected.Dialect, c.Options.AutoRun, stream)
	if err != nil {
		return v, fmt.Errorf("assemble: %w", err)
	}
	healthy := faithful && isHealthy(c)
	v.shown = []string{endsWithStream, survives, losesNothing, keepsApart}
	if healthy {
		v.shown = []string{makesMessages, endsWithStream}
	}
	got, fault := readTranscript(a, healthy)
	requirement := makesMessages
	switch {
	case a.hangs:
		requirement = endsWithStream
	case fault != "" && !healthy:
		requirement = survives
	case fault != "":
	case !healthy:
		requirement, fault = compareWhole(wholeMessages(c, stream), got)
	default:
		expected, err := readMessages(want)
		if err != nil {
			return v, fmt.Errorf("assemble: %w", err)
		}
		fault = difference(expected, got)
	}
	if fault != "" {
		v.fail(requirement, "%s", fault)
	}
	return v, nil
}

// readTranscript reads the answer of a consumer, or says why there is none. A
// consumer of a broken stream may end with status 1.
func readTranscript(a answer, healthy bool) (messages []message, fault string) {
	switch {
	case a.fault != "":
		return nil, a.fault
	case len(bytes.TrimSpace(a.stdout)) == 0:
		return nil, fmt.Sprintf("no answer on standard output; exit status %d", a.status)
	case a.status > 1 || a.status == 1 && healthy:
		return nil, fmt.Sprintf("crashes: exit status %d", a.status)
	}
	messages, err := readMessages(a.stdout)
	if err != nil {
		return nil, "the answer is " + err.Error()
	}
	return messages, ""
}

// chunk is a record of a stream, as far as it must be plain to be part of a
// message that is whole.
type chunk struct {
	role, kind, format string
	event              string // start, content, end or stop
	text               string
}

// wholeMessages returns the messages of a broken stream whose records all arrived: a
// start and contents of the same role, type and format, in adjacent lines that no
// finding is about, up to the end flag. A lost end flag changes nothing: a message also
// ends at the next start, at a confirmation and at the end of the stream. Content of
// another message between them is not of it.
func wholeMessages(c *suite.Case, stream []byte) []message {
	broken := map[int]bool{} // lines with a finding about the record itself
	starts := map[int]bool{} // lines with a finding about what precedes them, if they are starts
	for _, f := range c.Findings {
		switch {
		case f.Pointer == "":
			starts[f.Line] = true
		case !slices.Contains(mismatches, f.Rule):
			broken[f.Line] = true
		}
	}
	var whole []message
	var open *chunk    // a start, with the text since then
	hasOthers := false // content of another message follows
	closeBlock := func() {
		if open != nil {
			if m := (message{Role: open.role, Type: open.kind, Content: open.text}); isStreamed(m) && !m.isOptional() {
				whole = append(whole, m)
			}
		}
		open, hasOthers = nil, false
	}
	for i, line := range bytes.Split(stream, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		next, plain := readChunk(line)
		isStart := next.event == "start"
		switch {
		case !plain || broken[i+1] || starts[i+1] && !isStart && next.kind != "confirmation":
			open = nil
		case isStart:
			closeBlock()
			open = &next
		case next.event != "content" || next.kind == "confirmation":
			closeBlock()
		case open == nil:
		case next.role != open.role || next.kind != open.kind || next.format != open.format && next.kind != "console":
			hasOthers = true
		case hasOthers:
			open = nil // whose it is, is not clear
		case next.format != "active_line":
			open.text += next.text
		}
	}
	closeBlock()
	return whole
}

// mismatches are the rules about a record that is not of the open block, and is as it
// should be otherwise: LMC205 about an end, LMC206 about content.
var mismatches = []string{"LMC205", "LMC206"}

// readChunk reads a line of a stream. It reports whether it is plain: an object
// with a role, a type and one of start, end and content, flags that are true,
// and content that is text or a line of code.
func readChunk(line []byte) (c chunk, plain bool) {
	var record struct {
		Role, Type, Format        string
		Start, End, Stop, Content json.RawMessage
	}
	if json.Unmarshal(line, &record) != nil || record.Role == "" || record.Type == "" {
		return c, false
	}
	c = chunk{role: record.Role, kind: record.Type, format: record.Format}
	events := 0
	for event, value := range map[string]json.RawMessage{"start": record.Start, "end": record.End, "stop": record.Stop, "content": record.Content} {
		if value == nil {
			continue
		}
		events++
		c.event, plain = event, string(value) == "true"
		if event == "content" {
			plain = json.Unmarshal(value, &c.text) == nil || c.format == "active_line" || c.kind == "confirmation"
		}
	}
	return c, plain && events == 1
}

// compareWhole returns the requirement that a transcript violates, and how, if it lacks
// one of the whole messages: each has a message of its own, in their order.
func compareWhole(whole, got []message) (requirement, fault string) {
	for _, m := range whole {
		isIt := func(g message) bool { return g.Role == m.Role && g.Type == m.Type && g.text() == m.text() }
		i := slices.IndexFunc(got, isIt)
		if i < 0 {
			for _, g := range got {
				if g.Type == m.Type && strings.Contains(g.text(), m.text()) {
					return keepsApart, "merged with what is not of it: " + m.describe()
				}
			}
			return losesNothing, "lost although its start and content arrived: " + m.describe()
		}
		got = got[i+1:]
	}
	return losesNothing, ""
}

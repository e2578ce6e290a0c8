package session_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
)

// reported are the kinds of events of sessions, and framing errors,
// by the names that the tests give them.
var reported = map[lmc.Kind]string{
	lmc.Kind(session.Incomplete): "incomplete", lmc.Kind(session.UnexpectedStatus): "odd status", lmc.Kind(session.Unanswered): "unanswered", lmc.Kind(session.Unapproved): "unapproved",
	lmc.Kind(session.ErrorWithoutComplete): "error alone", lmc.Kind(session.BareCommand): "bare command", lmc.Kind(session.UnknownCommand): "unknown command", lmc.Kind(session.SentBeforeAuth): "dropped",
	lmc.Kind(session.Unacknowledged): "unacknowledged", lmc.Kind(session.NothingAcknowledged): "nothing acknowledged", lmc.Kind(session.UnknownAck): "unknown ack",
	lmc.Kind(lmc.Redelivered): "redelivered", lmc.Kind(session.JoinedParts): "joined", lmc.Kind(session.Interrupted): "interrupted", lmc.Kind(session.RoleFromWrongSide): "misdirected",
	lmc.Kind(lmc.ContentOutsideBlock): "stray", lmc.Kind(lmc.Unclosed): "unclosed", lmc.Kind(lmc.Truncated): "truncated", lmc.Kind(lmc.EndWithoutStart): "stray end",
	lmc.Kind(lmc.EndMismatch): "end mismatch", lmc.Kind(lmc.ContentMismatch): "content mismatch",
}

// followLog follows a log, a frame a line: ">" is sent, "<" received, "…" a
// binary frame, and "?" one that could not be read. It returns the reported
// events, each with the number of the line, from 1, that it is about.
func followLog(t *testing.T, log string) []string {
	t.Helper()
	found := []string{}
	s := session.New(session.Options{
		IsNote:    func(string) bool { return false },
		Command:   func(text string) (string, bool) { return strings.ToLower(text), text == "go" || text == "stop" },
		Completes: true,
	}, func(kind lmc.Kind, event any) {
		name, known := reported[kind]
		if e, ok := event.(*lmc.ClosedEvent); ok && e.Block.Sent && e.Block.Contents == 0 && !e.Block.Cut && !e.Block.Lossy {
			name, known = "empty", true
		}
		if known {
			found = append(found, fmt.Sprintf("%s %d", name, 1+placeOf(event)))
		}
	})
	for i, line := range strings.Split(strings.TrimSpace(log), "\n") {
		src := frame(t, i, line)
		switch {
		case strings.HasSuffix(line, "?"):
			s.SkipUnreadable(src)
		case src.Binary:
			s.Step(lmc.NewBinary(src))
		default:
			if r := lmc.NewRecord(src); !s.Redelivered(r) {
				s.Step(r)
			}
		}
	}
	s.Finish()
	return found
}

// placeOf is the number of the record that an event is about.
func placeOf(event any) int {
	switch e := event.(type) {
	case *lmc.Record:
		return e.Source.Index
	case *source.PlaceRef:
		return e.Place().Record
	case *lmc.ClosedEvent:
		return e.Block.Start.Place().Record
	case *lmc.OutputEvent:
		return e.Block.Start.Place().Record
	case *lmc.FramingError:
		return e.Record.Source.Index
	case *lmc.UnclosedEvent:
		return e.Record.Source.Index
	case *lmc.TruncatedEvent:
		return e.Last.Place().Record
	case *session.Interruption:
		return e.Block.Start.Place().Record
	case *session.Command:
		return e.At.Place().Record
	case *session.JoinedPart:
		return e.Record.Source.Index
	}
	panic(fmt.Sprintf("no place of %T", event))
}

func frame(t *testing.T, number int, line string) *source.Record {
	t.Helper()
	direction := map[string]source.Direction{">": source.Sent, "<": source.Received}[line[:1]]
	frame := strings.TrimSpace(line[1:])
	if frame == "…" || frame == "?" {
		return &source.Record{Index: number, Data: []byte(frame), Frame: source.Frame{Direction: direction, Binary: frame == "…"}}
	}
	record, err := text.NewReader(strings.NewReader(frame), source.Options{}).Next()
	require.NoError(t, err)
	record = record.Clone()
	record.Index, record.Direction = number, direction
	return record
}

// Pieces of logs.
const (
	hi = `> {"role": "user", "start": true}
> {"role": "user", "type": "message", "content": "Hi"}
> {"role": "user", "end": true}
`
	begun = `< {"role": "assistant", "type": "message", "start": true}
< {"role": "assistant", "type": "message", "content": "Hello"}
`
	done = begun + `< {"role": "assistant", "type": "message", "end": true}
`
	code = `< {"role": "assistant", "type": "code", "format": "python", "start": true}
< {"role": "assistant", "type": "code", "format": "python", "content": "1"}
< {"role": "assistant", "type": "code", "format": "python", "end": true}
`
	output = `< {"role": "computer", "type": "console", "start": true}
< {"role": "computer", "type": "console", "format": "output", "content": "1"}
< {"role": "computer", "type": "console", "end": true}
`
	complete = `< {"role": "server", "type": "status", "content": "complete"}
`
	failure = `< {"role": "server", "type": "error", "content": "no"}
`
)

func command(text string) string {
	return `> {"role": "user", "type": "command", "start": true}
> {"role": "user", "type": "command", "content": "` + text + `"}
> {"role": "user", "type": "command", "end": true}
`
}

func auth(accepted string) string { return `< {"auth": ` + accepted + "}\n" }

const key = `> {"auth": "k"}
`

// sessionsFile has logs with a title, each followed by its events, indented. A log has
// frames, a line each, and words: commands and pieces of logs, where [a:b] selects lines
// of a piece.
const sessionsFile = "testdata/sessions.txt"

var pieces = map[string]string{
	"hi": hi, "begun": begun, "done": done, "code": code, "output": output, "complete": complete, "failure": failure,
	"odd": strings.Replace(complete, "complete", "done", 1), "lost": "> ?\n", "key": key, "auth:true": auth("true"), "auth:false": auth("false"),
}

// Each log gives the events that the file lists. Read the difference before you commit
// one that -update made.
func TestSession(t *testing.T) {
	text, err := os.ReadFile(sessionsFile)
	require.NoError(t, err)
	var out []string
	for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		head, log := "", ""
		for line := range strings.Lines(block + "\n") {
			switch line[0] {
			case '\t':
				continue
			case '>', '<':
				log += line
			case '/':
			default:
				for word := range strings.FieldsSeq(line) {
					log += pieceOf(t, word)
				}
			}
			head += line
		}
		got := ""
		for _, event := range followLog(t, log) {
			got += "\t" + event + "\n"
		}
		out = append(out, head+got)
	}
	generated.Expected(t, sessionsFile, []byte(strings.Join(out, "\n")))
}

func pieceOf(t *testing.T, word string) string {
	t.Helper()
	name, lines, isPart := strings.Cut(strings.TrimSuffix(word, "]"), "[")
	text, known := pieces[name]
	if !known {
		text = command(name)
	}
	if !isPart {
		return text
	}
	var from, to int
	_, err := fmt.Sscanf(lines, "%d:%d", &from, &to)
	require.NoError(t, err)
	return strings.Join(strings.SplitAfter(text, "\n")[from:to], "")
}

// Ids are forgotten after 4,096 others: a frame that is still waiting then was
// never acknowledged, and an ack of an older one is for nothing.
func TestSessionForgetsIDs(t *testing.T) {
	var log strings.Builder
	log.WriteString(hi)
	log.WriteString(`< {"role": "assistant", "type": "message", "start": true, "id": "first"}` + "\n")
	for i := range 4096 {
		fmt.Fprintf(&log, "< {\"role\": \"assistant\", \"type\": \"message\", \"content\": \"x\", \"id\": \"%d\"}\n> {\"ack\": \"%d\"}\n", i, i)
	}
	log.WriteString(`> {"ack": "first"}` + "\n")
	log.WriteString(`< {"role": "assistant", "type": "message", "end": true}` + "\n" + complete)
	assert.Equal(t, []string{"unacknowledged 4", "unknown ack 8197"}, followLog(t, log.String()))
}

// The number of frames that are held before the server's first frame is limited.
func TestSessionHoldsFewFrames(t *testing.T) {
	log := strings.Repeat(`> {"role": "user", "type": "command", "content": "go"}`+"\n", 300)
	assert.Len(t, followLog(t, log), 300)
	assert.Empty(t, followLog(t, strings.Repeat("> ?\n", 300)+hi+done+complete))
}

// Whatever two sides send each other, a session is followed to its end, and
// the same log gives the same events.
func FuzzSession(f *testing.F) {
	pool := strings.SplitAfter(hi+done+code+output+complete+failure+command("go")+command("stop")+auth("true")+auth("false")+key+`> …
< …
> ?
< ?
> {"ack": "1"}
> {"ack": "2"}
< {"role": "assistant", "type": "message", "start": true, "id": "1"}
< {"role": "server", "type": "status", "content": "complete", "id": "2"}
> {"role": "user", "type": "image", "format": "path", "content": "a.png"}
> {"role": "assistant", "type": "message", "content": "x"}
< {"role": "user", "end": true}
< {"role": "server", "type": "status", "content": "done"}
> {"content": "x"}
> {"role": "user", "type": "audio", "format": "bytes.wav", "start": true}
> {"role": "user", "type": "audio", "format": "bytes.wav", "end": true}
`, "\n")
	pool = pool[:len(pool)-1]
	f.Add([]byte{0, 1, 2, 3, 4, 5, 12})
	f.Add([]byte("session"))
	f.Fuzz(func(t *testing.T, picks []byte) {
		var log strings.Builder
		for _, pick := range picks[:min(len(picks), 200)] {
			log.WriteString(pool[int(pick)%len(pool)])
		}
		if log.Len() == 0 {
			return
		}
		first := followLog(t, log.String())
		assert.Equal(t, first, followLog(t, log.String()))
		assert.LessOrEqual(t, len(first), 3*len(picks)+2)
	})
}

// A chunk with content and an end may be the last one of its block, for which the clients
// wait: the block has started until another record follows.
func TestStartedBlock(t *testing.T) {
	s := session.New(session.Options{IsNote: func(string) bool { return false }}, func(lmc.Kind, any) {})
	for i, step := range []struct {
		line    string
		started bool
	}{
		{`< {"role": "assistant", "type": "message", "start": true}`, true},
		{`< {"role": "assistant", "type": "message", "content": "Hi", "end": true}`, true},
		{`< {"role": "assistant", "type": "message", "end": true}`, false},
	} {
		s.Step(lmc.NewRecord(frame(t, i, step.line)))
		assert.Equal(t, step.started, s.Started() != nil, step.line)
	}
}

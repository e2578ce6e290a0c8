package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/session"
	"github.com/lmclint/lmclint/internal/source"
)

// reported are the kinds of events of sessions, and framing errors,
// by the names that the tests give them.
var reported = map[lmc.Kind]string{
	lmc.Incomplete: "incomplete", lmc.UnexpectedStatus: "odd status", lmc.Unanswered: "unanswered", lmc.Unapproved: "unapproved",
	lmc.ErrorWithoutComplete: "error alone", lmc.BareCommand: "bare command", lmc.UnknownCommand: "unknown command", lmc.SentBeforeAuth: "dropped",
	lmc.Unacknowledged: "unacknowledged", lmc.NothingAcknowledged: "nothing acknowledged", lmc.UnknownAck: "unknown ack",
	lmc.Redelivered: "redelivered", lmc.JoinedParts: "joined", lmc.Interrupted: "interrupted", lmc.RoleFromWrongSide: "misdirected",
	lmc.ContentOutsideBlock: "stray", lmc.Unclosed: "unclosed", lmc.Truncated: "truncated", lmc.EndWithoutStart: "stray end",
	lmc.EndMismatch: "end mismatch", lmc.ContentMismatch: "content mismatch",
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
	}, func(e *lmc.Event) {
		name, known := reported[e.Kind]
		if e.Kind == lmc.Closed && e.Sent && e.Block.Contents == 0 && !e.Block.Cut && !e.Block.Lossy {
			name, known = "empty", true
		}
		if known {
			found = append(found, fmt.Sprintf("%s %d", name, 1+placeOf(e)))
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
func placeOf(e *lmc.Event) int {
	switch e.Kind {
	case lmc.Interrupted, lmc.Closed, lmc.Unapproved:
		return e.Block.Start.Place().Record
	}
	if e.Record != nil {
		return e.Record.Source.Index
	}
	return e.Last.Place().Record
}

func frame(t *testing.T, number int, line string) *source.Record {
	t.Helper()
	direction := map[string]source.Direction{">": source.Sent, "<": source.Received}[line[:1]]
	frame := strings.TrimSpace(line[1:])
	if frame == "…" || frame == "?" {
		return &source.Record{Index: number, Data: []byte(frame), Direction: direction, Binary: frame == "…"}
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
	lost = "> ?\n"
)

func command(text string) string {
	return `> {"role": "user", "type": "command", "start": true}
> {"role": "user", "type": "command", "content": "` + text + `"}
> {"role": "user", "type": "command", "end": true}
`
}

func auth(accepted string) string { return `< {"auth": ` + accepted + "}\n" }

// part returns some lines of a log, from and to counted from 0.
func part(log string, from, to int) string {
	return strings.Join(strings.SplitAfter(log, "\n")[from:to], "")
}

const key = `> {"auth": "k"}
`

func TestSession(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"a response", hi + done + complete, nil},
		{"approved code", hi + code + complete + command("go") + output + done + complete, nil},
		{"code that runs by itself", hi + code + output + done + complete, nil},
		{"two turns, the second sent before complete came", hi + done + hi + complete + done + complete, nil},
		{"a message that is interrupted", hi + begun + hi + done + complete, []string{"interrupted 4"}},
		{"a response that is stopped", hi + begun + command("stop"), []string{"interrupted 4"}},
		{"a response that is stopped between blocks", hi + code + output + command("stop") + hi + done + complete, nil},
		{"a response that is interrupted at work", hi + code + output + hi + done + complete, nil},
		{"a block that ends after the user has begun to speak", hi + begun + part(hi, 0, 1) + part(done, 2, 3) + part(hi, 1, 3) + done + complete, nil},
		{"frames on their way when the user speaks", hi + code + part(hi, 0, 1) + output + part(hi, 1, 3) + done + complete, nil},
		{"an error", hi + failure + complete + hi + done + complete, nil},
		{"only what was sent", hi + hi, nil},

		{"no complete at the end", hi + done, []string{"incomplete 6"}},
		{"no complete in between", hi + done + hi + done + complete, []string{"incomplete 6"}},
		{"no complete before a go", hi + code + command("go") + output + done + complete, []string{"incomplete 6"}},
		{"no complete, explained by what was lost", hi + done + "< ?\n" + hi + done + complete, nil},
		{"no answer", hi + done + complete + hi, []string{"unanswered 10"}},
		{"another status", hi + done + strings.Replace(complete, "complete", "done", 1), []string{"odd status 7"}},
		{"an error alone", hi + failure, []string{"error alone 4"}},
		{"an error's complete that comes late", hi + failure + begun + complete + part(done, 2, 3) + complete, nil},
		{"an error alone before a response", hi + failure + hi + done + complete, []string{"error alone 4"}},
		{"an error in a block", hi + begun + failure + complete, []string{"unclosed 6"}},

		{"no go", hi + code + complete + output + complete, []string{"unapproved 8"}},
		{"an unreadable go", hi + code + complete + part(command("go"), 0, 1) + lost + part(command("go"), 2, 3) + output + complete, nil},
		{"a bare go", hi + code + complete + part(command("go"), 1, 2) + output + complete, []string{"bare command 8"}},
		{"a go without its start", hi + code + complete + part(command("go"), 1, 3) + output + complete, []string{"bare command 8"}},
		{"a bare stop", hi + begun + part(command("stop"), 1, 2), []string{"bare command 6", "interrupted 4"}},
		{"a misspelled go", hi + code + complete + command("GO") + output + complete, []string{"unknown command 9"}},
		{"an empty command", hi + code + complete + part(command("go"), 0, 1) + part(command("go"), 2, 3) + output + complete, []string{"empty 8"}},
		{"a command in two chunks", hi + code + complete + part(command("g"), 0, 2) + part(command("o"), 1, 3) + output + complete, nil},

		{"a message before the key", hi + auth("false") + auth("false") + auth("false") + key + auth("true") + hi + done + complete, []string{"dropped 1", "dropped 2", "dropped 3"}},
		{"a message before the key, without answers", hi + key + auth("true") + hi + done + complete, []string{"dropped 1", "dropped 2", "dropped 3"}},
		{"a message right behind the key", key + hi + auth("true") + done + complete, nil},
		{"a wrong key", key + auth("false") + key + auth("true") + hi + done + complete, nil},
		{"never a key", hi + auth("false"), []string{"dropped 1", "dropped 2", "dropped 3"}},

		{"content without a start", part(hi, 1, 3) + done + complete, []string{"stray 1"}},
		{"parts without a start", `> {"role": "user", "type": "message", "content": "Look"}
> {"role": "user", "type": "file", "content": "a"}
> {"role": "user", "end": true}
` + done + complete, []string{"stray 1"}},
		{"the end before the content", part(hi, 0, 1) + `> {"role": "user", "end": true}
> {"role": "user", "type": "message", "content": "Hi"}
` + done + complete, []string{"stray 3"}},
		{"an empty message", `> {"role": "user", "start": true}
> {"role": "user", "end": true}
` + failure + complete, []string{"empty 1"}},
		{"a message without its end", part(hi, 0, 2) + done + complete, []string{"unclosed 3"}},
		{"two ends", hi + part(hi, 2, 3) + done + complete, []string{"stray end 4"}},
		{"a cut message", hi + done + complete + part(hi, 0, 1), []string{"truncated 8"}},

		{"audio", `> {"role": "user", "type": "audio", "format": "bytes.wav", "start": true}
> …
> …
> {"role": "user", "type": "audio", "format": "bytes.wav", "end": true}
` + done + complete, nil},
		{"audio without any sound", `> {"role": "user", "type": "audio", "format": "bytes.wav", "start": true}
> {"role": "user", "type": "audio", "format": "bytes.wav", "end": true}
` + done + complete, []string{"empty 1"}},
		{"sound without a start", "> …\n> …\n" + hi + done + complete, []string{"stray 1"}},
		{"sound inside a message", hi + begun + "< …\n< …\n" + part(done, 2, 3) + complete, []string{"content mismatch 6"}},

		{"an end of audio where its start was meant", `> {"role": "user", "type": "audio", "format": "bytes.wav", "end": true}
> …
> {"role": "user", "type": "audio", "format": "bytes.wav", "end": true}
` + done + complete, []string{"stray end 1"}},
		{"an end of a command where its start was meant", hi + code + complete + part(command("go"), 2, 3) + part(command("go"), 1, 3) + output + complete, []string{"stray end 8"}},

		{"a frame logged on the wrong side", hi + strings.Replace(done, "<", ">", 1) + complete, []string{"misdirected 4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == nil {
				c.want = []string{}
			}
			assert.Equal(t, c.want, followLog(t, c.log))
		})
	}
}

// numbered gives each of the server's frames an id and, if it is acknowledged,
// an answer to it.
func numbered(log string, acknowledged bool) string {
	var out strings.Builder
	for i, line := range strings.SplitAfter(log, "\n") {
		if !strings.HasPrefix(line, "<") {
			out.WriteString(line)
			continue
		}
		fmt.Fprintf(&out, "%s, \"id\": \"%d\"}\n", strings.TrimSuffix(line, "}\n"), i)
		if acknowledged {
			fmt.Fprintf(&out, "> {\"ack\": \"%d\"}\n", i)
		}
	}
	return out.String()
}

func TestSessionAcknowledges(t *testing.T) {
	whole := numbered(hi+done+complete, true)
	lines := strings.SplitAfter(whole, "\n") // from the fourth, a frame and its ack by turns
	without := func(i int) string { return strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "") }
	with := func(i int, line string) string {
		return strings.Join(append(append(append([]string{}, lines[:i]...), line), lines[i:]...), "")
	}
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"each", whole, []string{}},
		{"none", numbered(hi+done+complete, false), []string{"nothing acknowledged 4"}},
		{"not one", without(6), []string{"unacknowledged 6"}},
		{"another id", strings.Replace(whole, `"ack": "4"`, `"ack": "x"`, 1), []string{"unknown ack 7"}},
		{"a frame that the log lacks", without(3), []string{"unknown ack 4"}},
		{"a frame that came twice", with(6, lines[5]), []string{"redelivered 7"}},
		{"complete that came twice", with(10, lines[9]), []string{}},
		{"an ack that came twice", with(5, lines[4]), []string{}},
		{"an ack before its frame", strings.Join([]string{lines[0], lines[1], lines[2], lines[4], lines[3], strings.Join(lines[5:], "")}, ""), []string{"unknown ack 4"}},
		{"the input ends in a block", strings.Join(lines[:6], ""), []string{"truncated 6"}},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, followLog(t, c.log)) })
	}
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

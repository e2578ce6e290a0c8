package rules_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// inPieces gives an input in pieces of random sizes up to most bytes, as a pipe
// does whose writer pauses.
type inPieces struct {
	rest []byte
	most int
	rand *rand.Rand
}

func newPieces(data []byte, most int) *inPieces {
	return &inPieces{data, most, rand.New(rand.NewPCG(uint64(most), uint64(len(data))))}
}

func (p *inPieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(len(p.rest), 1+p.rand.IntN(p.most))])
	p.rest = p.rest[n:]
	return n, nil
}

// agreeHowever checks that an input is the same, and the same is found in it,
// however it arrives, in both lanes.
func (l lanes) agreeHowever(t *testing.T, data []byte) {
	t.Helper()
	want := everything(l.slow, bytes.NewReader(data))
	for _, lane := range []*lint.Linter{l.slow, l.fast} {
		for name, reader := range map[string]io.Reader{
			"whole":              bytes.NewReader(data),
			"byte by byte":       iotest.OneByteReader(bytes.NewReader(data)),
			"in halves":          iotest.HalfReader(bytes.NewReader(data)),
			"in lines":           &livePipe{parts: bytes.SplitAfter(data, []byte{'\n'})},
			"in small pieces":    newPieces(data, 30),
			"in pieces":          newPieces(data, 1_000),
			"in large pieces":    newPieces(data, 100_000),
			"with the end":       iotest.DataErrReader(bytes.NewReader(data)),
			"compressed":         bytes.NewReader(compressed(t, data)),
			"compressed, pieces": newPieces(compressed(t, data), 100),
		} {
			require.Equal(t, want, everything(lane, reader), "%s: %.200q", name, data)
		}
	}
}

// livePipe gives one part with each Read. To ask for the next part is to wait
// for it.
type livePipe struct {
	parts [][]byte
	given int
}

func (p *livePipe) Read(b []byte) (int, error) {
	if p.given == len(p.parts) {
		return 0, io.EOF
	}
	n := copy(b, p.parts[p.given])
	if p.parts[p.given] = p.parts[p.given][n:]; len(p.parts[p.given]) == 0 {
		p.given++
	}
	return n, nil
}

// mixed are records of both protocols, and what is of neither.
var mixed = map[byte]string{
	'm': `{"role": "user", "type": "message", "content": "Hi"}`,
	's': `{"role": "assistant", "type": "message", "start": true}`,
	'c': `{"role": "assistant", "type": "message", "content": "Hello"}`,
	'e': `{"role": "assistant", "type": "message", "end": true}`,
	'f': `{"role": "server", "type": "status", "content": "complete"}`,
	'w': `{"id": "00000000-0000-4000-8000-000000000001", "sender": {"participant_role": "user", "participant_id": "a.b"}, ` +
		`"message_type": "chat", "timestamp": "2025-03-03T20:01:01Z", "content_type": "text/plain", "content": "Hi"}`,
	'a': `{"id": "e", "event": "message.created", "conversation_id": "c", "timestamp": "2025-03-03T20:01:01Z", "data": {"message": {}}}`,
	'b': `{"type": "message", "id": "x", "sender": {"participant_role": "user"}, "timestamp": "", "content": "known to both"}`,
	'o': `{"message": "from before LMC"}`,
	'x': `{"unknown": "to both"}`,
	't': `{"role": "assistant", "type": "mess`,
	'"': `"a text"`,
	'-': ``,
	'l': `[]`,
	'g': `garbage`,
}

// Which protocol and dialect an input is of that has records of several, and
// what it is packed in, hangs on its text alone.
func TestFindingsIndependentOfReadSizes(t *testing.T) {
	t.Parallel()
	const mixes = "w s ws sw wss sww mww wmm bw bs bbs xw xs tw ts gw -w -s lw os wmwmwmwm msew xxsw ttws bxsw as sa " +
		"scefw wf fw xb \"w glwm xxxxxxxxxxxxxxxxxxxxxws ws-w"
	shapes := map[string]struct{ open, between, end string }{
		"lines, no end":      {"", "\n", ""},
		"CRLF":               {"\xef\xbb\xbf", "\r\n", "\r\n"},
		"array":              {"[", ", ", "]\n"},
		"array over lines":   {"[\n  ", ",\n  ", "\n]"},
		"array in object":    {`{"messages": [`, ", ", "]}"},
		"one array per line": {"[", "]\n[", "]\n"},
		"events":             {"data: ", "\n\ndata: ", "\n\n"},
		"log":                {"INFO 12:00 ", "\nINFO 12:00 ", "\n"},
	}
	detected := newLanes(lint.Config{})
	for packed, shape := range shapes {
		for _, mix := range exhaustive.Sample(strings.Fields(mixes), 4) {
			t.Run(packed+" "+mix, func(t *testing.T) { detected.agreeHowever(t, []byte(shape.open+joined(mix, shape.between)+shape.end)) })
		}
	}
	for _, config := range []lint.Config{{Kind: "stream"}, {Kind: "transcript"}, {Protocol: "workbench"}, {Dialect: "server"}, {Dialect: "server", Tentative: true}, {Discovered: true}} {
		both := newLanes(config)
		for _, mix := range exhaustive.Sample(strings.Fields(mixes), 3) {
			t.Run(fmt.Sprintf("%+v %s", config, mix), func(t *testing.T) { both.agreeHowever(t, []byte(joined(mix, "\n")+"\n")) })
		}
	}
}

// joined returns the records of a mix, with a separator between them.
func joined(mix, between string) string {
	var records []string
	for _, c := range []byte(mix) {
		records = append(records, mixed[c])
	}
	return strings.Join(records, between)
}

// On a live pipe the first record that is of one protocol alone is checked when
// it has arrived.
func TestFirstRecordIsCheckedOnArrival(t *testing.T) {
	for name, c := range map[string]struct {
		mix      string
		protocol string
		want     int // records that had arrived when the first one was checked
	}{
		"a stream":                     {"sce", "lmc", 1},
		"a message":                    {"www", "workbench", 1},
		"a stranger first":             {"sww", "lmc", 1},
		"the other way round":          {"wsc", "workbench", 1},
		"known to both":                {"bbww", "workbench", 3},
		"known to none":                {"xxsc", "lmc", 3},
		"nothing but what both know":   {"bbb", "lmc", 3},
		"a message that is part of it": {"mws", "lmc", 3},
	} {
		t.Run(name, func(t *testing.T) {
			pipe, arrived := &livePipe{}, 0
			for _, m := range []byte(c.mix) {
				pipe.parts = append(pipe.parts, []byte(mixed[m]+"\n"))
			}
			judged := lint.WithProgress(func(int) {
				if arrived == 0 {
					arrived = pipe.given
				}
			})
			result, err := linttest.MustNew(rules.All(), judged).Run(context.Background(), "in", pipe, func(lint.Finding) error { return nil })
			require.NoError(t, err)
			assert.Equal(t, c.protocol, result.Protocol)
			assert.Equal(t, c.want, arrived)
		})
	}
}

// The first records that are not messages of the user decide the kind (LMC-DET-4,
// LMC-DET-5), and none waits for more than 16 records.
func TestKindIsThatOfTheFirstRecords(t *testing.T) {
	records := map[byte]string{
		'u': `{"role": "user", "type": "message", "content": "Hi"}`,
		'a': `{"role": "assistant", "type": "message", "content": "Let me look it up."}`,
		'd': `{"role": "assistant", "type": "message", "content": " is"}`,
		'i': `{"role": "assistant", "type": "message", "id": "1", "content": "is"}`,
		'k': `{"role": "assistant", "type": "code", "format": "python", "content": "1"}`,
		'o': `{"role": "computer", "type": "console", "format": "output", "content": "1"}`,
		'l': `{"role": "computer", "type": "console", "format": "active_line", "content": 1}`,
		's': `{"role": "assistant", "type": "message", "start": true}`,
		'e': `{"role": "assistant", "type": "message", "end": true}`,
		'b': `{"role": "assistant", "type": "message", "content": "Hi", "end": true}`,
		'c': `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "1"}}`,
		'f': `{"role": "server", "type": "status", "content": "complete"}`,
		'x': `no record`,
		'j': `{"level": "info"}`,
	}
	linter := linttest.MustNew(rules.All())
	of := func(mix string) string {
		var lines []string
		for _, c := range []byte(mix) {
			lines = append(lines, records[c])
		}
		result, err := linter.Run(t.Context(), "input", strings.NewReader(strings.Join(lines, "\n")), func(lint.Finding) error { return nil })
		require.NoError(t, err)
		return result.Kind
	}
	for _, mix := range strings.Fields("sde sxde sjde s ss e ae ab ake kc c uc f uf ll usde uusde adde ddde uddde uiii iii xsde e") {
		want := "stream"
		assert.Equal(t, want, of(mix), mix)
	}
	for _, mix := range strings.Fields("u uu ua uau uae uauae ue ub us uase uauasde uao ko kll koe ukc ukl uaf l uuuuuuuuuuuuuuuuuuu") {
		assert.Equal(t, "transcript", of(mix), mix)
	}
	assert.Equal(t, "transcript", of(strings.Repeat("a", 16)+"sde"), "what was decided stays")
}

// A pipe waits for one record after the first that is not a message of the user, or for 16.
func TestKindIsDecidedSoon(t *testing.T) {
	const user = `{"role": "user", "type": "message", "content": "Hi"}` + "\n"
	for _, c := range []struct {
		records string
		after   int
	}{
		{strings.Repeat(user, 3) + `{"role": "assistant", "type": "mesage", "content": "Hi."}` + "\n" + messages(1000), 5},
		{strings.Repeat(`{"role": "assistant", "type": "mesage", "content": "Hi."}`+"\n", 20), 16},
		{strings.Repeat(`{"role": "user", "type": "mesage", "content": "Hi."}`+"\n", 20), 16},
	} {
		found, pushed := 0, 0
		f := feed.New(t.Context(), linttest.MustNew(rules.All()), "input", func(lint.Finding) error { found++; return nil }, nil)
		for line := range strings.Lines(c.records) {
			require.NoError(t, f.Push([]byte(line)))
			if pushed++; found > 0 {
				break
			}
		}
		assert.LessOrEqual(t, pushed, c.after)
		assert.NotZero(t, found)
		_, err := f.Close()
		require.NoError(t, err)
	}
}

// A gate passes a whole message on when it was checked, although the next records may show
// that the input is a stream. What was reported is not reported again.
func TestMessagesPassWhileTheKindIsOpen(t *testing.T) {
	const user = `{"role": "user", "type": "message", "key": 1, "content": "Hi"}` + "\n"
	const start = `{"role": "assistant", "type": "message", "start": true}` + "\n"
	const content = `{"role": "assistant", "type": "message", "content": "Hi"}` + "\n"
	for name, c := range map[string]struct {
		lines []string
		rules []string // that reported something after each line
	}{
		"a transcript": {[]string{user, user, content, content}, []string{"LMC110", "LMC110", "", ""}},
		"a stream":     {[]string{user, user, start, content}, []string{"LMC110", "LMC110", "", "LMC201"}},
	} {
		t.Run(name, func(t *testing.T) {
			var found []string
			passed, read := int64(0), int64(0)
			emit := func(f lint.Finding) error { found = append(found, f.Rule.ID); return nil }
			f := feed.New(t.Context(), linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Immediate: true})), "input", emit, func(end int64) { passed = end })
			for i, line := range c.lines {
				found = nil
				require.NoError(t, f.Push([]byte(line)))
				read += int64(len(line))
				assert.Equal(t, c.rules[i], strings.Join(found, " "), "line %d", i+1)
				if line != start {
					assert.GreaterOrEqual(t, passed, read-1, "line %d", i+1)
				}
			}
			result, err := f.Close()
			require.NoError(t, err)
			assert.Equal(t, len(c.lines), result.Records)
		})
	}
}

// messages returns whole messages as JSON Lines.
func messages(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `{"role": %q, "type": "message", "content": "This is message number %d."}`+"\n", []string{"user", "assistant"}[i%2], i)
	}
	return all.String()
}

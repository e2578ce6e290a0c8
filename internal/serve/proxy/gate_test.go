package proxy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/serve/proxy"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// sent is a frame of a case, and the side that sends it.
type sent struct {
	byServer bool
	binary   bool
	text     string
}

// line is the line of the frame in a session log.
func (f sent) line() string {
	dir, key, value := "send", "text", f.text
	if f.byServer {
		dir = "recv"
	}
	if f.binary {
		key = "bytes_base64"
	}
	if strings.HasPrefix(f.text, "{") && json.Valid([]byte(f.text)) && !strings.Contains(f.text, "\n") {
		return fmt.Sprintf(`{"dir": %q, "frame": %s}`+"\n", dir, f.text)
	}
	text, _ := json.Marshal(value)
	return fmt.Sprintf(`{"dir": %q, %q: %s}`+"\n", dir, key, text)
}

// gateCase are frames, of which the last one decides an error of the rules, or which
// have none.
type gateCase struct {
	name   string
	frames []sent
	rules  []string // empty if all frames pass
}

// firstError truncates frames after the one that decides the first error. The linter
// reads them from a log that does not end.
func firstError(t *testing.T, name string, frames []sent) gateCase {
	t.Helper()
	sessions, _ := newLinters(true)
	log := ""
	for i, f := range frames {
		log += f.line()
		var ids []string
		more := errors.New("there is more to come")
		_, _ = sessions.Run(t.Context(), name, io.MultiReader(strings.NewReader(log), failing{more}), func(f lint.Finding) error {
			if f.Severity == lint.SeverityError {
				ids = append(ids, f.Rule.ID)
			}
			return nil
		})
		if len(ids) > 0 {
			return gateCase{name, frames[:i+1], ids}
		}
	}
	return gateCase{name, frames, nil}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// ask is a healthy message of the user, reply the server's.
var (
	ask = []sent{
		{text: `{"role": "user", "start": true}`},
		{text: `{"role": "user", "type": "message", "content": "hi"}`},
		{text: `{"role": "user", "end": true}`},
	}
	reply = []sent{
		{byServer: true, text: `{"role": "assistant", "type": "message", "start": true}`},
		{byServer: true, text: `{"role": "assistant", "type": "message", "content": "Hello"}`},
		{byServer: true, text: `{"role": "assistant", "type": "message", "end": true}`},
		{byServer: true, text: `{"role": "server", "type": "status", "content": "complete"}`},
	}
)

// badFrames are the last frames of cases, and the rule that stops there.
var badFrames = []struct {
	name, rule string
	frames     []string
}{
	{"garbage", "LMC001", []string{`garbage {`}},
	{"a number", "LMC004", []string{`42`}},
	{"a string", "LMC004", []string{`"x"`}},
	{"a list", "LMC004", []string{`[1]`}},
	{"an empty frame", "LMC001", []string{``}},
	{"spaces", "LMC001", []string{`  `}},
	{"a torn frame", "LMC001", []string{`{"role": "user", "type": "mess`}},
	{"text after the record", "LMC001", []string{`{"role": "user", "start": true} x`}},
	{"too deep", "LMC010", []string{`{"role": "user", "type": "message", "id": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `, "content": "x"}`}},
	{"a key twice", "LMC003", []string{`{"role": "user", "role": "user", "start": true}`}},
	{"no role", "LMC101", []string{`{"type": "message", "start": true}`}},
	{"unknown role", "LMC102", []string{`{"role": "usr", "start": true}`}},
	{"unknown type", "LMC104", []string{`{"role": "user", "type": "mesage", "start": true}`}},
	{"a number as flag", "LMC111", []string{`{"role": "user", "start": 1}`}},
	{"content outside a block", "LMC609", []string{`{"role": "user", "type": "message", "content": "x"}`}},
	{"only an end", "LMC204", []string{`{"role": "user", "end": true}`}},
	{"two starts", "LMC202", []string{`{"role": "user", "start": true}`, `{"role": "user", "start": true}`}},
	{"a block without content", "LMC610", []string{`{"role": "user", "start": true}`, `{"role": "user", "end": true}`}},
	{"an unknown command", "LMC605", []string{`{"role": "user", "type": "command", "start": true}`, `{"role": "user", "type": "command", "content": "run"}`}},
	{"an unknown command in parts", "LMC605", []string{
		`{"role": "user", "type": "command", "start": true}`, `{"role": "user", "type": "command", "content": "s"}`, `{"role": "user", "type": "command", "content": "tart"}`,
	}},
	{"a command outside a block", "LMC604", []string{`{"role": "user", "type": "command", "content": "go"}`}},
}

func TestBadFramesAreStopped(t *testing.T) {
	var cases []gateCase
	for _, bad := range badFrames {
		var frames []sent
		for _, text := range bad.frames {
			frames = append(frames, sent{text: text})
		}
		cases = append(cases,
			gateCase{"first " + bad.name, frames, []string{bad.rule}},
			gateCase{"later " + bad.name, slices.Concat(ask, reply, frames), []string{bad.rule}})
	}
	for _, torn := range reply { // from the other side
		f := sent{byServer: true, text: torn.text[:len(torn.text)/2]}
		cases = append(cases, gateCase{"the server's " + f.text, slices.Concat(ask, []sent{f}), []string{"LMC001"}})
	}
	cases = append(cases, gateCase{"an answer to a message without its end", slices.Concat(ask[:2], reply[:1]), []string{"LMC202"}})
	checkStops(t, exhaustive.Sample(cases, 60))
}

// Every rule that reports an error in sessions stops at it, and healthy frames pass.
func TestRulesStopSessions(t *testing.T) {
	var cases []gateCase
	for _, rule := range rules.All() {
		if !rule.Inputs.Has(lint.Sessions) {
			continue
		}
		for _, e := range append(rule.Bad, rule.Good...) {
			if frames := framesOf(e); len(frames) > 0 {
				cases = append(cases, firstError(t, rule.ID+" "+e.Name, frames))
			}
		}
	}
	stopped := map[string]bool{}
	for _, c := range cases {
		for _, id := range c.rules {
			stopped[id] = true
		}
	}
	for _, rule := range rules.All() {
		if rule.Severity == lint.SeverityError && rule.Inputs == lint.Sessions && !stopsNothing[rule.ID] {
			assert.True(t, stopped[rule.ID], "%s stops no example", rule.ID)
		}
	}
	checkStops(t, exhaustive.Sample(cases, 60))
}

// stopsNothing are rules that stop no connection: only its end decides LMC603, and
// LMC614 is of the fork's dialect.
var stopsNothing = map[string]bool{"LMC603": true, "LMC614": true}

// framesOf returns the frames of an example of a session, or nil.
func framesOf(e lint.Example) (frames []sent) {
	if e.Make != nil || e.Kind != "" && e.Kind != "session" || e.Dialect != "" && e.Dialect != "server" || e.MaxRecordBytes+int64(e.MaxDepth) > 0 || !strings.Contains(e.Input, `"dir"`) {
		return nil
	}
	for line := range strings.Lines(e.Input) {
		var l logged
		if json.Unmarshal([]byte(line), &l) != nil || l.Dir != "send" && l.Dir != "recv" || l.Binary && l.Bytes == "" {
			return nil
		}
		kind, text := l.message()
		frames = append(frames, sent{l.Dir == "recv", kind == websocket.MessageBinary, string(text)})
	}
	return frames
}

// Recorded sessions pass frame by frame, and each frame of them that is torn stops the
// connection.
func TestTornFramesAreStopped(t *testing.T) {
	logs, err := filepath.Glob("../../../testdata/recorded/*/*.ws.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	var cases []gateCase
	for _, path := range logs {
		var frames []sent
		for _, l := range readLog(t, path) {
			kind, text := l.message()
			frames = append(frames, sent{l.Dir == "recv", kind == websocket.MessageBinary, string(text)})
		}
		frames = frames[:min(len(frames), 60)]
		whole := firstError(t, path, frames)
		cases = append(cases, whole)
		for i := 0; i < len(whole.frames)-len(whole.rules) && i < 40; i += 3 {
			f := whole.frames[i]
			if f.binary {
				continue
			}
			size := 1 + (7*i+len(f.text)/3)%(len(f.text)-1)
			f.text = strings.ToValidUTF8(f.text[:size], "")
			cases = append(cases, gateCase{fmt.Sprintf("%s, frame %d torn", path, i), slices.Concat(frames[:i], []sent{f}), []string{"LMC001"}})
		}
	}
	checkStops(t, exhaustive.Sample(cases, 80))
}

// checkStops plays cases through a proxy that stops on errors. Each frame must arrive
// before the next one is sent; the last one of a bad case must not arrive, and both
// sides must be closed with the id of the rule.
func checkStops(t *testing.T, cases []gateCase) {
	t.Helper()
	servers := make(chan *websocket.Conn)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		servers <- conn
		<-ctx.Done()
	})
	o, address := start(t, upstream, func(o *proxy.Options) { o.StopOn = lint.SeverityError })
	var delays []time.Duration
	bad := 0
	for _, c := range cases {
		client := dial(t, address, nil)
		server := <-servers
		last := len(c.frames)
		if len(c.rules) > 0 {
			last--
		}
		ok := true
		for i, f := range c.frames[:last] {
			from, to := client, server
			if f.byServer {
				from, to = server, client
			}
			require.NoError(t, from.Write(t.Context(), f.kind(), []byte(f.text)), c.name)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			_, text, err := to.Read(ctx)
			cancel()
			if ok = assert.NoError(t, err, "%s: frame %d did not arrive: %s", c.name, i, f.text) && assert.Equal(t, f.text, string(text), c.name); !ok {
				break
			}
		}
		if ok && len(c.rules) > 0 {
			bad++
			delays = append(delays, checkStopped(t, c, client, server))
		}
		_ = client.CloseNow()
		_ = server.CloseNow()
		o.wait(t)
	}
	t.Logf("%d cases, %d of them bad", len(cases), bad)
	if len(delays) > 0 {
		slices.Sort(delays)
		t.Logf("closed within %s, half of them within %s", delays[len(delays)-1], delays[len(delays)/2])
		// On a quiet machine it is some milliseconds; a frame that waits for the next one
		// never passes.
		assert.Less(t, delays[len(delays)/2], 5*time.Second)
	}
}

func (f sent) kind() websocket.MessageType {
	if f.binary {
		return websocket.MessageBinary
	}
	return websocket.MessageText
}

// checkStopped sends the last frame of a case, and returns how long it took until its
// sender was closed.
func checkStopped(t *testing.T, c gateCase, client, server *websocket.Conn) time.Duration {
	t.Helper()
	f := c.frames[len(c.frames)-1]
	from := client
	if f.byServer {
		from = server
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	begun := time.Now()
	require.NoError(t, from.Write(ctx, f.kind(), []byte(f.text)), c.name)
	delay := time.Duration(0)
	for _, conn := range []*websocket.Conn{server, client} {
		var closed websocket.CloseError
		for {
			_, text, err := conn.Read(ctx)
			if err == nil { // only what ends the server's block may come
				assert.Same(t, client, conn, "%s: the server got %s", c.name, text)
				assert.NotEqual(t, f.text, string(text), "%s: the frame arrived", c.name)
				continue
			}
			if assert.ErrorAs(t, err, &closed, "%s: the connection was not closed after %s", c.name, f.text) {
				assert.Equal(t, websocket.StatusPolicyViolation, closed.Code, c.name)
				assert.Contains(t, c.rules, closed.Reason, "%s: %s", c.name, f.text)
			}
			break
		}
		if conn == from {
			delay = time.Since(begun)
		}
	}
	return delay
}

// The client gets the end of the server's block, an error and complete before the
// close frame, so that it does not wait for them.
func TestStopEndsTheServersBlock(t *testing.T) {
	server := make(chan *websocket.Conn, 1)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		server <- conn
		<-ctx.Done()
	})
	_, address := start(t, upstream, func(o *proxy.Options) { o.StopOn = lint.SeverityError })
	client := dial(t, address, nil)
	from := <-server
	for _, f := range ask {
		require.NoError(t, client.Write(t.Context(), f.kind(), []byte(f.text)))
		_, _, err := from.Read(t.Context())
		require.NoError(t, err)
	}
	for _, f := range slices.Concat(reply[:2], reply[:1]) {
		require.NoError(t, from.Write(t.Context(), f.kind(), []byte(f.text)))
	}
	var got []string
	for {
		_, text, err := client.Read(t.Context())
		if err != nil {
			assert.Equal(t, websocket.StatusPolicyViolation, websocket.CloseStatus(err))
			break
		}
		got = append(got, string(text))
	}
	want := []string{reply[0].text, reply[1].text, reply[2].text, `{"role": "server", "type": "error", "content": "stopped by lmclint: LMC202"}`, reply[3].text}
	assert.Equal(t, want, got)
}

// A text frame that is not UTF-8 is an error of its record.
func TestFramesThatAreNotTextDoNotPass(t *testing.T) {
	text := "{\"role\": \"user\", \"type\": \"message\", \"content\": \"\xff\"}"
	require.False(t, utf8.ValidString(text))
	checkStops(t, []gateCase{{"invalid UTF-8", []sent{{text: text}}, []string{"LMC002"}}, {"later", slices.Concat(ask, reply, []sent{{text: text}}), []string{"LMC002"}}})
}

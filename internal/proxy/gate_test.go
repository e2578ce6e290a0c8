package proxy_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/proxy"
	"github.com/lmclint/lmclint/lint"
)

// sent is a frame of a case, and the side that sends it.
type sent struct {
	byServer bool
	text     string
}

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

// gateCase are frames, of which the last one decides an error of a rule.
type gateCase struct {
	frames []sent
	rule   string // empty if all frames pass
}

// Whatever frame breaks a rule stops the connection, the first one and a later one, of
// either side. Which frame decides a rule is for package feed.
func TestBadFramesAreStopped(t *testing.T) {
	var cases []gateCase
	for frame, rule := range map[string]string{
		`garbage {`:                             "LMC001",
		`42`:                                    "LMC004",
		`[1]`:                                   "LMC004",
		``:                                      "LMC001",
		`{"role": "user", "type": "mess`:        "LMC001",
		`{"role": "user", "start": true} x`:     "LMC001",
		`{"role": "usr", "start": true}`:        "LMC102",
		`{"role": "user", "end": true}`:         "LMC204",
		"{\"role\": \"user\", \"x\": \"\xff\"}": "LMC002",
		`{"role": "user", "type": "message", "id": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `, "content": "x"}`: "LMC010",
	} {
		bad := []sent{{text: frame}}
		cases = append(cases, gateCase{bad, rule}, gateCase{slices.Concat(ask, reply, bad), rule})
	}
	torn := sent{byServer: true, text: reply[1].text[:40]}
	again := sent{text: ask[0].text}
	checkStops(t, append(cases,
		gateCase{slices.Concat(ask, reply, ask, reply), ""},
		gateCase{slices.Concat(ask, reply[:1], []sent{torn}), "LMC001"},
		gateCase{slices.Concat(ask[:2], reply[:1]), "LMC202"},
		gateCase{[]sent{again, again}, "LMC202"},
		gateCase{[]sent{{text: `{"role": "user", "type": "command", "content": "go"}`}}, "LMC604"}))
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
	for _, c := range cases {
		client := dial(t, address, nil)
		server := <-servers
		last := len(c.frames)
		if c.rule != "" {
			last--
		}
		ok := true
		for i, f := range c.frames[:last] {
			from, to := client, server
			if f.byServer {
				from, to = server, client
			}
			require.NoError(t, from.Write(t.Context(), websocket.MessageText, []byte(f.text)))
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			_, text, err := to.Read(ctx)
			cancel()
			if ok = assert.NoError(t, err, "frame %d did not arrive: %s", i, f.text) && assert.Equal(t, f.text, string(text)); !ok {
				break
			}
		}
		if ok && c.rule != "" {
			checkStopped(t, c, client, server)
		}
		_ = client.CloseNow()
		_ = server.CloseNow()
		o.wait(t)
	}
}

// checkStopped sends the last frame of a case, after which both sides are closed.
func checkStopped(t *testing.T, c gateCase, client, server *websocket.Conn) {
	t.Helper()
	f := c.frames[len(c.frames)-1]
	from := client
	if f.byServer {
		from = server
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, from.Write(ctx, websocket.MessageText, []byte(f.text)))
	for _, conn := range []*websocket.Conn{server, client} {
		var closed websocket.CloseError
		for {
			_, text, err := conn.Read(ctx)
			if err == nil { // only what ends the server's block may come
				assert.Same(t, client, conn, "the server got %s", text)
				assert.NotEqual(t, f.text, string(text), "the frame arrived")
				continue
			}
			if assert.ErrorAs(t, err, &closed, "the connection was not closed after %s", f.text) {
				assert.Equal(t, websocket.StatusPolicyViolation, closed.Code, f.text)
				assert.Equal(t, c.rule, closed.Reason, f.text)
			}
			break
		}
	}
}

// The client gets the end of the server's block, an error and complete before the
// close frame, so that it does not wait for them.
func TestStopEndsTheServersBlock(t *testing.T) {
	server := make(chan *websocket.Conn, 1)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		server <- conn
		<-ctx.Done()
	})
	for _, hard := range []bool{false, true} {
		_, address := start(t, upstream, func(o *proxy.Options) { o.StopOn, o.StopHard = lint.SeverityError, hard })
		client := dial(t, address, nil)
		from := <-server
		for _, f := range ask {
			require.NoError(t, client.Write(t.Context(), websocket.MessageText, []byte(f.text)))
			_, _, err := from.Read(t.Context())
			require.NoError(t, err)
		}
		for _, f := range slices.Concat(reply[:2], reply[:1]) {
			require.NoError(t, from.Write(t.Context(), websocket.MessageText, []byte(f.text)))
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
		want := []string{reply[0].text, reply[1].text}
		if !hard {
			want = append(want, reply[2].text, `{"role": "server", "type": "error", "content": "stopped by lmclint: LMC202"}`, reply[3].text)
		}
		assert.Equal(t, want, got)
	}
}

package proxy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/serve/proxy"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// patience bounds every wait of the tests; none lasts that long.
const patience = 20 * time.Second

// observer collects what a proxy reports.
type observer struct {
	mu       sync.Mutex
	findings []lint.Finding
	results  []lint.Result
	faults   []string
	idle     []string
	done     chan struct{} // receives a value for each result
}

func newObserver() *observer { return &observer{done: make(chan struct{}, 100)} }

func (o *observer) Finding(f lint.Finding) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.findings = append(o.findings, f)
}

func (o *observer) Done(r lint.Result, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.results = append(o.results, r)
	if err != nil {
		o.faults = append(o.faults, err.Error())
	}
	o.done <- struct{}{}
}

func (o *observer) Idle(_ string, frame source.Place) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle = append(o.idle, fmt.Sprintf("%d:%d", frame.Span.Start.Line, frame.Span.Start.Column))
}

func (o *observer) Fault(name string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults = append(o.faults, name+": "+err.Error())
}

// wait waits for the end of a connection.
func (o *observer) wait(t *testing.T) {
	t.Helper()
	select {
	case <-o.done:
	case <-time.After(patience):
		t.Fatal("no connection ended")
	}
}

// ids returns the rules of the findings.
func (o *observer) ids() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ids []string
	for _, f := range o.findings {
		ids = append(ids, f.Rule.ID)
	}
	return ids
}

func (o *observer) allFaults() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.faults)
}

// newLinters returns linters for sessions and for event streams.
func newLinters(live bool) (sessions, events *lint.Linter) {
	forSessions := lint.Config{Protocol: "lmc", Kind: "session", Form: "session-log", AllowEmpty: true, Live: live}
	forEvents := lint.Config{Form: "sse", AllowEmpty: true, Discovered: true, Live: live}
	return linttest.MustNew(rules.All(), lint.WithConfig(forSessions)), linttest.MustNew(rules.All(), lint.WithConfig(forEvents))
}

// linters are those of most tests.
var linters = sync.OnceValues(func() (sessions, events *lint.Linter) { return newLinters(false) })

// start starts a proxy before a server, and returns the proxy's WebSocket URL.
func start(t *testing.T, upstream string, change func(*proxy.Options)) (*observer, string) {
	t.Helper()
	o := newObserver()
	to, err := url.Parse(upstream)
	require.NoError(t, err)
	sessions, events := linters()
	options := proxy.Options{Upstream: to, Sessions: sessions, Events: events, Observer: o}
	if change != nil {
		change(&options)
	}
	if options.StopOn != 0 {
		options.Sessions, options.Events = newLinters(true)
	}
	p, err := proxy.New(options)
	require.NoError(t, err)
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		p.Close()
		server.Close()
	})
	return o, "ws" + strings.TrimPrefix(server.URL, "http")
}

// serve starts a WebSocket server.
func serve(t *testing.T, options *websocket.AcceptOptions, handle func(context.Context, *websocket.Conn, *http.Request)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, options)
		if err != nil {
			return
		}
		conn.SetReadLimit(-1)
		defer func() { _ = conn.CloseNow() }()
		handle(r.Context(), conn, r)
	}))
	t.Cleanup(server.CloseClientConnections)
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// dial connects a client.
func dial(t *testing.T, address string, options *websocket.DialOptions) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, address, options)
	require.NoError(t, err)
	if response.Body != nil {
		_ = response.Body.Close()
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// echo sends back what it receives.
func echo(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
	for {
		kind, text, err := conn.Read(ctx)
		if err != nil || conn.Write(ctx, kind, text) != nil {
			return
		}
	}
}

// logged is a line of a session log.
type logged struct {
	Dir    string          `json:"dir"`
	Frame  json.RawMessage `json:"frame"`
	Text   *string         `json:"text"`
	Bytes  string          `json:"bytes_base64"`
	Binary bool            `json:"binary"`
}

// message returns the frame that was logged.
func (l logged) message() (websocket.MessageType, []byte) {
	switch {
	case l.Bytes != "":
		data, _ := base64.StdEncoding.DecodeString(l.Bytes)
		return websocket.MessageBinary, data
	case l.Text != nil:
		return websocket.MessageText, []byte(*l.Text)
	}
	return websocket.MessageText, l.Frame
}

// readLog reads a session log without its notes.
func readLog(t *testing.T, path string) []logged {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var frames []logged
	for line := range bytes.Lines(text) {
		var l logged
		require.NoError(t, json.Unmarshal(line, &l))
		if l.Dir != "note" {
			frames = append(frames, l)
		}
	}
	return frames
}

// replay plays one side of a session: it sends the frames of its direction, and
// waits for those of the other one.
func replay(ctx context.Context, conn *websocket.Conn, frames []logged, sends string) error {
	for i, l := range frames {
		kind, text := l.message()
		if l.Dir == sends {
			if err := conn.Write(ctx, kind, text); err != nil {
				return fmt.Errorf("frame %d: %w", i, err)
			}
			continue
		}
		got, received, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("frame %d: %w", i, err)
		}
		if got != kind || !bytes.Equal(received, text) {
			return fmt.Errorf("frame %d: got %s, want %s", i, received, text)
		}
	}
	return nil
}

// found is a finding without its place in bytes.
type found struct {
	rule, message string
	record        int
}

func findingsOf(t *testing.T, path string) []found {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, file.Close()) }()
	sessions, _ := linters()
	var list []found
	for f, err := range sessions.Lint(t.Context(), path, file) {
		require.NoError(t, err)
		list = append(list, found{f.Rule.ID, f.Message, f.Place.Record})
	}
	return list
}

// With a gate, too, for healthy sessions: one that waited for an answer to what it holds
// back would wait forever.
func TestRecordedSessionsPassUnchanged(t *testing.T) {
	var logs []string
	require.NoError(t, filepath.WalkDir("../../../testdata", func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".ws.jsonl") {
			logs = append(logs, path)
		}
		return err
	}))
	require.NotEmpty(t, logs)
	for _, path := range exhaustive.Sample(logs, 12) {
		want := findingsOf(t, path)
		stopOn := []lint.Severity{0}
		if len(want) == 0 {
			stopOn = append(stopOn, lint.SeverityNote)
		}
		for _, minimum := range stopOn {
			t.Run(fmt.Sprint(filepath.Base(path), " ", minimum), func(t *testing.T) { passesUnchanged(t, path, minimum, want) })
		}
	}
}

func passesUnchanged(t *testing.T, path string, minimum lint.Severity, want []found) {
	frames := readLog(t, path)
	served := make(chan error, 1)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		served <- replay(ctx, conn, frames, "recv")
		_, _, _ = conn.Read(ctx) // the close frame
	})
	folder := t.TempDir()
	o, address := start(t, upstream, func(p *proxy.Options) { p.Folder, p.WholeBinary, p.StopOn = folder, true, minimum })
	client := dial(t, address, nil)
	require.NoError(t, replay(t.Context(), client, frames, "send"))
	require.NoError(t, <-served)
	require.NoError(t, client.Close(websocket.StatusNormalClosure, ""))
	o.wait(t)

	var live []found
	for _, f := range o.findings {
		live = append(live, found{f.Rule.ID, f.Message, f.Place.Record})
	}
	assert.Equal(t, want, live, "live")
	assert.Empty(t, o.allFaults())
	recorded := waitForFile(t, folder)
	assert.Equal(t, want, findingsOf(t, recorded), "recorded")
	assert.Len(t, readLog(t, recorded), len(frames))
}

// waitForFile returns the only file of a folder once it has its final name.
func waitForFile(t *testing.T, folder string) string {
	t.Helper()
	var names []string
	require.Eventually(t, func() bool {
		names, _ = filepath.Glob(filepath.Join(folder, "*"))
		return len(names) == 1 && !strings.HasSuffix(names[0], ".tmp")
	}, patience, time.Millisecond, "%s", names)
	return names[0]
}

func TestHandshakePassesHeadersAndSubprotocol(t *testing.T) {
	got := make(chan *http.Request, 1)
	upstream := serve(t, &websocket.AcceptOptions{Subprotocols: []string{"lmc"}, InsecureSkipVerify: true}, func(ctx context.Context, conn *websocket.Conn, r *http.Request) {
		got <- r
		echo(ctx, conn, r)
	})
	_, address := start(t, upstream+"/base", nil)
	client := dial(t, address+"/ws?token=a%20b", &websocket.DialOptions{
		Subprotocols: []string{"other", "lmc"}, HTTPHeader: http.Header{"Authorization": {"Bearer x"}, "Origin": {"http://app.example"}},
	})
	request := <-got
	assert.Equal(t, "/base/ws?token=a%20b", request.RequestURI)
	assert.Equal(t, "Bearer x", request.Header.Get("Authorization"))
	assert.Equal(t, "http://app.example", request.Header.Get("Origin"))
	assert.Equal(t, "lmc", client.Subprotocol())
}

func TestRefusedHandshakeIsPassedOn(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such session", http.StatusForbidden)
	}))
	defer upstream.Close()
	o, address := start(t, upstream.URL, nil)
	_, response, err := websocket.Dial(t.Context(), address, nil) //nolint:bodyclose // Dial does
	require.Error(t, err)
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "no such session\n", string(body))
	assert.Equal(t, []string{"connection 1: the upstream answered with 403 Forbidden"}, o.allFaults())
}

func TestRedirectIsPassedOn(t *testing.T) {
	upstream := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusFound))
	defer upstream.Close()
	_, address := start(t, upstream.URL, nil)
	once := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	_, response, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPClient: once}) //nolint:bodyclose // Dial does
	require.Error(t, err)
	assert.Equal(t, http.StatusFound, response.StatusCode)
	assert.Equal(t, "/elsewhere", response.Header.Get("Location"))
}

// A client that reads nothing does not keep the proxy from ending.
func TestCloseGivesUpAStalledClient(t *testing.T) {
	if !exhaustive.Enabled() {
		t.Skip("waits five seconds for the client")
	}
	frame := []byte(`{"role": "assistant", "type": "message", "content": "` + strings.Repeat("x", 64<<10) + `"}`)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		for conn.Write(ctx, websocket.MessageText, frame) == nil { // until the proxy closes it
		}
	})
	stalled := make(chan struct{})
	to, err := url.Parse(upstream)
	require.NoError(t, err)
	sessions, events := linters()
	p, err := proxy.New(proxy.Options{
		Upstream: to, Sessions: sessions, Events: events, StallAfter: 50 * time.Millisecond,
		Observer: &stallObserver{newObserver(), sync.OnceFunc(func() { close(stalled) })},
	})
	require.NoError(t, err)
	server := httptest.NewServer(p)
	defer server.Close()
	dial(t, "ws"+strings.TrimPrefix(server.URL, "http"), nil)
	<-stalled
	closed := make(chan struct{})
	go func() {
		p.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("the proxy waits for a client that does not read")
	}
}

// stallObserver calls a function at the first fault.
type stallObserver struct {
	*observer
	stalled func()
}

func (o *stallObserver) Fault(name string, err error) {
	o.observer.Fault(name, err)
	o.stalled()
}

func TestAbsentUpstream(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	absent := listener.Addr().String()
	require.NoError(t, listener.Close())
	o, address := start(t, "ws://"+absent, nil)
	_, response, err := websocket.Dial(t.Context(), address, nil) //nolint:bodyclose // Dial does
	require.Error(t, err)
	assert.Equal(t, http.StatusBadGateway, response.StatusCode)
	plain, err := http.Get("http" + strings.TrimPrefix(address, "ws") + "/settings")
	require.NoError(t, err)
	require.NoError(t, plain.Body.Close())
	assert.Equal(t, http.StatusBadGateway, plain.StatusCode)
	assert.Len(t, o.allFaults(), 2, "one for each request: %q", o.allFaults())
}

// Recorded turns of a session.
const (
	userStart = `{"role": "user", "type": "message", "start": true}`
	userText  = `{"role": "user", "type": "message", "content": "Hi"}`
	userEnd   = `{"role": "user", "type": "message", "end": true}`
	wrongRole = `{"role": "asistant", "type": "message", "content": "Hello"}`
	answer    = `{"role": "assistant", "type": "message", "start": true}`
	answerEnd = `{"role": "assistant", "type": "message", "end": true}`
)

func send(t *testing.T, conn *websocket.Conn, frames ...string) {
	t.Helper()
	for _, f := range frames {
		require.NoError(t, conn.Write(t.Context(), websocket.MessageText, []byte(f)))
	}
}

// receive reads until the connection is closed, and returns how.
func receive(t *testing.T, conn *websocket.Conn) (closed websocket.CloseError) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		_, _, err := conn.Read(ctx)
		switch {
		case err == nil:
		case errors.As(err, &closed):
			return closed
		default:
			return websocket.CloseError{Code: websocket.StatusAbnormalClosure, Reason: err.Error()}
		}
	}
}

func TestCloseFramePassesWithCodeAndReason(t *testing.T) {
	t.Run("of the server", func(t *testing.T) {
		upstream := serve(t, nil, func(_ context.Context, conn *websocket.Conn, _ *http.Request) {
			_ = conn.Close(4321, "enough")
		})
		o, address := start(t, upstream, nil)
		closed := receive(t, dial(t, address, nil))
		assert.Equal(t, websocket.CloseError{Code: 4321, Reason: "enough"}, closed)
		o.wait(t)
		assert.Empty(t, o.allFaults())
	})
	t.Run("of the client", func(t *testing.T) {
		seen := make(chan error, 1)
		upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
			_, _, err := conn.Read(ctx)
			seen <- err
		})
		_, address := start(t, upstream, nil)
		require.NoError(t, dial(t, address, nil).Close(4001, "bye"))
		var closed websocket.CloseError
		require.ErrorAs(t, <-seen, &closed)
		assert.Equal(t, websocket.CloseError{Code: 4001, Reason: "bye"}, closed)
	})
}

func TestLostPeersAreReportedOnce(t *testing.T) {
	t.Run("server", func(t *testing.T) {
		upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
			_, _, _ = conn.Read(ctx)
			_ = conn.CloseNow()
		})
		o, address := start(t, upstream, nil)
		client := dial(t, address, nil)
		send(t, client, userStart)
		closed := receive(t, client)
		assert.Equal(t, websocket.StatusAbnormalClosure, closed.Code)
		o.wait(t)
		require.Len(t, o.allFaults(), 1)
		assert.Contains(t, o.allFaults()[0], "the server disconnected without closing the connection")
	})
	t.Run("client", func(t *testing.T) {
		gone := make(chan error, 1)
		upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
			_, _, err := conn.Read(ctx)
			gone <- err
		})
		o, address := start(t, upstream, nil)
		require.NoError(t, dial(t, address, nil).CloseNow())
		require.Error(t, <-gone)
		o.wait(t)
		require.Len(t, o.allFaults(), 1)
		assert.Contains(t, o.allFaults()[0], "the client disconnected without closing the connection")
	})
}

func TestAnInvalidFrameIsNoDisconnection(t *testing.T) {
	gone := make(chan error, 1)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		_, _, err := conn.Read(ctx)
		gone <- err
	})
	o, address := start(t, upstream, nil)
	wires := make(chan net.Conn, 1)
	dialer := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		wire, err := new(net.Dialer).DialContext(ctx, network, address)
		wires <- wire
		return wire, err
	}}
	dial(t, address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: dialer}})
	_, err := (<-wires).Write([]byte("\x81\x02{}")) // without a mask
	require.NoError(t, err)
	require.Error(t, <-gone)
	o.wait(t)
	require.Len(t, o.allFaults(), 1)
	assert.Contains(t, o.allFaults()[0], "the client broke the WebSocket protocol: ")
}

func TestFrameOverTheLimit(t *testing.T) {
	o, address := start(t, serve(t, nil, echo), func(p *proxy.Options) { p.MaxFrameBytes = 1000 })
	other := dial(t, address, nil)
	client := dial(t, address, nil)
	send(t, client, `{"role": "user", "type": "message", "content": "`+strings.Repeat("x", 2000)+`"}`)
	closed := receive(t, client)
	assert.Equal(t, websocket.StatusMessageTooBig, closed.Code)
	assert.Equal(t, "a frame has more than 1,000 bytes, the limit of lmclint proxy", closed.Reason)
	o.wait(t)
	require.Len(t, o.allFaults(), 1)
	assert.Contains(t, o.allFaults()[0], "the client sent a frame of more than 1,000 bytes")

	send(t, other, userStart) // other connections go on
	_, text, err := other.Read(t.Context())
	require.NoError(t, err)
	assert.JSONEq(t, userStart, string(text))
}

func TestInvalidUTF8IsPassedAndReported(t *testing.T) {
	o, address := start(t, serve(t, nil, echo), nil)
	client := dial(t, address, nil)
	wrong := "{\"role\": \"user\", \"type\": \"message\", \"content\": \"\xff\"}"
	send(t, client, userStart, wrong, userEnd)
	for _, want := range []string{userStart, wrong, userEnd} {
		_, text, err := client.Read(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	require.NoError(t, client.Close(websocket.StatusNormalClosure, ""))
	o.wait(t)
	assert.Contains(t, o.ids(), "LMC002")
}

func TestSlowClientSlowsTheServer(t *testing.T) {
	frame := []byte(`{"role": "assistant", "type": "message", "content": "` + strings.Repeat("x", 64<<10) + `"}`)
	const frames = 250 // 16 MB, more than the buffers of the sockets
	written := make(chan int, frames)
	upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		_ = conn.Write(ctx, websocket.MessageText, []byte(answer))
		for i := range frames {
			if conn.Write(ctx, websocket.MessageText, frame) != nil {
				return
			}
			written <- i
		}
		close(written)
		_, _, _ = conn.Read(ctx)
	})
	o, address := start(t, upstream, func(p *proxy.Options) { p.StallAfter = 50 * time.Millisecond })
	client := dial(t, address, nil)
	require.Eventually(t, func() bool { return len(o.allFaults()) > 0 }, patience, time.Millisecond)
	assert.Contains(t, o.allFaults()[0], "the client has read nothing for 50ms; the server waits")
	assert.Less(t, len(written), frames, "the server was not slowed")
	for range frames + 1 {
		_, _, err := client.Read(t.Context())
		require.NoError(t, err)
	}
	assert.Len(t, o.allFaults(), 1)
}

// A response that nothing follows is reported, if it ended but for complete.
func TestIdleResponsesAreReported(t *testing.T) {
	const message = `{"role": "assistant", "type": "message", %s}`
	for name, c := range map[string]struct {
		frames []string
		want   []string
	}{
		"complete is lost":    {[]string{fmt.Sprintf(message, `"start": true`), fmt.Sprintf(message, `"content": "Hi"`), fmt.Sprintf(message, `"end": true`)}, []string{"4:65"}},
		"the server failed":   {[]string{`{"role": "server", "type": "error", "content": "x"}`}, []string{"2:65"}},
		"complete":            {[]string{fmt.Sprintf(message, `"end": true`), `{"role": "server", "type": "status", "content": "complete"}`}, nil},
		"in a block":          {[]string{fmt.Sprintf(message, `"start": true`), fmt.Sprintf(message, `"content": "Hi"`)}, nil},
		"code that runs":      {[]string{`{"role": "assistant", "type": "code", "format": "python", "end": true}`}, nil},
		"a binary frame last": {[]string{fmt.Sprintf(message, `"end": true`), ""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			upstream := serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
				for _, frame := range c.frames {
					kind := websocket.MessageText
					if frame == "" {
						kind = websocket.MessageBinary
					}
					_ = conn.Write(ctx, kind, []byte(frame))
				}
				_, _, _ = conn.Read(ctx)
			})
			o, address := start(t, upstream, func(p *proxy.Options) { p.IdleAfter = 50 * time.Millisecond })
			client := dial(t, address, nil)
			for range c.frames {
				_, _, err := client.Read(t.Context())
				require.NoError(t, err)
			}
			told := func() []string {
				o.mu.Lock()
				defer o.mu.Unlock()
				return slices.Clone(o.idle)
			}
			if len(c.want) > 0 {
				require.Eventually(t, func() bool { return len(told()) > 0 }, patience, time.Millisecond)
			} else {
				time.Sleep(200 * time.Millisecond)
			}
			assert.Equal(t, c.want, told())
		})
	}
}

func TestPingsPass(t *testing.T) {
	for _, stopOn := range []lint.Severity{0, lint.SeverityError} {
		pings := make(chan string, 10)
		answered := make(chan error, 1) // the end of the server's ping; the client must stay until then
		upstream := serve(t, &websocket.AcceptOptions{OnPingReceived: func(_ context.Context, payload []byte) bool {
			pings <- string(payload)
			return true
		}}, func(ctx context.Context, conn *websocket.Conn, r *http.Request) {
			go echo(ctx, conn, r)
			answered <- conn.Ping(ctx)
			<-ctx.Done()
		})
		pongs := make(chan string, 10)
		_, address := start(t, upstream, func(p *proxy.Options) { p.StopOn = stopOn })
		client := dial(t, address, &websocket.DialOptions{
			OnPingReceived: func(_ context.Context, payload []byte) bool { pings <- "of the server " + string(payload); return true },
			OnPongReceived: func(_ context.Context, payload []byte) { pongs <- string(payload) },
		})
		client.CloseRead(t.Context())
		require.NoError(t, client.Ping(t.Context()))
		assert.ElementsMatch(t, []string{"1", "of the server 1"}, []string{<-pings, <-pings})
		assert.Equal(t, "1", <-pongs)
		require.NoError(t, <-answered)
	}
}

// A server that does not answer pings must look like that to the client.
func TestPingsAreAnsweredByTheOtherSide(t *testing.T) {
	got := make(chan struct{}, 1)
	upstream := serve(t, &websocket.AcceptOptions{OnPingReceived: func(context.Context, []byte) bool {
		got <- struct{}{}
		return false
	}}, echo)
	_, address := start(t, upstream, nil)
	client := dial(t, address, nil)
	client.CloseRead(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-got
		time.Sleep(100 * time.Millisecond)
		cancel()
	}()
	require.ErrorIs(t, client.Ping(ctx), context.Canceled)
}

func TestSecretsAreNotRecorded(t *testing.T) {
	folder := t.TempDir()
	o, address := start(t, serve(t, nil, echo), func(p *proxy.Options) { p.Folder = folder })
	client := dial(t, address, nil)
	for _, secret := range []string{ // the wrong types are found although they are not recorded
		`{"auth": "hunter2"}`, `{ "auth" : "hunter2\" hunter2" }`, `{"auth": 42424242}`, `{"auth": "hunter2`, `{"a": {"auth": ["hunter2"]}}`, "{\"auth\":\n\"hunter2\"}",
	} {
		send(t, client, secret)
		_, text, err := client.Read(t.Context())
		require.NoError(t, err)
		assert.Equal(t, secret, string(text), "what passes is unchanged")
	}
	send(t, client, `{"auth": true}`)
	_, _, err := client.Read(t.Context())
	require.NoError(t, err)
	require.NoError(t, client.Close(websocket.StatusNormalClosure, ""))
	o.wait(t)
	text, err := os.ReadFile(waitForFile(t, folder))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "hunter2")
	assert.NotContains(t, string(text), "4242424", "longer than the fraction of a second in the times")
	assert.Contains(t, string(text), `{"auth": true}`)
	for _, f := range o.findings {
		assert.NotContains(t, f.Message, "hunter2")
	}
	assert.Contains(t, o.ids(), "LMC109")
}

func TestBinaryFrames(t *testing.T) {
	for _, whole := range []bool{false, true} {
		t.Run(fmt.Sprint(whole), func(t *testing.T) {
			folder := t.TempDir()
			o, address := start(t, serve(t, nil, echo), func(p *proxy.Options) { p.Folder, p.WholeBinary = folder, whole })
			client := dial(t, address, nil)
			require.NoError(t, client.Write(t.Context(), websocket.MessageBinary, []byte("pcm")))
			kind, data, err := client.Read(t.Context())
			require.NoError(t, err)
			assert.Equal(t, websocket.MessageBinary, kind)
			assert.Equal(t, "pcm", string(data))
			require.NoError(t, client.Close(websocket.StatusNormalClosure, ""))
			o.wait(t)
			path := waitForFile(t, folder)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if whole {
				assert.Contains(t, string(text), `"bytes": 3, "bytes_base64": "cGNt"`)
			} else {
				assert.Contains(t, string(text), `"bytes": 3, "frame": "sha256:`)
			}
			var live []found
			for _, f := range o.findings {
				live = append(live, found{f.Rule.ID, f.Message, f.Place.Record})
			}
			assert.Equal(t, live, findingsOf(t, path))
		})
	}
}

func TestRecordingThatCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "absent")
	o, address := start(t, serve(t, nil, echo), func(p *proxy.Options) { p.Folder = folder })
	client := dial(t, address, nil)
	send(t, client, userStart)
	_, _, err := client.Read(t.Context())
	require.NoError(t, err)
	require.Len(t, o.allFaults(), 1)
	assert.Contains(t, o.allFaults()[0], "record: ")
}

func TestOtherRequestsPass(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Path", r.URL.RequestURI())
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(append([]byte(r.Method+" "), body...))
	}))
	defer upstream.Close()
	_, address := start(t, upstream.URL, nil)
	response, err := http.Post("http"+strings.TrimPrefix(address, "ws")+"/settings?x=1", "application/json", strings.NewReader(`{"auto_run": true}`))
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusAccepted, response.StatusCode)
	assert.Equal(t, "/settings?x=1", response.Header.Get("X-Path"))
	assert.Equal(t, `POST {"auto_run": true}`, string(body))
}

// serveEvents starts a server that answers with an event stream.
func serveEvents(t *testing.T, records ...string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, r := range records {
			_, _ = io.WriteString(w, "data: "+r+"\n\n")
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func getEvents(t *testing.T, address string) (string, error) {
	t.Helper()
	response, err := http.Get("http" + strings.TrimPrefix(address, "ws") + "/chat")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func TestEventStreamsAreLinted(t *testing.T) {
	folder := t.TempDir()
	o, address := start(t, serveEvents(t, answer, wrongRole), func(p *proxy.Options) { p.Folder = folder })
	body, err := getEvents(t, address)
	require.NoError(t, err)
	want := "data: " + answer + "\n\ndata: " + wrongRole + "\n\n"
	assert.Equal(t, want, body)
	o.wait(t)
	assert.Contains(t, o.ids(), "LMC102")
	text, err := os.ReadFile(waitForFile(t, folder))
	require.NoError(t, err)
	assert.Equal(t, want, string(text))
}

func TestStopEndsAnEventStreamBeforeTheRecord(t *testing.T) {
	o, address := start(t, serveEvents(t, answer, wrongRole, answer), func(p *proxy.Options) { p.StopOn = lint.SeverityError })
	body, err := getEvents(t, address)
	require.Error(t, err, "a body that is not complete")
	assert.Equal(t, "data: "+answer+"\n\ndata: "+answerEnd+"\n\n", body, "the open block is ended")
	o.wait(t)
	assert.Equal(t, []string{"LMC102"}, o.ids())
}

func TestGateLetsAnEventStreamEnd(t *testing.T) {
	o, address := start(t, serveEvents(t, answer), func(p *proxy.Options) { p.StopOn = lint.SeverityError })
	body, err := getEvents(t, address)
	require.NoError(t, err, "no record was stopped")
	assert.Equal(t, "data: "+answer+"\n\n", body)
	o.wait(t)
	assert.Equal(t, []string{"LMC203"}, o.ids())
}

func TestEventStreamsOfOtherProtocolsPass(t *testing.T) {
	chunk := `{"id": "1", "object": "chat.completion.chunk", "choices": [{"delta": {"content": "Hi"}}]}`
	o, address := start(t, serveEvents(t, chunk, "[DONE]"), nil)
	body, err := getEvents(t, address)
	require.NoError(t, err)
	assert.Equal(t, "data: "+chunk+"\n\ndata: [DONE]\n\n", body)
	o.wait(t)
	assert.Empty(t, o.ids())
}

func TestUpstreamAddress(t *testing.T) {
	for _, address := range []string{"127.0.0.1:8000", "ftp://a/", "ws:///x"} {
		to, err := url.Parse(address)
		if err != nil {
			continue
		}
		_, err = proxy.New(proxy.Options{Upstream: to, Observer: newObserver()})
		assert.Error(t, err, address)
	}
}

func TestInterruptionIsNoMistake(t *testing.T) {
	o := newObserver()
	to, err := url.Parse(serve(t, nil, func(ctx context.Context, conn *websocket.Conn, _ *http.Request) {
		_ = conn.Write(ctx, websocket.MessageText, []byte(answer))
		_, _, _ = conn.Read(ctx)
	}))
	require.NoError(t, err)
	sessions, events := linters()
	folder := t.TempDir()
	p, err := proxy.New(proxy.Options{Upstream: to, Sessions: sessions, Events: events, Observer: o, Folder: folder})
	require.NoError(t, err)
	server := httptest.NewServer(p)
	defer server.Close()
	client := dial(t, "ws"+strings.TrimPrefix(server.URL, "http"), nil)
	_, _, err = client.Read(t.Context())
	require.NoError(t, err)
	codes := make(chan websocket.StatusCode, 1)
	go func() {
		closed := receive(t, client)
		codes <- closed.Code
	}()
	p.Close()
	assert.Equal(t, websocket.StatusGoingAway, <-codes)
	o.wait(t)
	assert.Empty(t, o.ids(), "the block would have been closed")
	assert.Equal(t, 1, o.results[0].Records)
	assert.Empty(t, o.allFaults())
	logs, err := filepath.Glob(folder + "/*.jsonl")
	require.NoError(t, err)
	require.Len(t, logs, 1)
	assert.Empty(t, findingsOf(t, logs[0]), "check finds what the proxy found")
}

// Package proxy is a WebSocket proxy that lints what passes through it.
//
// A [Proxy] forwards frames of LMC between WebSocket clients and a server, unchanged.
// Each connection is a session: its frames become the lines of a session log,
// in the order in which they arrived, and the linter reads that log while it is
// written.
//
//	client ──▶ reader ──────────▶ server
//	             └─▶ judge ─▶ linter ─▶ Observer
//	                   └────▶ recording
//	client ◀────────── reader ◀── server
//
// A reader has each frame checked and then writes it, with Options.StopOn unless a
// finding stops it.
//
// Memory per connection is bounded: each direction has one frame that is being
// read, and an event stream with Options.StopOn at most maxHeld bytes. While a peer does
// not read, nothing is read from the other one: a slow client slows the server and
// nothing else.
package proxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Limits of a connection.
const (
	// DefaultMaxFrameBytes is the maximum size of a frame, in bytes, as in
	// uvicorn, which Open Interpreter's server runs on.
	DefaultMaxFrameBytes = 16 << 20

	maxHeld = 1 << 20 // bytes of an event stream that wait for a decision

	dialTimeout  = 10 * time.Second
	closeTimeout = 5 * time.Second // for what a peer still reads when its connection is closed
)

// Options are the options of a [Proxy].
type Options struct {
	// Upstream is the address of the server: ws, wss, http or https. The proxy
	// appends the path of a request to the path of this address.
	Upstream *url.URL

	// Sessions lints the connections, Events the event streams of other
	// requests. Both must be configured for their form, and with the severity of
	// StopOn.
	Sessions, Events *lint.Linter

	// StopOn is the minimum severity of a finding that closes a connection
	// before the frame that decides it is passed on; with 0 no finding does.
	StopOn lint.Severity

	// Folder is where connections are recorded; "" is nowhere.
	Folder string

	// WholeBinary records binary frames with their bytes, and not only with
	// their length and their hash.
	WholeBinary bool

	// MaxFrameBytes is the maximum size of a frame in bytes; 0 is
	// DefaultMaxFrameBytes.
	MaxFrameBytes int64

	// StallAfter is how long a peer may leave a frame unread before that is
	// reported; 0 is half a minute.
	StallAfter time.Duration

	// IdleAfter is how long nothing may follow the last frame of a response that has
	// no complete; 0 is without limit.
	IdleAfter time.Duration

	Observer Observer
}

// Observer receives what happens. Its methods may be called concurrently, and
// must return soon: the connection waits for them.
type Observer interface {
	// Finding receives a finding as soon as it is decided. Its path is the
	// name of the connection.
	Finding(f lint.Finding)

	// Idle receives the name of a connection and the place of the last frame of a
	// response that has no complete, when nothing followed it for Options.IdleAfter. The
	// linter may find the same at that place later.
	Idle(name string, frame source.Place)

	// Done receives the result of a connection or an event stream at its end.
	Done(result lint.Result, err error)

	// Fault receives what went wrong with a connection, other than findings.
	// Each fault is reported once.
	Fault(name string, err error)
}

// UpstreamError is why a connection or a request got no answer of the upstream.
type UpstreamError struct{ Err error }

// Error implements the interface error.
func (e *UpstreamError) Error() string { return "upstream: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *UpstreamError) Unwrap() error { return e.Err }

// Proxy is a handler of HTTP requests. WebSocket requests become connections,
// all others are passed on.
type Proxy struct {
	options   Options
	upstream  url.URL // http or https
	rest      *httputil.ReverseProxy
	transport *http.Transport

	mu       sync.Mutex
	sequence int                      // number of the last connection or event stream; guarded by mu
	closing  bool                     // Close was called; guarded by mu
	open     map[*connection]struct{} // guarded by mu
	running  sync.WaitGroup           // of connections and event streams
}

// New returns a proxy. It fails on an upstream that is not a WebSocket or HTTP
// address.
func New(o Options) (*Proxy, error) {
	p := &Proxy{options: o, upstream: *o.Upstream, open: map[*connection]struct{}{}}
	switch o.Upstream.Scheme {
	case "ws", "http":
		p.upstream.Scheme = "http"
	case "wss", "https":
		p.upstream.Scheme = "https"
	default:
		return nil, fmt.Errorf("upstream %s: expected an address that begins with ws:// or wss://", o.Upstream.Redacted())
	}
	if o.Upstream.Host == "" {
		return nil, fmt.Errorf("upstream %s: missing host", o.Upstream.Redacted())
	}
	if p.options.MaxFrameBytes == 0 {
		p.options.MaxFrameBytes = DefaultMaxFrameBytes
	}
	if p.options.StallAfter == 0 {
		p.options.StallAfter = 30 * time.Second
	}
	p.transport = &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		ResponseHeaderTimeout: 0, // a model may think for minutes
		TLSHandshakeTimeout:   dialTimeout,
		DisableCompression:    true, // bodies pass unchanged
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
	}
	p.rest = p.newReverseProxy(p.transport)
	return p, nil
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && headerContains(r.Header, "Connection", "upgrade") && headerContains(r.Header, "Upgrade", "websocket") {
		p.connect(w, r)
		return
	}
	p.rest.ServeHTTP(w, r)
}

// target returns the address of a request at the upstream: the path is
// appended to that of the upstream.
func (p *Proxy) target(r *http.Request) *url.URL {
	u := p.upstream
	u.Path = strings.TrimSuffix(u.Path, "/") + r.URL.Path
	u.RawPath = strings.TrimSuffix(p.upstream.EscapedPath(), "/") + r.URL.EscapedPath()
	u.RawQuery = r.URL.RawQuery
	return &u
}

// connect connects a client with the server and passes their frames on until
// one of them closes the connection.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	number, ok := p.begin()
	if !ok {
		http.Error(w, "lmclint proxy is stopping", http.StatusServiceUnavailable)
		return
	}
	defer p.running.Done()
	c := &connection{
		proxy: p, number: number, name: fmt.Sprintf("connection %d", number), done: make(chan struct{}),
	}
	ctx, cancel := context.WithTimeout(r.Context(), dialTimeout)
	dialed := &dialing{RoundTripper: p.transport}
	pingClient, pongClient := c.controls(toClient)
	pingServer, pongServer := c.controls(toServer)
	server, response, err := websocket.Dial(ctx, p.target(r).String(), &websocket.DialOptions{ //nolint:bodyclose // Dial does
		HTTPClient: &http.Client{Transport: dialed, CheckRedirect: passRedirect},
		HTTPHeader: copyHeader(http.Header{}, r.Header), Subprotocols: tokens(r.Header, "Sec-Websocket-Protocol"),
		OnPingReceived: pingClient, OnPongReceived: pongClient,
	})
	cancel()
	switch {
	case err != nil && r.Context().Err() != nil:
		p.options.Observer.Fault(c.name, errors.New("the client disconnected before the upstream answered"))
		return
	case err != nil:
		p.refuse(w, response, dialed.answer, c.name, err)
		return
	}
	c.peers[toServer].conn, c.peers[toServer].wire = server, dialed.wire
	copyHeader(w.Header(), response.Header)
	options := &websocket.AcceptOptions{
		InsecureSkipVerify: true, // the server has the Origin and decides
		OnPingReceived:     pingServer,
		OnPongReceived:     pongServer,
	}
	if chosen := server.Subprotocol(); chosen != "" {
		options.Subprotocols = []string{chosen}
	}
	accepted := &accepting{ResponseWriter: w}
	client, err := websocket.Accept(accepted, r, options)
	if err != nil { // Accept has answered the client
		p.options.Observer.Fault(c.name, fmt.Errorf("client: %w", err))
		_ = server.CloseNow()
		return
	}
	c.peers[toClient].conn, c.peers[toClient].wire = client, accepted.wire
	c.begin() //nolint:contextcheck // a hijacked connection outlives the request
	p.mu.Lock()
	p.open[c] = struct{}{}
	closing := p.closing
	p.mu.Unlock()
	if closing {
		c.end(errClosing)
	}
	c.run() //nolint:contextcheck // a hijacked connection outlives the request
	p.mu.Lock()
	delete(p.open, c)
	p.mu.Unlock()
}

// refuse answers a client whose connection the upstream did not accept.
func (p *Proxy) refuse(w http.ResponseWriter, response *http.Response, answer []byte, name string, err error) {
	if response == nil || response.StatusCode == http.StatusSwitchingProtocols {
		p.options.Observer.Fault(name, &UpstreamError{reason(err)})
		http.Error(w, "lmclint proxy: the upstream cannot be reached", http.StatusBadGateway)
		return
	}
	p.options.Observer.Fault(name, fmt.Errorf("the upstream answered with %s", response.Status))
	copyHeader(w.Header(), response.Header)
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(answer) // the client may be gone
}

// passRedirect lets a client follow a redirect itself.
func passRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// begin counts a new connection or event stream. It fails once Close was
// called. The caller calls running.Done at its end.
func (p *Proxy) begin() (number int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return 0, false
	}
	p.running.Add(1)
	p.sequence++
	return p.sequence, true
}

// errClosing ends connections when the proxy is closed.
var errClosing = errors.New("the proxy was stopped")

// Close ends all connections with the code 1001 (going away), and waits until
// their findings have been reported. The caller closes its HTTP server first.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closing = true
	for c := range p.open {
		c.end(errClosing)
	}
	p.mu.Unlock()
	p.running.Wait()
}

// handshake are the headers that belong to one connection, so that they are not
// passed on: those of RFC 9110, section 7.6.1, and of the WebSocket handshake.
var handshake = []string{
	"Connection", "Upgrade", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Proxy-Connection",
	"Proxy-Authenticate", "Proxy-Authorization", "Host", "Content-Length", "Date",
	"Sec-Websocket-Key", "Sec-Websocket-Version", "Sec-Websocket-Extensions", "Sec-Websocket-Protocol", "Sec-Websocket-Accept",
}

// copyHeader copies all headers but those of the handshake, and returns them.
func copyHeader(to, from http.Header) http.Header {
	for name, values := range from {
		if !slices.Contains(handshake, name) {
			to[name] = slices.Clone(values)
		}
	}
	return to
}

func headerContains(header http.Header, name, token string) bool {
	return slices.ContainsFunc(tokens(header, name), func(t string) bool { return strings.EqualFold(t, token) })
}

// tokens returns the values of a header that is a list.
func tokens(header http.Header, name string) []string {
	return strings.FieldsFunc(strings.Join(header.Values(name), ","), func(r rune) bool { return strings.ContainsRune(", \t", r) })
}

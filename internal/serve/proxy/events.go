package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// newReverseProxy returns the handler of requests that do not ask for a
// WebSocket.
func (p *Proxy) newReverseProxy(transport http.RoundTripper) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport:     transport,
		FlushInterval: -1, // event streams pass without delay
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL = p.target(r.In)
			r.Out.Host = ""
			// What is compressed cannot be checked before it is passed on.
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: p.watch,
		ErrorLog:       log.New(io.Discard, "", 0), // of bodies that end early, which are reported as faults
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil { // the client is gone
				return
			}
			p.options.Observer.Fault(r.Method+" "+r.URL.Path, &UpstreamError{reason(err)})
			http.Error(w, "lmclint proxy: the upstream cannot be reached", http.StatusBadGateway)
		},
	}
}

// watch lints a response that is an event stream, while it is passed on. The
// server in the README of Open Interpreter 0.1.17 to 0.4 sends one from /chat, as
// interpreter.server() of these releases does: testdata/recorded has what it sends
// as sse_readme.
func (p *Proxy) watch(response *http.Response) error {
	if kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
		return nil
	}
	number, ok := p.begin()
	if !ok {
		return errClosing
	}
	e := &eventStream{proxy: p, body: response.Body}
	e.log, e.name = p.record(fmt.Sprintf("%s (event stream %d)", response.Request.URL.Path, number), number, ".sse")
	e.judge = p.options.newJudge(p.options.Events, e.name)
	response.Body = e
	return nil
}

// errHeldTooMuch ends an event stream whose gate would hold back more than maxHeld.
var errHeldTooMuch = fmt.Errorf("more than %d bytes wait for a decision of the linter", maxHeld)

// eventStream is the body of a response that is an event stream. It is read by
// one goroutine.
type eventStream struct {
	proxy *Proxy
	name  string
	body  io.ReadCloser
	judge *judge
	log   *recording

	held    []byte // read and not passed on
	passed  int64  // bytes
	client  feed.Passed
	verdict verdict
	end     error  // of body
	stopped bool   // closing is not known yet
	closing []byte // ends the block for the client, after what may be passed on
	once    sync.Once
}

// Read implements [io.Reader]. With Options.StopOn it returns whole lines, once
// they were checked.
func (e *eventStream) Read(p []byte) (int, error) {
	for {
		if n := e.passable(); n > 0 {
			n = copy(p, e.held[:n])
			e.held = append(e.held[:0], e.held[n:]...)
			e.passed += int64(n)
			e.client.Add(p[:n])
			return n, nil
		}
		if e.stopped {
			e.stopped, e.closing = false, e.client.Closing(string(source.FormSSE), e.verdict.closing)
		}
		if n := copy(p, e.closing); n > 0 {
			e.closing = e.closing[n:]
			return n, nil
		}
		if e.end != nil {
			return 0, e.end
		}
		if len(e.held) > maxHeld {
			return 0, e.fail(errHeldTooMuch)
		}
		n, err := e.body.Read(p)
		e.verdict = e.judge.add(p[:n])
		if fault := e.log.write(p[:n], n > 0); fault != nil {
			e.proxy.options.Observer.Fault(e.name, fmt.Errorf("%w; the stream continues unrecorded", fault))
		}
		e.held = append(e.held, p[:n]...)
		if err != nil {
			e.end, e.verdict = err, e.judge.close()
		}
	}
}

// passable returns how many of the held bytes may be passed on.
func (e *eventStream) passable() int {
	if e.judge.stopOn == 0 {
		return len(e.held)
	}
	v := e.verdict
	n := value.WholeLines(e.held, int(max(0, min(v.checked-e.passed, int64(len(e.held))))))
	switch atEnd := errors.Is(e.end, io.EOF); {
	case v.stop != nil && atEnd && len(bytes.TrimSpace(e.held[n:])) == 0:
		return len(e.held) // the mistake is that the stream ends
	case v.stop != nil && (e.end == nil || atEnd):
		e.end = e.fail(v.stopFault())
		e.stopped = true
	case v.failure != nil && e.end == nil:
		e.end = e.fail(v.failure)
	}
	return n
}

// fail reports why the stream ends early.
func (e *eventStream) fail(err error) error {
	e.proxy.options.Observer.Fault(e.name, err)
	return err
}

// Close implements [io.Closer].
func (e *eventStream) Close() error {
	err := e.body.Close()
	e.once.Do(func() {
		defer e.proxy.running.Done()
		e.judge.close()
		if fault := e.log.close(); fault != nil {
			e.proxy.options.Observer.Fault(e.name, fault)
		}
	})
	return err
}

// idle waits for what follows the last frame of a connection. It is guarded by
// connection.order.
type idle struct {
	timer  *time.Timer
	line   int    // of the last line of the log
	offset int64  // of its start
	last   []byte // that line, if it may be the last one but complete
	at     time.Time
}

// maxLast is how long the line of the last frame of a response is at most.
const maxLast = 512

// seen notes the line of a frame in the log, and starts to wait for the next one.
// The caller holds order.
func (c *connection) seen(d direction, kind websocket.MessageType, line []byte) {
	i, after := &c.idle, c.proxy.options.IdleAfter
	i.last, i.at = nil, time.Now()
	if after <= 0 || d != toClient || kind != websocket.MessageText || len(line) > maxLast {
		return
	}
	i.last = line
	if i.timer == nil {
		i.timer = time.AfterFunc(after, c.isIdle)
	} else {
		i.timer.Reset(after)
	}
}

// isIdle reports a response that has no complete, when nothing followed its last
// frame for a time.
func (c *connection) isIdle() {
	c.order.Lock()
	var frame *source.Place
	if !c.isEnding() && time.Since(c.idle.at) >= c.proxy.options.IdleAfter { // else a frame came while the timer fired
		frame = c.idle.lastOfResponse()
	}
	c.order.Unlock()
	if frame != nil {
		c.proxy.options.Observer.Idle(c.name, *frame)
	}
}

// lastOfResponse returns the place of the frame of the last line if it ends a response but
// for complete, else nil: the end of a message, or an error of the server. Code may run for
// long, and a model may think before its first word.
func (i *idle) lastOfResponse() *source.Place {
	var line struct {
		Time  string
		Frame json.RawMessage
	}
	var frame struct {
		Role, Type string
		End        bool
	}
	if json.Unmarshal(i.last, &line) != nil || json.Unmarshal(line.Frame, &frame) != nil {
		return nil
	}
	isError := frame.Role == "server" && frame.Type == "error"
	if !isError && (frame.Role != "assistant" || frame.Type != "message" || !frame.End) {
		return nil
	}
	from := bytes.Index(i.last, line.Frame)
	start := source.Position{Line: i.line, Column: utf8.RuneCount(i.last[:from]) + 1, Offset: i.offset + int64(from)}
	end := start
	end.Column += utf8.RuneCount(line.Frame)
	end.Offset += int64(len(line.Frame))
	return &source.Place{
		Span: source.Span{Start: start, End: end}, Record: -1, Time: line.Time,
		Excerpt: source.Excerpt{Text: string(line.Frame), Column: start.Column},
	}
}

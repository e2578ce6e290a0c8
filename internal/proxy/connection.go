package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/lmclint/lmclint/lint"
)

// direction is where a frame goes.
type direction int

const (
	toServer direction = iota
	toClient
)

func (d direction) opposite() direction { return 1 - d }

// target is the name of the peer that a frame goes to, source that of the one
// it comes from.
func (d direction) target() string { return [...]string{"server", "client"}[d] }
func (d direction) source() string { return d.opposite().target() }

// frame is a message that waits to be written. Its line ends at the offset end
// of the session log, in bytes.
type frame struct {
	kind websocket.MessageType
	text []byte
	end  int64
}

// peer is one end of a connection, with the frames that go to it.
type peer struct {
	conn    *websocket.Conn
	queue   []frame // guarded by connection.mu
	queued  int     // bytes in queue; guarded by connection.mu
	pinging atomic.Bool
}

// connection passes frames between a client and the server, and has them
// judged. It has four goroutines: a reader and a writer for each direction.
type connection struct {
	proxy  *Proxy
	name   string // does not change after begin
	number int
	peers  [2]peer // by direction; conn does not change after begin
	judge  *judge  // of begin
	gated  bool    // a frame waits until it is decided

	order sync.Mutex // held while a frame is added to the log and to its queue
	log   *recording // nil if it is not recorded; guarded by order

	mu      sync.Mutex
	changed *sync.Cond // of what mu guards
	verdict verdict    // what may be written, if gated; guarded by mu
	ending  *ending    // nil while frames pass; guarded by mu
	ended   sync.Once  // of ending
}

// ending is how a connection ends.
type ending struct {
	fault       error                    // reported, nil if the end is regular
	note        string                   // in the log
	interrupted bool                     // the proxy was stopped: the session would have gone on
	closing     [2]*websocket.CloseError // for the peer of each direction; nil is without a close frame
}

func newConnection(p *Proxy, number int) *connection {
	c := &connection{proxy: p, number: number, name: fmt.Sprintf("connection %d", number), gated: p.options.StopOn != 0}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// begin begins the log. From then on the connection can be ended.
func (c *connection) begin() {
	c.record()
	c.judge = newJudge(c.proxy.options.Sessions, c.name, c.proxy.options.StopOn, c.proxy.options.Observer)
	c.note("connected")
}

// run passes frames until the connection ends.
func (c *connection) run() {
	var group sync.WaitGroup
	for _, d := range []direction{toServer, toClient} {
		c.peers[d.opposite()].conn.SetReadLimit(c.proxy.options.MaxFrameBytes)
		group.Go(func() { c.guard(func() { c.read(d) }) })
		group.Go(func() { c.guard(func() { c.write(d) }) })
	}
	group.Wait()
	c.judge.close()
	c.order.Lock()
	defer c.order.Unlock()
	if err := c.log.commit(); err != nil {
		c.fault(err)
	}
}

// record opens the recording, whose path is then the name of the connection. A
// connection that cannot be recorded passes all the same.
func (c *connection) record() {
	folder := c.proxy.options.Folder
	if folder == "" {
		return
	}
	log, err := newRecording(folder, c.number, sessionExtension, time.Now())
	if err != nil {
		c.fault(err)
		return
	}
	c.log, c.name = log, log.path
}

func (c *connection) fault(err error) { c.proxy.options.Observer.Fault(c.name, err) }

// guard calls a function; a panic in it ends the connection.
func (c *connection) guard(do func()) {
	defer func() {
		if value := recover(); value != nil {
			c.end(&lint.PanicError{Value: value, Stack: debug.Stack()})
		}
	}()
	do()
}

// read reads the frames of one direction.
func (c *connection) read(d direction) {
	source := c.peers[d.opposite()].conn
	for {
		kind, text, err := source.Read(context.Background())
		if err != nil {
			c.finish(c.readError(d, err))
			return
		}
		if !c.admit(d, kind, text) {
			return
		}
	}
}

// admit adds a frame to the log and to the queue of its direction, and waits
// while that is full. It reports whether the connection goes on.
func (c *connection) admit(d direction, kind websocket.MessageType, text []byte) bool {
	c.order.Lock()
	line := c.line(d, kind, text)
	end := c.add(line)
	c.mu.Lock()
	if c.ending == nil {
		to := &c.peers[d]
		to.queue = append(to.queue, frame{kind, text, end})
		to.queued += len(text)
	}
	c.changed.Broadcast()
	c.mu.Unlock()
	c.order.Unlock()
	if c.gated {
		c.settle()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.ending == nil && c.peers[d].queued > maxQueued {
		if c.gated && !c.passes(c.peers[d].queue[0]) {
			go c.end(errHeldTooMuch)
		}
		c.changed.Wait()
	}
	return c.ending == nil
}

// errHeldTooMuch ends a connection whose gate would hold back more than a queue.
var errHeldTooMuch = fmt.Errorf("more than %d bytes wait for a decision of the linter", maxQueued)

// add adds a line to the log, and returns its end in bytes. The caller holds
// order.
func (c *connection) add(line []byte) int64 {
	if err := c.log.write(line); err != nil {
		c.fault(fmt.Errorf("%w; the connection goes on unrecorded", err))
	}
	return c.judge.add(line)
}

func (c *connection) note(text string) {
	c.order.Lock()
	defer c.order.Unlock()
	c.add(appendNote(nil, time.Now(), text))
}

// settle waits for the judge, and lets the writers know what may be written.
func (c *connection) settle() {
	v := c.judge.settle()
	c.mu.Lock()
	c.verdict = v
	c.changed.Broadcast()
	c.mu.Unlock()
	switch {
	case v.stop != nil:
		c.finish(stopEnding(v.stop))
	case v.failure != nil:
		c.end(errors.New("the linter failed, and frames are passed on only when they were checked"))
	}
}

// stopEnding returns how a connection ends at a finding.
func stopEnding(f *lint.Finding) ending {
	closing := &websocket.CloseError{Code: websocket.StatusPolicyViolation, Reason: f.Rule.ID}
	return ending{fault: &StopError{f}, note: "closed by lmclint: " + f.Rule.ID, closing: [2]*websocket.CloseError{closing, closing}}
}

// StopError says that a connection was closed at a finding.
type StopError struct{ Finding *lint.Finding }

// Error implements the interface error.
func (e *StopError) Error() string { return "closed at a finding, " + e.Finding.Rule.ID }

// passes reports whether a frame may be written. The caller holds mu.
func (c *connection) passes(f frame) bool { return !c.gated || c.verdict.passes(f.end) }

// next takes a frame from the queue of a direction. It returns false when there
// will be none.
func (c *connection) next(d direction) (frame, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.peers[d]
	for {
		if len(p.queue) > 0 && c.passes(p.queue[0]) {
			f := p.queue[0]
			p.queue[0] = frame{}
			p.queue = p.queue[1:]
			p.queued -= len(f.text)
			c.changed.Broadcast()
			return f, true
		}
		if c.ending != nil {
			return frame{}, false
		}
		c.changed.Wait()
	}
}

// write writes the frames of one direction, and closes the peer at the end.
func (c *connection) write(d direction) {
	conn := c.peers[d].conn
	var once sync.Once
	stalled := time.AfterFunc(c.proxy.options.StallAfter, func() {
		once.Do(func() {
			c.fault(fmt.Errorf("the %s has read nothing for %s; the %s waits", d.target(), c.proxy.options.StallAfter, d.source()))
		})
	})
	stalled.Stop()
	for {
		f, ok := c.next(d)
		if !ok {
			break
		}
		stalled.Reset(c.proxy.options.StallAfter)
		err := conn.Write(context.Background(), f.kind, f.text)
		stalled.Stop()
		if err != nil {
			c.finish(c.writeError(d, err))
			break
		}
	}
	c.mu.Lock()
	closing := c.ending.closing[d]
	c.mu.Unlock()
	if closing != nil {
		_ = conn.Close(closing.Code, closing.Reason) // the peer may be gone
	}
	_ = conn.CloseNow() // likewise
}

// finish ends the connection; only the first call has an effect.
func (c *connection) finish(e ending) {
	c.ended.Do(func() {
		if e.fault != nil {
			c.fault(e.fault)
		}
		if e.note != "" {
			c.note(e.note)
		}
		if e.interrupted {
			c.judge.interrupt()
		}
		v := c.judge.close()
		var stopped *StopError
		if v.stop != nil && !errors.As(e.fault, &stopped) { // at the end of the session
			e = stopEnding(v.stop)
			c.fault(e.fault)
		}
		c.mu.Lock()
		c.verdict, c.ending = v, &e
		c.changed.Broadcast()
		c.mu.Unlock()
		for d := range c.peers {
			if e.closing[d] == nil {
				_ = c.peers[d].conn.CloseNow() // interrupts a read or a write
			}
		}
	})
}

// end ends a connection because of the proxy itself.
func (c *connection) end(reason error) {
	closing := &websocket.CloseError{Code: websocket.StatusGoingAway, Reason: "lmclint proxy stopped"}
	e := ending{note: reason.Error(), interrupted: errors.Is(reason, errClosing)}
	if !e.interrupted {
		closing = &websocket.CloseError{Code: websocket.StatusInternalError, Reason: "lmclint proxy failed"}
		e.fault = reason
	}
	e.closing = [2]*websocket.CloseError{closing, closing}
	c.finish(e)
}

// readError returns how a connection ends when the source of a direction does
// not send any more. Its target gets what the source sent: a close frame, or
// none.
func (c *connection) readError(d direction, err error) (e ending) {
	var closed websocket.CloseError
	switch {
	case errors.As(err, &closed):
		e.closing[d] = &closed
		e.note = fmt.Sprintf("closed by the %s: %d %s", d.source(), closed.Code, closed.Reason)
	case errors.Is(err, websocket.ErrMessageTooBig):
		e.closing[d] = &websocket.CloseError{Code: websocket.StatusMessageTooBig, Reason: "frame too big for lmclint proxy"}
		e.fault = fmt.Errorf("the %s sent a frame of more than %d bytes; --max-frame-bytes sets the limit", d.source(), c.proxy.options.MaxFrameBytes)
	default:
		e.fault = fmt.Errorf("the %s went away without closing the connection: %w", d.source(), reason(err))
	}
	if e.fault != nil {
		e.note = e.fault.Error()
	}
	return e
}

// writeError returns how a connection ends when a peer takes no frames any more.
func (c *connection) writeError(d direction, err error) ending {
	fault := fmt.Errorf("the %s went away while a frame was sent to it: %w", d.target(), reason(err))
	return ending{fault: fault, note: fault.Error()}
}

// reason returns the cause of an error of the connection, without addresses.
func reason(err error) error {
	var op *net.OpError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("end of data")
	case errors.As(err, &op):
		return op.Err
	}
	return err
}

// pingFrom returns what to do with a ping that goes in a direction: the proxy
// answers it, and sends one of its own to the target. A target that does not
// answer ends the connection, so that a source that sends pings to detect a
// dead peer still does.
func (c *connection) pingFrom(d direction) func(context.Context, []byte) bool {
	return func(context.Context, []byte) bool {
		if c.peers[d].pinging.CompareAndSwap(false, true) {
			go c.guard(func() { c.ping(d) }) //nolint:contextcheck // it outlives the read
		}
		return true
	}
}

func (c *connection) ping(d direction) {
	defer c.peers[d].pinging.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	err := c.peers[d].conn.Ping(ctx)
	if err == nil || ctx.Err() == nil { // other errors are found by the reader
		return
	}
	fault := fmt.Errorf("the %s has not answered a ping of the %s for %s", d.target(), d.source(), pingTimeout)
	e := ending{fault: fault, note: fault.Error()}
	e.closing[d.opposite()] = &websocket.CloseError{Code: websocket.StatusInternalError, Reason: "keepalive ping timeout"}
	c.finish(e)
}

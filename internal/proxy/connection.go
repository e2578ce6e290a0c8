package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
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

// frame is a message that waits for a decision of the linter. Its line ends at
// the offset end of the session log, in bytes.
type frame struct {
	kind websocket.MessageType
	text []byte
	end  int64
}

// peer is one end of a connection, with the frames that go to it.
type peer struct {
	conn *websocket.Conn
	wire *wire

	turn sync.Mutex // held while frames are written; taken before connection.mu

	held      []frame // guarded by connection.mu
	heldBytes int     // of held; guarded by connection.mu
	unsettled bool    // frames were added that the linter may not have checked; guarded by connection.mu
}

// connection passes frames between a client and the server, and has them
// judged. Each direction has a goroutine that reads its frames and writes them,
// and one that closes the target at the end.
type connection struct {
	proxy  *Proxy
	name   string // does not change after begin
	number int
	peers  [2]peer // by direction; conn and wire do not change after begin
	judge  *judge  // of begin
	gated  bool    // a frame waits until it is decided

	order  sync.Mutex // held while a frame is added to the log
	log    *recording // nil if it is not recorded; guarded by order
	framed bool       // a frame was added to the log; guarded by order
	buffer []byte     // for a line of the log; guarded by order

	mu      sync.Mutex
	changed *sync.Cond // of ending
	verdict verdict    // what may be written, if gated; guarded by mu
	ending  *ending    // nil while frames pass; guarded by mu
	ended   sync.Once  // of ending
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
	c.note("connected", false)
}

// run passes frames until the connection ends.
func (c *connection) run() {
	var group sync.WaitGroup
	for _, d := range []direction{toServer, toClient} {
		source := &c.peers[d.opposite()]
		source.conn.SetReadLimit(c.proxy.options.MaxFrameBytes)
		source.wire.drained = func() { c.pass(d) }
		c.watchStall(d)
	}
	for _, d := range []direction{toServer, toClient} {
		group.Go(func() { c.guard(func() { c.read(d) }) })
		group.Go(func() { c.guard(func() { c.close(d) }) })
	}
	group.Wait()
	c.judge.close()
	c.order.Lock()
	defer c.order.Unlock()
	end := c.log.commit
	if !c.framed { // such as a page that was opened and closed
		end = c.log.discard
	}
	if err := end(); err != nil {
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

// watchStall delays what is written in a direction until it is flushed, and
// reports once when the target does not read it.
func (c *connection) watchStall(d direction) {
	after := c.proxy.options.StallAfter
	var once sync.Once
	c.peers[d].wire.delay(after, func() {
		once.Do(func() {
			c.fault(fmt.Errorf("the %s has read nothing for %s; the %s waits", d.target(), after, d.source()))
		})
	})
}

// read reads the frames of one direction. Before it waits for more, pass is
// called.
func (c *connection) read(d direction) {
	source := c.peers[d.opposite()].conn
	var buffer []byte
	for {
		kind, r, err := source.Reader(context.Background())
		if err == nil {
			buffer, err = readInto(buffer[:0], r)
		}
		if err != nil {
			c.pass(d)
			c.finish(c.readError(d, err))
			return
		}
		if !c.admit(d, kind, buffer) {
			return
		}
		if cap(buffer) > maxKept {
			buffer = nil
		}
	}
}

// readInto appends all that a reader has.
func readInto(b []byte, r io.Reader) ([]byte, error) {
	for {
		b = slices.Grow(b, max(512, min(len(b), 1<<20)))
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// admit adds a frame to the log, and writes it unless it has to wait for a
// decision. The text is only used during the call. It reports whether the
// connection goes on.
func (c *connection) admit(d direction, kind websocket.MessageType, text []byte) bool {
	to := &c.peers[d]
	c.order.Lock()
	if c.isEnding() {
		c.order.Unlock()
		return false
	}
	c.buffer = c.appendLine(c.buffer[:0], d, kind, text)
	c.framed = true
	end := c.add(c.buffer)
	if cap(c.buffer) > maxKept {
		c.buffer = nil
	}
	if c.gated {
		c.mu.Lock()
		to.held = append(to.held, frame{kind, bytes.Clone(text), end})
		to.heldBytes += len(text)
		to.unsettled = true
		c.mu.Unlock()
	}
	c.order.Unlock()
	if c.gated {
		return true
	}
	to.turn.Lock()
	err := to.conn.Write(context.Background(), kind, text)
	to.turn.Unlock()
	if err != nil {
		c.finish(c.writeError(d, err))
	}
	return err == nil
}

func (c *connection) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending != nil
}

// pass sends what was read in a direction as far as it may be passed on: the
// source has nothing more at the moment.
func (c *connection) pass(d direction) {
	c.judge.wake()
	if c.gated {
		c.settle(d)
	}
	c.forward(d)
}

// errHeldTooMuch ends a connection whose gate would hold back more than maxHeld.
var errHeldTooMuch = fmt.Errorf("more than %d bytes wait for a decision of the linter", maxHeld)

// add adds a line to the log, and returns its end in bytes. The caller holds
// order.
func (c *connection) add(line []byte) int64 {
	if err := c.log.write(line); err != nil {
		c.fault(fmt.Errorf("%w; the connection continues unrecorded", err))
	}
	return c.judge.add(line)
}

// note adds a line that is not a frame. Interrupted says that the proxy ended the
// connection, which would have gone on.
func (c *connection) note(text string, interrupted bool) {
	c.order.Lock()
	defer c.order.Unlock()
	c.add(appendNote(nil, time.Now(), text, interrupted))
}

// settle waits until the frames of a direction are checked. What the other one
// may now pass on, too, is passed on by a goroutine of its own: its target may
// be slow.
func (c *connection) settle(d direction) {
	c.mu.Lock()
	unsettled := c.peers[d].unsettled
	c.peers[d].unsettled = false
	c.mu.Unlock()
	if !unsettled {
		return
	}
	v := c.judge.settle()
	c.mu.Lock()
	if c.ending == nil {
		c.verdict = v
	}
	other := c.peers[d.opposite()].held
	released := len(other) > 0 && c.verdict.passes(other[0].end)
	held := &c.peers[d]
	tooMuch := held.heldBytes > maxHeld && !c.verdict.passes(held.held[0].end)
	c.mu.Unlock()
	if released {
		go c.guard(func() { c.forward(d.opposite()) })
	}
	switch {
	case v.stop != nil:
		c.finish(c.stopEnding(v))
	case v.failure != nil:
		c.end(errors.New("the linter failed, and frames are passed on only when they were checked"))
	case tooMuch:
		c.end(errHeldTooMuch)
	}
}

// forward writes the frames of a direction that waited for a decision and have
// it, and sends what was written.
func (c *connection) forward(d direction) {
	to := &c.peers[d]
	to.turn.Lock()
	err := c.writeDecided(d)
	if err == nil {
		err = to.wire.flush()
	}
	to.turn.Unlock()
	if err != nil {
		c.finish(c.writeError(d, err))
	}
}

// writeDecided writes the held frames that are decided. The caller holds turn.
func (c *connection) writeDecided(d direction) error {
	if !c.gated {
		return nil
	}
	for _, f := range c.takeDecided(d) {
		if err := c.peers[d].conn.Write(context.Background(), f.kind, f.text); err != nil {
			return err
		}
	}
	return nil
}

// takeDecided removes the held frames that are decided, and returns them.
func (c *connection) takeDecided(d direction) []frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.peers[d]
	n := 0
	for n < len(p.held) && c.verdict.passes(p.held[n].end) {
		p.heldBytes -= len(p.held[n].text)
		n++
	}
	decided := p.held[:n:n]
	if p.held = p.held[n:]; len(p.held) == 0 {
		p.held = nil
	}
	return decided
}

// control passes a control frame on. It does not wait for held frames.
func (c *connection) control(d direction, opcode byte, payload []byte) {
	to := &c.peers[d]
	to.turn.Lock()
	err := to.wire.control(opcode, payload)
	to.turn.Unlock()
	if err != nil {
		c.finish(c.writeError(d, err))
	}
}

// pingTo returns what to do with a ping that goes in a direction: it is passed
// on, and the target answers it.
func (c *connection) pingTo(d direction) func(context.Context, []byte) bool {
	return func(_ context.Context, payload []byte) bool {
		c.control(d, opPing, payload)
		return false
	}
}

// pongTo returns what to do with a pong that goes in a direction.
func (c *connection) pongTo(d direction) func(context.Context, []byte) {
	return func(_ context.Context, payload []byte) { c.control(d, opPong, payload) }
}

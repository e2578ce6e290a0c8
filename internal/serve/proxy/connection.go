package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
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

// peer is one end of a connection.
type peer struct {
	conn *websocket.Conn
	wire *wire
	turn sync.Mutex // held while frames are written
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

	order  sync.Mutex // held while a frame is added to the log
	log    *recording // nil if it is not recorded; guarded by order
	framed bool       // a frame was added to the log; guarded by order
	idle   idle       // guarded by order

	ended  sync.Once
	done   chan struct{} // closed once ending is set
	ending ending
}

// begin begins the log, and the recording, whose path is then the name of the
// connection. A connection that cannot be recorded passes all the same. From then on the
// connection can be ended.
func (c *connection) begin() {
	c.log, c.name = c.proxy.record(c.name, c.number, ".jsonl")
	c.judge = c.proxy.options.newJudge(c.proxy.options.Sessions, c.name)
	c.note("connected", false)
}

// run passes frames until the connection ends.
func (c *connection) run() {
	var group sync.WaitGroup
	for _, d := range []direction{toServer, toClient} {
		source := &c.peers[d.opposite()]
		source.conn.SetReadLimit(-1) // the library would name another limit to the source
		after := c.proxy.options.StallAfter
		c.peers[d].wire.watch(after, sync.OnceFunc(func() {
			c.fault(fmt.Errorf("the %s has read nothing for %s; the %s waits", d.target(), after, d.source()))
		}))
	}
	for _, d := range []direction{toServer, toClient} {
		group.Go(func() { c.guard(func() { c.read(d) }) })
		group.Go(func() { c.guard(func() { c.close(d) }) })
	}
	group.Wait()
	c.judge.close()
	c.order.Lock()
	defer c.order.Unlock()
	if c.idle.timer != nil {
		c.idle.timer.Stop()
	}
	if err := c.log.close(); err != nil {
		c.fault(err)
	}
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
		kind, text, err := c.readFrame(source)
		if err != nil {
			c.finish(c.readError(d, err))
			return
		}
		if !c.admit(d, kind, text) {
			return
		}
	}
}

// readFrame reads a frame, up to the limit.
func (c *connection) readFrame(source *websocket.Conn) (websocket.MessageType, []byte, error) {
	kind, frame, err := source.Reader(context.Background())
	if err != nil {
		return kind, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(frame, c.proxy.options.MaxFrameBytes+1))
	if err == nil && int64(len(text)) > c.proxy.options.MaxFrameBytes {
		err = websocket.ErrMessageTooBig
	}
	return kind, text, err
}

// admit adds a frame to the log, where it is checked, and writes it if it passes. It
// reports whether the connection goes on. Nothing else is written to the peer between
// both, so that a frame in the log arrives, and before what ends the connection.
func (c *connection) admit(d direction, kind websocket.MessageType, text []byte) bool {
	var v verdict
	var isLogged, passes bool
	isSent := c.send(d, func(to *peer) error {
		v, isLogged = c.logFrame(d, kind, text)
		if passes = isLogged && (c.judge.stopOn == 0 || v.passes()); !passes {
			return nil
		}
		return to.conn.Write(context.Background(), kind, text)
	})
	switch {
	case passes || !isLogged:
		return passes && isSent
	case v.stop != nil:
		c.finish(c.stopEnding(v))
	case v.failure != nil:
		c.end(errors.New("the linter failed, and frames are passed on only when they were checked"))
	default:
		c.end(errors.New("the linter has not decided about a frame"))
	}
	return false
}

// logFrame adds the line of a frame to the log, unless the connection is ending: then
// it reports false.
func (c *connection) logFrame(d direction, kind websocket.MessageType, text []byte) (verdict, bool) {
	c.order.Lock()
	defer c.order.Unlock()
	if c.isEnding() {
		return verdict{}, false
	}
	line := c.appendLine(nil, d, kind, text)
	c.framed = true
	v := c.add(line)
	c.seen(d, kind, line)
	return v, true
}

// send writes in a direction while nothing else does. It reports false, and ends the
// connection, if the target takes nothing any more.
func (c *connection) send(d direction, do func(to *peer) error) bool {
	to := &c.peers[d]
	locked := func() error {
		to.turn.Lock()
		defer to.turn.Unlock() // also in a panic
		return do(to)
	}
	err := locked()
	if err != nil {
		c.finish(c.writeError(d, err))
	}
	return err == nil
}

// isEnding reports whether the connection is ending, so that no frame passes any more.
func (c *connection) isEnding() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// add adds a line to the log and to the recording, and has it checked. The caller holds order.
func (c *connection) add(line []byte) verdict {
	if err := c.log.write(line, c.framed); err != nil {
		c.fault(fmt.Errorf("%w; the connection continues unrecorded", err))
	}
	v := c.judge.add(line)
	c.idle.line++
	c.idle.offset = v.added - int64(len(line))
	return v
}

// note adds a line that is not a frame. Interrupted says that the proxy ended the
// connection, which would have gone on.
func (c *connection) note(text string, interrupted bool) {
	c.order.Lock()
	defer c.order.Unlock()
	c.add(appendNote(nil, time.Now(), text, interrupted))
}

// controls returns what to do with the pings and pongs that go in a direction: they are
// passed on, and the target answers. They do not wait for a frame that is being checked.
func (c *connection) controls(d direction) (ping func(context.Context, []byte) bool, pong func(context.Context, []byte)) {
	pass := func(opcode byte, payload []byte) {
		c.send(d, func(to *peer) error { return to.wire.control(opcode, payload) })
	}
	return func(_ context.Context, payload []byte) bool { pass(opPing, payload); return false },
		func(_ context.Context, payload []byte) { pass(opPong, payload) }
}

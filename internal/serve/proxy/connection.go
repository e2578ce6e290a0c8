package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/internal/serve/feed"
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

// ending is how a connection ends.
type ending struct {
	fault       error                    // reported, nil if the end is regular
	note        string                   // in the log
	interrupted bool                     // the proxy was stopped: the session would have gone on
	last        []string                 // frames for the client, which end the server's block
	closing     [2]*websocket.CloseError // for the peer of each direction; nil is without a close frame
	gone        [2]bool                  // the peer of a direction neither reads nor writes any more
}

// stopEnding returns how a connection ends at a finding.
func (c *connection) stopEnding(v verdict) ending {
	id := v.stop.Rule.ID
	closing := &websocket.CloseError{Code: websocket.StatusPolicyViolation, Reason: id}
	return ending{last: v.closing, fault: v.stopFault(), note: "closed by lmclint: " + id, closing: [2]*websocket.CloseError{closing, closing}}
}

// close waits for the end of the connection, and closes the target of a
// direction after the frames that may still be passed on. A target that does
// not read is given up.
func (c *connection) close(d direction) {
	<-c.done
	closing, last := c.ending.closing[d], c.ending.last
	to := &c.peers[d]
	giveUp := time.AfterFunc(closeTimeout, func() { _ = to.wire.Close() })
	c.send(d, func(to *peer) error {
		if d == toClient {
			for _, text := range last { // the client may be gone
				_ = to.conn.Write(context.Background(), websocket.MessageText, []byte(text))
			}
		}
		return nil
	})
	giveUp.Stop()
	if closing != nil {
		_ = to.conn.Close(closing.Code, closing.Reason) // the peer may be gone
	}
	_ = to.conn.CloseNow() // likewise
}

// finish ends the connection; only the first call has an effect.
func (c *connection) finish(e ending) {
	c.ended.Do(func() {
		if e.fault != nil {
			c.fault(e.fault)
		}
		if e.note != "" {
			c.note(e.note, e.interrupted)
		}
		if e.interrupted {
			c.judge.interrupt()
		}
		c.judge.close()
		c.ending = e
		close(c.done)
		for d, gone := range e.gone {
			if gone {
				_ = c.peers[d].wire.Close() // interrupts a read or a write
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
	case errors.As(err, &closed): // and the library has answered
		e.closing[d] = &closed
		e.gone[d.opposite()] = true
		e.note = fmt.Sprintf("closed by the %s: %d %s", d.source(), closed.Code, closed.Reason)
	case errors.Is(err, websocket.ErrMessageTooBig):
		limit := humanize.Comma(c.proxy.options.MaxFrameBytes)
		closing := &websocket.CloseError{Code: websocket.StatusMessageTooBig, Reason: "a frame has more than " + limit + " bytes, the limit of lmclint proxy"}
		e.closing = [2]*websocket.CloseError{closing, closing}
		e.fault = fmt.Errorf("the %s sent a frame of more than %s bytes; --max-frame-bytes sets the limit", d.source(), limit)
	default:
		e.gone[d.opposite()] = true
		fate := "broke the WebSocket protocol"
		isLost := func(lost error) bool { return errors.Is(err, lost) }
		losses := []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, context.Canceled, context.DeadlineExceeded}
		if slices.ContainsFunc(losses, isLost) || errors.As(err, new(*net.OpError)) {
			fate = "disconnected without closing the connection"
		}
		e.fault = fmt.Errorf("the %s %s: %w", d.source(), fate, reason(err))
	}
	if e.fault != nil {
		e.note = e.fault.Error()
	}
	return e
}

// writeError returns how a connection ends when a peer takes no frames any more.
func (c *connection) writeError(d direction, err error) ending {
	fault := fmt.Errorf("the %s disconnected while a frame was sent to it: %w", d.target(), reason(err))
	e := ending{fault: fault, note: fault.Error()}
	e.gone[d] = true
	return e
}

// reason returns the cause of an error of the connection, without addresses.
func reason(err error) error {
	var op *net.OpError
	var request *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer within %s", dialTimeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("end of data")
	case errors.As(err, &op):
		return op.Err
	case errors.As(err, &request):
		return request.Err
	}
	return err
}

// judge has a text linted while it arrives, and knows how much of it may be passed on.
// It is safe for concurrent use.
type judge struct {
	stopOn   lint.Severity // 0: no finding stops
	observer Observer

	mu      sync.Mutex // guards the fields below, and is held while the linter runs
	feed    *feed.Feed
	verdict verdict
	ended   bool // the linter has ended
}

// verdict is what may be passed on.
type verdict struct {
	added   int64         // bytes of the text
	checked int64         // offset up to which the records were checked
	stop    *lint.Finding // the first finding that stops, nil if there is none
	closing []string      // what ends the response for the client after stop
	failure error         // why the linter failed, so that nothing more is checked
}

// passes reports whether the record that was added last may be passed on. The line end
// is not a part of it.
func (v verdict) passes() bool { return v.added-1 <= v.checked }

// newJudge starts a linter for a text.
func (o *Options) newJudge(linter *lint.Linter, name string) *judge {
	j := &judge{stopOn: o.StopOn, observer: o.Observer}
	j.feed = feed.New(context.Background(), linter, name, j.found, func(end int64) { j.verdict.checked = end })
	return j
}

// errStopped ends the linter at the finding that stops.
var errStopped = errors.New("stopped at a finding")

// stopFault is what is reported then.
func (v verdict) stopFault() error { return errors.New("closed at a finding, " + v.stop.Rule.ID) }

// found receives the findings of the linter.
func (j *judge) found(f lint.Finding) error {
	j.observer.Finding(f)
	if j.stopOn == 0 || f.Severity < j.stopOn {
		return nil
	}
	j.verdict.stop = &f
	return errStopped
}

// add adds a part of the text, and has it checked, unless the linter has ended.
func (j *judge) add(part []byte) verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.verdict.added += int64(len(part))
	if !j.ended && j.feed.Push(part) != nil {
		j.end(j.feed.End())
	}
	return j.verdict
}

// close ends the text. Only the first call has an effect.
func (j *judge) close() verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ended {
		j.end(j.feed.End())
	}
	return j.verdict
}

// interrupt is close where the text would have gone on: nothing is reported for
// its end.
func (j *judge) interrupt() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ended {
		j.end(j.feed.Close())
	}
}

// end keeps what the linter ended with. All that was added before is decided then.
func (j *judge) end(result lint.Result, err error) {
	if errors.Is(err, errStopped) {
		err = nil
	}
	j.ended, j.verdict.closing, j.verdict.failure = true, result.Closing, err
	if err == nil && j.verdict.stop == nil {
		j.verdict.checked = j.verdict.added
	}
	j.observer.Done(result, err)
}

package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/coder/websocket"
	"github.com/dustin/go-humanize"
)

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

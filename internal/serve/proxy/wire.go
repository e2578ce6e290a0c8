package proxy

import (
	"bufio"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"time"
)

// Opcodes of control frames (RFC 6455, section 5.5).
const (
	opPing = 0x9
	opPong = 0xA

	final = 0x80 // the bit of a frame that is the last one of its message
	mask  = 0x80 // the bit of a frame whose payload is masked
)

// wire is the transport below the WebSocket connection with a peer. What goes through
// it is a sequence of whole frames. A frame may be written in parts, but no other frame
// between these.
type wire struct {
	io.ReadWriteCloser
	masks bool // frames to the peer are masked

	stall      *time.Timer // runs while something is sent; nil before watch
	stallAfter time.Duration
}

// watch calls stalled when the peer has not taken what is sent after some time. It is
// called before frames are passed.
func (w *wire) watch(after time.Duration, stalled func()) {
	w.stallAfter, w.stall = after, time.AfterFunc(after, stalled)
	w.stall.Stop()
}

// Write implements [io.Writer].
func (w *wire) Write(p []byte) (int, error) {
	if w.stall != nil {
		w.stall.Reset(w.stallAfter)
		defer w.stall.Stop()
	}
	return w.ReadWriteCloser.Write(p)
}

// control writes a control frame: the library has no functions for a ping with
// a payload, nor for a pong. The caller writes no other frame meanwhile.
func (w *wire) control(opcode byte, payload []byte) error {
	b := []byte{final | opcode, byte(len(payload))}
	var key [4]byte // which changes nothing if it is zero
	if w.masks {
		_, _ = rand.Read(key[:]) // which never fails
		b[1] |= mask
		b = append(b, key[:]...)
	}
	for i, c := range payload {
		b = append(b, c^key[i%len(key)])
	}
	_, err := w.Write(b)
	return err
}

// dialing is a transport of HTTP that keeps the wire of the connection, or the
// whole answer if there is none.
type dialing struct {
	http.RoundTripper
	wire   *wire
	answer []byte // body of the server's refusal
}

// maxRefusal is how much of the body of a refusal is passed on, in bytes.
const maxRefusal = 64 << 10

// RoundTrip implements [http.RoundTripper].
func (d *dialing) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := d.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		d.answer, _ = io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // as far as it came
		return response, nil
	}
	if transport, ok := response.Body.(io.ReadWriteCloser); ok {
		d.wire = &wire{ReadWriteCloser: transport, masks: true}
		response.Body = d.wire
	}
	return response, nil
}

// accepting is the writer of an HTTP response that keeps the wire of the
// connection when it is taken over.
type accepting struct {
	http.ResponseWriter
	wire *wire
}

// Hijack implements [http.Hijacker].
func (a *accepting) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if err := buffered.Flush(); err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	a.wire = &wire{ReadWriteCloser: conn}
	return &wireConn{conn, a.wire}, bufio.NewReadWriter(buffered.Reader, bufio.NewWriter(a.wire)), nil
}

// wireConn is a network connection that is read and written through its wire.
type wireConn struct {
	net.Conn
	wire *wire
}

// Read implements [net.Conn].
func (c *wireConn) Read(p []byte) (int, error) { return c.wire.Read(p) }

// Write implements [net.Conn].
func (c *wireConn) Write(p []byte) (int, error) { return c.wire.Write(p) }

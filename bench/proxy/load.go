package main

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The generator speaks WebSocket by hand: it must cost little beside what it
// measures.

const (
	blockStart = `{"role": "assistant", "type": "message", "start": true}`
	blockEnd   = `{"role": "assistant", "type": "message", "end": true}`
	complete   = `{"role": "server", "type": "status", "content": "complete"}`
	chunkHead  = `{"role": "assistant", "type": "message", "content": " `
	chunkTail  = `"}`

	stampSize = 19 // digits of a time in nanoseconds
)

// load is what the server sends.
type load struct {
	connections int
	rate        int // frames a second to each client
	burst       int // frames in one write of the server
	length      time.Duration
	warmUp      time.Duration // before length; its frames are not counted
}

func (l *load) String() string { return fmt.Sprintf("%d × %d/s", l.connections, l.rate) }

// interval is the time between two writes of the server.
func (l *load) interval() time.Duration {
	return time.Second * time.Duration(l.burst) / time.Duration(l.rate*l.connections)
}

// writes is how often the server writes.
func (l *load) writes() int { return int((l.warmUp + l.length) / l.interval()) }

// server accepts clients and sends to all of them.
type server struct {
	net.Listener
	accepted chan net.Conn
	failed   chan error
}

// listen starts the server.
func listen() (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{listener, make(chan net.Conn, 1000), make(chan error, 1)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil { // closed
				return
			}
			if err := shakeHands(conn); err != nil {
				_ = conn.Close()
				continue
			}
			s.accepted <- conn
		}
	}()
	return s, nil
}

// shakeHands answers the handshake of a client.
func shakeHands(conn net.Conn) error {
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return err
	}
	sum := sha1.Sum([]byte(request.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	_, err = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	return err
}

// send sends a load to connections: one goroutine for all, so that no timers
// compete with what is measured. The connections take turns: their writes are
// spread over the time between two writes to the same one.
func (l *load) send(connections []net.Conn) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	write := func(frames []byte) error {
		for _, conn := range connections {
			if _, err := conn.Write(frames); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(appendFrame(nil, blockStart)); err != nil {
		return err
	}
	blank := chunkHead + "0000000000000000000" + chunkTail
	var frames []byte
	var stamps []int // where the times are in the frames
	for range l.burst {
		frames = appendFrame(frames, blank)
		stamps = append(stamps, len(frames)-stampSize-len(chunkTail))
	}
	each := l.interval()
	begin := time.Now()
	for i := range l.writes() {
		if early := time.Until(begin.Add(time.Duration(i) * each)); early > 0 {
			pause(early)
		}
		now := time.Now().UnixNano()
		for _, at := range stamps {
			strconv.AppendInt(frames[at:at], now, 10)
		}
		if _, err := connections[i%len(connections)].Write(frames); err != nil {
			return err
		}
	}
	last := appendFrame(appendFrame(nil, blockEnd), complete)
	return write(append(last, 0x88, 0)) // and a close frame
}

// appendFrame appends a text frame of a server, of less than 126 bytes.
func appendFrame(b []byte, text string) []byte {
	return append(append(b, 0x81, byte(len(text))), text...)
}

// sample is what was measured in one run.
type sample struct {
	delays  *hdrhistogram.Histogram // in nanoseconds
	elapsed time.Duration           // until the last chunk arrived
}

func (s *sample) perSecond() float64 { return float64(s.delays.TotalCount()) / s.elapsed.Seconds() }

func (s *sample) median() time.Duration { return s.percentile(50) }

func (s *sample) percentile(p float64) time.Duration {
	return time.Duration(s.delays.ValueAtPercentile(p))
}

// newHistogram returns a histogram of delays up to an hour, to two digits. It has a
// fixed size: counting costs little beside what is measured.
func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, time.Hour.Nanoseconds(), 2) }

// measure connects clients, sends them the load, and returns the delays of all
// chunks.
func (l *load) measure(s *server, address string) (*sample, error) {
	var group sync.WaitGroup
	clients := make([]*client, l.connections)
	servers := make([]net.Conn, l.connections)
	for i := range clients {
		c, err := connect(address)
		if err != nil {
			return nil, err
		}
		clients[i], servers[i] = c, <-s.accepted
		group.Go(c.receive)
	}
	begin := time.Now().Add(l.warmUp)
	for _, c := range clients {
		c.begin.Store(begin.UnixNano())
	}
	err := l.send(servers)
	if err == nil {
		group.Wait()
	}
	all, frames := &sample{delays: newHistogram(), elapsed: time.Since(begin)}, 0
	for i, c := range clients {
		err = errors.Join(err, c.err, c.conn.Close(), servers[i].Close())
		all.delays.Merge(c.delays)
		frames += c.frames
	}
	if want := l.writes() * l.burst; err == nil && frames < want {
		err = fmt.Errorf("%d of %d frames arrived", frames, want)
	}
	return all, err
}

// client receives chunks.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
	begin  atomic.Int64 // when a frame was sent that is counted, in nanoseconds
	delays *hdrhistogram.Histogram
	frames int // of all chunks
	err    error
}

func connect(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", address); err != nil {
		return nil, err
	}
	c := &client{conn: conn, reader: bufio.NewReader(conn), delays: newHistogram()}
	response, err := http.ReadResponse(c.reader, nil) //nolint:bodyclose // it has none
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return nil, errors.New(response.Status)
	}
	return c, nil
}

// receive receives until the server closes the connection.
func (c *client) receive() {
	var now int64 // when the bytes arrived that are in the buffer
	for {
		if c.reader.Buffered() < 2 {
			now = 0
		}
		head, err := c.reader.Peek(2)
		if err == nil {
			if c.reader.Buffered() < 2+int(head[1]) {
				now = 0
			}
			head, err = c.reader.Peek(2 + int(head[1]))
		}
		if err != nil || head[0] == 0x88 {
			c.err = err
			return
		}
		if now == 0 {
			now = time.Now().UnixNano()
		}
		text := head[2 : 2+int(head[1])]
		if digits, isChunk := bytes.CutPrefix(text, []byte(chunkHead)); isChunk {
			sent, err := strconv.ParseInt(string(bytes.TrimSuffix(digits, []byte(chunkTail))), 10, 64)
			if err != nil {
				c.err = err
				return
			}
			c.frames++
			if sent >= c.begin.Load() {
				_ = c.delays.RecordValue(now - sent) // an hour is never reached
			}
		}
		if _, err := c.reader.Discard(2 + len(text)); err != nil {
			c.err = err
			return
		}
	}
}

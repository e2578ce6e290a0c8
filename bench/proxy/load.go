package main

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// The generator speaks WebSocket by hand: it must cost little beside what it
// measures.

// burst is how many frames the server sends at a time.
const burst = 5

const (
	blockStart = `{"role": "assistant", "type": "message", "start": true}`
	blockEnd   = `{"role": "assistant", "type": "message", "end": true}`
	complete   = `{"role": "server", "type": "status", "content": "complete"}`
	chunkHead  = `{"role": "assistant", "type": "message", "content": " `
)

// listen starts the server.
func listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil { // closed
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				_ = serve(conn) // the client went away
			}()
		}
	}()
	return listener, nil
}

// serve answers the handshake of a client and sends chunks. The request's path
// has the rate and the length.
func serve(conn net.Conn) error {
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return err
	}
	var rate int
	var length time.Duration
	if _, err := fmt.Sscanf(request.URL.Path, "/%d/%d", &rate, &length); err != nil {
		return err
	}
	sum := sha1.Sum([]byte(request.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	if _, err := fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:])); err != nil {
		return err
	}
	return sendChunks(conn, rate, length)
}

func sendChunks(conn net.Conn, rate int, length time.Duration) error {
	if _, err := conn.Write(appendFrame(nil, []byte(blockStart))); err != nil {
		return err
	}
	ticker := time.NewTicker(burst * time.Second / time.Duration(rate))
	defer ticker.Stop()
	var frames, text []byte
	for end := time.Now().Add(length); time.Now().Before(end); {
		<-ticker.C
		frames = frames[:0]
		for range burst {
			text = strconv.AppendInt(append(text[:0], chunkHead...), time.Now().UnixNano(), 10)
			frames = appendFrame(frames, append(text, `"}`...))
		}
		if _, err := conn.Write(frames); err != nil {
			return err
		}
	}
	last := appendFrame(appendFrame(nil, []byte(blockEnd)), []byte(complete))
	_, err := conn.Write(append(last, 0x88, 0)) // and a close frame
	return err
}

// appendFrame appends a text frame of a server, of less than 64 KiB.
func appendFrame(b, text []byte) []byte {
	b = append(b, 0x81)
	if len(text) < 126 {
		b = append(b, byte(len(text)))
	} else {
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(len(text)))
	}
	return append(b, text...)
}

// load is what the server sends.
type load struct {
	connections, rate int
	length            time.Duration
}

// measure connects clients and returns the delays of all chunks.
func (l *load) measure(address string) (delays, error) {
	var mu sync.Mutex
	var all []time.Duration
	var errs []error
	var group sync.WaitGroup
	for i := range l.connections {
		group.Go(func() {
			time.Sleep(time.Duration(i) * 5 * time.Millisecond / 2) // not all at the same moment
			some, err := l.receive(address)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, some...)
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	group.Wait()
	if len(all) == 0 {
		return delays{}, errors.Join(append(errs, errors.New("nothing arrived"))...)
	}
	return summarize(all, l.length), errors.Join(errs...)
}

// receive connects one client.
func (l *load) receive(address string) ([]time.Duration, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "GET /%d/%d HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", l.rate, l.length, address); err != nil {
		return nil, err
	}
	r := bufio.NewReader(conn)
	response, err := http.ReadResponse(r, nil) //nolint:bodyclose // it has none
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return nil, errors.New(response.Status)
	}
	some := make([]time.Duration, 0, int(l.length.Seconds()*float64(l.rate))+burst)
	for {
		text, closed, err := readFrame(r)
		if err != nil || closed {
			return some, err
		}
		digits, isChunk := bytes.CutPrefix(text, []byte(chunkHead))
		if !isChunk {
			continue
		}
		sent, err := strconv.ParseInt(string(bytes.TrimSuffix(digits, []byte(`"}`))), 10, 64)
		if err != nil {
			return some, err
		}
		some = append(some, time.Duration(time.Now().UnixNano()-sent))
	}
}

// readFrame reads a frame of a server, of less than 64 KiB.
func readFrame(r *bufio.Reader) (text []byte, closed bool, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:2]); err != nil {
		return nil, false, err
	}
	size := int(head[1])
	if size == 126 {
		if _, err := io.ReadFull(r, head[2:]); err != nil {
			return nil, false, err
		}
		size = int(binary.BigEndian.Uint16(head[2:]))
	}
	text = make([]byte, size)
	_, err = io.ReadFull(r, text)
	return text, head[0] == 0x88, err
}

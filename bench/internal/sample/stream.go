package sample

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
)

// flushAt is the approximate number of bytes per write.
const flushAt = 256 << 10

// Stream describes a stream: a number of Chunks, or complete turns of at least a
// number of Bytes. Exactly one of the two is above zero.
type Stream struct {
	Seed   uint64
	Chunks int
	Bytes  int64
	Layout Layout
	Script Script
	Wrong  Wrong
}

// smallestTurn is a message of one token.
const smallestTurn = 3

// WriteStream writes a stream of whole turns as JSON Lines.
func WriteStream(w io.Writer, s Stream) error {
	if (s.Chunks > 0) == (s.Bytes > 0) || (s.Bytes <= 0 && s.Chunks < smallestTurn) {
		return fmt.Errorf("want a number of bytes, or of chunks from %d", smallestTurn)
	}
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	e := &emitter{stream: s, w: w, rng: rng, spoil: newSpoiler(s.Wrong, s.Seed)}
	a := newAuthor(rng, s.Script)
	for !e.full() {
		if err := e.turn(e.fit(a)); err != nil {
			return err
		}
	}
	return e.flush()
}

// emitter writes turns until the stream has its length.
type emitter struct {
	stream  Stream
	w       io.Writer
	rng     *rand.Rand
	spoil   *spoiler
	buffer  []byte
	written int64
	chunks  int
}

func (e *emitter) full() bool {
	if e.stream.Bytes > 0 {
		return e.written+int64(len(e.buffer)) >= e.stream.Bytes
	}
	return e.chunks >= e.stream.Chunks
}

// fit returns a turn after which there is space for another turn, or no space. If
// no turn leaves either, it returns a message that fills the space.
func (e *emitter) fit(a *author) []record {
	turn := a.turn()
	rest := e.stream.Chunks - e.chunks - len(turn)
	if e.stream.Bytes > 0 || rest == 0 || rest >= smallestTurn {
		return turn
	}
	a.records = append(a.records[:0], assistantMessage.start())
	for range e.stream.Chunks - e.chunks - 2 {
		a.add(assistantMessage.content(" " + pick(a.rng, a.names)))
	}
	a.add(assistantMessage.end())
	return a.records
}

func (e *emitter) turn(records []record) error {
	for _, r := range records {
		e.buffer = e.stream.Layout.appendLine(e.buffer, e.spoil.record(r), e.rng)
	}
	e.chunks += len(records)
	if len(e.buffer) < flushAt {
		return nil
	}
	return e.flush()
}

func (e *emitter) flush() error {
	n, err := e.w.Write(e.buffer)
	e.written += int64(n)
	e.buffer = e.buffer[:0]
	if err != nil {
		return errors.Join(errors.New("write the stream"), err)
	}
	return nil
}

// WriteLong writes a message of three chunks. The content of the second has that
// many bytes.
func WriteLong(w io.Writer, bytes int64) error {
	const words = "a very long line without an end, \\u4e2d\\u6587 and \\\"quotes\\\" in it; "
	b := []byte(`{"role": "assistant", "type": "message", "start": true}` + "\n" + `{"role": "assistant", "type": "message", "content": "`)
	for written := int64(0); written < bytes; written += int64(len(words)) {
		b = append(b, words...)
		if len(b) < flushAt {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("write the long line: %w", err)
		}
		b = b[:0]
	}
	b = append(b, "\"}\n"+`{"role": "assistant", "type": "message", "end": true}`+"\n"...)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write the long line: %w", err)
	}
	return nil
}

// WriteTiny writes one turn of 22 chunks.
func WriteTiny(w io.Writer) error {
	a := &author{}
	a.message("Let me compute.")
	code := "34 / 24"
	a.block(header{"assistant", "code", "python"}, code)
	a.add(confirmation("python", code), consoleFlags.start())
	a.activeLine(1)
	a.print("1.4166666666666667")
	a.finalLine()
	a.message("There you are")
	var b []byte
	for _, r := range a.records {
		b = Layout{}.appendLine(b, r, nil)
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write the chunks: %w", err)
	}
	return nil
}

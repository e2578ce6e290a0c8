package sample

import (
	"fmt"
	"io"
	"math/rand/v2"
)

var (
	userMessage = header{"user", "message", ""}
	userPath    = header{"user", "image", "path"}
	userFile    = header{"user", "file", ""}
)

// WriteTranscript writes a conversation of 5 to 40 messages as json.dump does:
// an array on one line, without a line feed.
func WriteTranscript(w io.Writer, seed uint64) error {
	a := newAuthor(rand.New(rand.NewPCG(seed, 3)), Mixed)
	for n := between(a.rng, 5, 34); len(a.records) < n; {
		a.exchange()
	}
	array := arrayWriter{w: w}
	array.add(a.records)
	if err := array.close(); err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	return nil
}

// exchange is a question and its answer, of five or six messages.
func (a *author) exchange() {
	t := pick(a.rng, a.tongues)
	a.ask(t)
	a.add(assistantMessage.content(t.paragraph(a.rng, between(a.rng, 2, 20))))
	l := pick(a.rng, a.languages)
	a.add(header{"assistant", "code", l.name}.content(l.program(a.rng, a.names, between(a.rng, 3, 30))))
	a.add(consoleOutput.content(output(a.rng, a.names, between(a.rng, 0, 40))))
	a.add(assistantMessage.content(t.paragraph(a.rng, between(a.rng, 2, 24))))
}

func (a *author) ask(t tongue) {
	switch a.rng.IntN(30) {
	case 0:
		a.add(userPath.content("/home/user/" + pick(a.rng, a.names) + ".png"))
	case 1:
		a.add(userFile.content("/home/user/" + pick(a.rng, a.names) + ".csv"))
	}
	a.add(userMessage.content(t.paragraph(a.rng, between(a.rng, 1, 8))))
}

// arrayWriter writes records as a JSON array. The first error stays.
type arrayWriter struct {
	w       io.Writer
	buffer  []byte
	written int64
	records int
	err     error
}

func (a *arrayWriter) add(records []record) {
	for _, r := range records {
		mark := ", "
		if a.records == 0 {
			mark = "["
		}
		a.buffer = Layout{}.appendRecord(append(a.buffer, mark...), r, nil)
		a.records++
	}
	if len(a.buffer) >= flushAt {
		a.flush()
	}
}

func (a *arrayWriter) flush() {
	if a.err != nil {
		return
	}
	var n int
	n, a.err = a.w.Write(a.buffer)
	a.written += int64(n)
	a.buffer = a.buffer[:0]
}

// close ends an array of one record or more.
func (a *arrayWriter) close() error {
	a.buffer = append(a.buffer, ']')
	a.flush()
	return a.err
}

// Package gather joins many small writes into few.
package gather

import (
	"io"
	"sync"
)

const blockBytes = 64 << 10

// Writer gathers what is written and passes it on in blocks, when one is full
// or when it is told to. It passes on what one call wrote with one call. It is
// safe for concurrent use.
type Writer struct {
	out   io.Writer
	mu    sync.Mutex
	block []byte
	err   error
}

// NewWriter makes a writer that writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write implements [io.Writer]. It may fail because of an earlier write, and
// from then on always does.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.block)+len(p) > blockBytes {
		w.flush()
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.block == nil {
		w.block = make([]byte, 0, blockBytes)
	}
	if len(p) <= blockBytes {
		w.block = append(w.block, p...)
		return len(p), nil
	}
	n, err := w.out.Write(p)
	w.err = err
	return n, err
}

// Flush passes on what has gathered.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	if len(w.block) == 0 || w.err != nil {
		return
	}
	_, w.err = w.out.Write(w.block)
	w.block = w.block[:0]
}

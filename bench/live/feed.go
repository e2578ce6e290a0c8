package main

import (
	"bufio"
	"fmt"
	"io"
	"sync"
	"time"
)

// feed writes a stream and records when it wrote each mistake.
type feed struct {
	every   int
	records int

	mu      sync.Mutex
	written map[int]time.Time // by the number of a record with a mistake, until it is reported
}

// ticks is the number of writes per second.
const ticks = 100

// run writes records at a rate for a time. After a pause it catches up.
func (f *feed) run(to io.Writer, length time.Duration, rate int) error {
	w := bufio.NewWriter(to)
	begun := time.Now()
	ticker := time.NewTicker(time.Second / ticks)
	defer ticker.Stop()
	for now := range ticker.C {
		due := int(now.Sub(begun).Seconds() * float64(rate))
		for f.records < due {
			if err := f.write(w); err != nil {
				return err
			}
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("write records: %w", err)
		}
		if now.Sub(begun) >= length {
			return f.end(w)
		}
	}
	return nil
}

// blockRecords is the number of records in a block.
const blockRecords = 50

// write writes the next record of blocks of one message each. Some chunks are
// empty, which is the mistake.
func (f *feed) write(w io.Writer) error {
	text := `"content": " word"`
	switch f.records % blockRecords {
	case 0:
		text = `"start": true`
	case blockRecords - 1:
		text = `"end": true`
	case blockRecords / 2:
		if f.records/f.every != (f.records-blockRecords)/f.every {
			text = `"content": ""`
			f.mu.Lock()
			f.written[f.records] = time.Now()
			f.mu.Unlock()
		}
	}
	f.records++
	_, err := fmt.Fprintf(w, "{\"role\": \"assistant\", \"type\": \"message\", %s}\n", text)
	if err != nil {
		return fmt.Errorf("write a record: %w", err)
	}
	return nil
}

// end closes the open block.
func (f *feed) end(w *bufio.Writer) error {
	for f.records%blockRecords != 0 {
		if err := f.write(w); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	return nil
}

// reported records a finding and returns its delay. It returns false for a record
// without a mistake.
func (f *feed) reported(record int) (after time.Duration, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, ok := f.written[record]
	delete(f.written, record)
	return time.Since(at), ok
}

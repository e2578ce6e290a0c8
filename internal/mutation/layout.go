package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// layout is the text of a recording around its records.
type layout struct {
	head []byte   // before the first record
	gaps [][]byte // after each record but the last
	tail []byte   // after the last record
	gap  []byte   // between new records: the first gap that is only a separator
}

// readLines finds the records of JSON Lines.
func (r *Recording) readLines(data []byte) error {
	end := 0 // of the last record
	for begin := 0; begin < len(data); {
		line, _, _ := bytes.Cut(data[begin:], []byte{'\n'})
		record := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(record) > 0 {
			start := begin + bytes.Index(line, record)
			r.addLine(data, end, start, start+len(record))
			end = start + len(record)
		}
		begin += len(line) + 1
	}
	return r.endLayout(data, end, "\n")
}

// readArray finds the records of a JSON array.
func (r *Recording) readArray(data []byte) error {
	offset := bytes.IndexByte(data, '[') // a byte order mark may precede it
	decoder := json.NewDecoder(bytes.NewReader(data[offset:]))
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("read the array: %w", err)
	}
	end := 0
	for decoder.More() {
		var record json.RawMessage
		if err := decoder.Decode(&record); err != nil {
			return fmt.Errorf("read element %d: %w", len(r.lines), err)
		}
		after := offset + int(decoder.InputOffset())
		r.addLine(data, end, after-len(record), after)
		end = after
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("read the array: %w", err)
	}
	return r.endLayout(data, end, ",\n")
}

// addLine adds the record that is data[start:end], after another that ends at
// before, or after nothing.
func (r *Recording) addLine(data []byte, before, start, end int) {
	between := data[before:start:start]
	if len(r.lines) == 0 {
		r.layout.head = between
	} else {
		r.layout.gaps = append(r.layout.gaps, between)
	}
	r.lines = append(r.lines, data[start:end:end])
}

// endLayout sets what follows the last record, and the gap between new records.
func (r *Recording) endLayout(data []byte, end int, gap string) error {
	if len(r.lines) == 0 {
		return errors.New("the recording has no records")
	}
	l := &r.layout
	l.tail = data[end:]
	l.gap = []byte(gap)
	if len(l.gaps) > 0 {
		l.gap = slices.MinFunc(l.gaps, func(a, b []byte) int { return len(a) - len(b) })
	}
	return nil
}

// Data returns the unchanged recording.
func (r *Recording) Data() []byte {
	data, _ := r.join(r.lines, nil)
	return data
}

// join returns changed records in the layout of the recording, and the 1-based
// lines on which those with the given indices are. The index after the last
// record is the end.
func (r *Recording) join(lines [][]byte, at []int) (data []byte, places []int) {
	gapAfter := r.gapsAfter(lines)
	line := 1 + bytes.Count(r.layout.head, []byte{'\n'})
	data = slices.Clone(r.layout.head)
	for i, text := range lines {
		first := line
		line += bytes.Count(text, []byte{'\n'})
		data = append(data, text...)
		if slices.Contains(at, i) {
			for n := first; n <= line; n++ {
				places = append(places, n)
			}
		}
		if i < len(lines)-1 {
			data = append(data, gapAfter[i]...)
			line += bytes.Count(gapAfter[i], []byte{'\n'})
		}
	}
	data = append(data, r.layout.tail...)
	if slices.Contains(at, len(lines)) {
		places = append(places, line+1)
	}
	return data, places
}

// gapsAfter returns the text after each of changed records: the one after the
// same record of the recording, or after the record that it replaces.
func (r *Recording) gapsAfter(lines [][]byte) [][]byte {
	number := map[*byte]int{} // of the recording's own records, by their first byte
	for i, line := range r.lines {
		number[&line[0]] = i
	}
	gaps := make([][]byte, len(lines))
	for i, line := range lines {
		own, isOwn := i, len(lines) == len(r.lines)
		if len(line) > 0 {
			if n, ok := number[&line[0]]; ok {
				own, isOwn = n, true
			}
		}
		gaps[i] = r.layout.gap
		if isOwn && own < len(r.layout.gaps) {
			gaps[i] = r.layout.gaps[own]
		}
	}
	return gaps
}

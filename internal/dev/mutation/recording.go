package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Recording is a valid recording, with a record or an element per line.
type Recording struct {
	Name       string // its path in the suite, or another name; it decides where mistakes are seeded
	Dialect    string
	AutoRun    bool
	Transcript bool // messages, else a stream

	// Unconfirmed says that code may run without a confirmation, because the
	// dialect confirms nothing with auto_run.
	Unconfirmed bool

	array   bool     // one JSON array; else JSON Lines
	lines   [][]byte // one record each
	records []object
	blocks  []*block // of a stream
	confirm []int    // indices of confirmations
	endKey  string   // of the dialect: "end" or "stop"
}

// Read reads a recording that is JSON Lines or one JSON array. The recording
// must be valid: the linter finds no error and no warning in it. Its name,
// dialect and kind are set.
func (r *Recording) Read(data []byte) error {
	r.endKey = "end"
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	var elements []json.RawMessage
	if r.array = bytes.HasPrefix(data, []byte("[")); !r.array {
		for line := range bytes.Lines(data) {
			elements = append(elements, bytes.TrimSpace(line))
		}
		elements = slices.DeleteFunc(elements, func(line json.RawMessage) bool { return len(line) == 0 })
	} else if err := json.Unmarshal(data, &elements); err != nil {
		return fmt.Errorf("read the array: %w", err)
	}
	if len(elements) == 0 {
		return errors.New("the recording has no records")
	}
	for _, element := range elements {
		r.lines = append(r.lines, slices.Clip(element))
	}
	for i, line := range r.lines {
		record, err := parse(line)
		if err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
		r.records = append(r.records, record)
	}
	if r.Transcript {
		return nil
	}
	return r.findBlocks()
}

// around returns the text before, between and after the records.
func (r *Recording) around() (head, separator, tail string) {
	if r.array {
		return "[\n", ",\n", "\n]\n"
	}
	return "", "\n", "\n"
}

// Data returns the unchanged recording.
func (r *Recording) Data() []byte {
	data, _ := r.join(r.lines, nil)
	return data
}

// join returns changed records as a recording, and the 1-based lines on which those with
// the given indices are. The index after the last record is the end.
func (r *Recording) join(lines [][]byte, at []int) (data []byte, places []int) {
	head, separator, tail := r.around()
	first := 1 + strings.Count(head, "\n")
	for i, text := range lines {
		last := first + bytes.Count(text, []byte{'\n'})
		if slices.Contains(at, i) {
			places = append(places, span(first, last+1)...)
		}
		first = last + 1
	}
	if slices.Contains(at, len(lines)) {
		places = append(places, first)
	}
	return slices.Concat([]byte(head), bytes.Join(lines, []byte(separator)), []byte(tail)), places
}

// block is a block of a valid stream. Numbers are 0-based record indices.
type block struct {
	role, kind, format string
	start, end         int
	contents           []int
	texts              []string // of contents; "" for values other than strings
	final              bool     // the last content is a null
	confirmation       int      // index of its confirmation, or -1
	code               *block   // of a computer's block: the code it executes
	runs               []*block // of code: the blocks of its execution
}

func (b *block) text() string { return strings.Join(b.texts, "") }

// isCode reports whether the block is code of the assistant.
func (b *block) isCode() bool { return b.role == "assistant" && b.kind == "code" }

// same reports whether two blocks have the same role, type and format.
func (b *block) same(o *block) bool {
	return b.role == o.role && b.kind == o.kind && b.format == o.format
}

// findBlocks collects the blocks of a stream and links code to its confirmation
// and execution. It fails if the blocks are not those of a valid stream.
func (r *Recording) findBlocks() error {
	var open, code *block
	for i, record := range r.records {
		isEnd := record.has("end") || record.has("stop")
		switch {
		case record.text("type") == "confirmation":
			r.confirm = append(r.confirm, i)
			if code != nil && code.confirmation < 0 {
				code.confirmation = i
			}
		case open == nil && record.has("start"):
			open = &block{
				role: record.text("role"), kind: record.text("type"), format: record.text("format"),
				start: i, confirmation: -1,
			}
			r.blocks = append(r.blocks, open)
			code = open.follows(code)
		case open == nil && isEnd, record.has("start"), isEnd && len(open.contents) == 0:
			return fmt.Errorf("record %d: the blocks are not those of a valid stream", i)
		case open == nil: // a frame of the server
		case isEnd:
			if record.has("stop") {
				r.endKey = "stop"
			}
			open.end = i
			open = nil
		default:
			open.contents = append(open.contents, i)
			open.texts = append(open.texts, record.text("content"))
			open.final = string(record.raw("content")) == "null"
		}
	}
	if open != nil {
		return fmt.Errorf("record %d: the block has no end", open.start)
	}
	return nil
}

// follows links a new block to the code it executes, and returns the code that
// the next block may execute.
func (b *block) follows(code *block) *block {
	switch {
	case b.isCode():
		return b
	case b.role == "computer" && code != nil:
		b.code = code
		code.runs = append(code.runs, b)
	case b.kind == "message":
		return nil
	}
	return code
}

package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Recording is a valid recording of the conformance suite.
type Recording struct {
	Name       string // its path in the suite
	Dialect    string
	AutoRun    bool
	Transcript bool // an array of messages; else a stream as JSON Lines

	lines   [][]byte // one record each
	records []object
	blocks  []*block // of a stream
	confirm []int    // indices of confirmations
	endKey  string   // of the dialect: "end" or "stop"
}

// expectation is the part of a recording's .expect.json file that matters here.
type expectation struct {
	Options struct {
		Dialect string `json:"dialect"`
		AutoRun bool   `json:"autoRun"`
	} `json:"options"`
	Findings []struct {
		Severity string `json:"severity"`
	} `json:"findings"`
}

// Load returns the recordings of the suite that are expected to have no finding
// above a note.
func Load(suite fs.FS) ([]*Recording, error) {
	var recordings []*Recording
	err := fs.WalkDir(suite, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".chunks.jsonl") && !strings.HasSuffix(path, ".messages.json") {
			return err
		}
		r, err := load(suite, path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if r != nil {
			recordings = append(recordings, r)
		}
		return nil
	})
	return recordings, err
}

// load reads one recording. It returns nil if an error or a warning is expected.
func load(suite fs.FS, path string) (*Recording, error) {
	var expected expectation
	expectations, err := fs.ReadFile(suite, path+".expect.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(expectations, &expected); err != nil {
		return nil, err
	}
	for _, f := range expected.Findings {
		if f.Severity != "note" {
			return nil, nil
		}
	}
	data, err := fs.ReadFile(suite, path)
	if err != nil {
		return nil, err
	}
	r := &Recording{
		Name: path, Dialect: expected.Options.Dialect, AutoRun: expected.Options.AutoRun,
		Transcript: strings.HasSuffix(path, ".json"), endKey: "end",
	}
	return r, r.read(data)
}

// read splits the recording into records.
func (r *Recording) read(data []byte) error {
	if r.Transcript {
		var messages []json.RawMessage
		if err := json.Unmarshal(data, &messages); err != nil {
			return err
		}
		for _, m := range messages {
			r.lines = append(r.lines, m)
		}
	} else {
		r.lines = slices.DeleteFunc(bytes.Split(data, []byte{'\n'}), func(l []byte) bool { return len(bytes.TrimSpace(l)) == 0 })
	}
	for _, line := range r.lines {
		record, err := parse(line)
		if err != nil {
			return err
		}
		r.records = append(r.records, record)
	}
	if !r.Transcript {
		r.findBlocks()
	}
	return nil
}

// Data returns the unchanged recording in the layout of the mutants: one record
// per line.
func (r *Recording) Data() []byte { return r.join(r.lines) }

// join returns lines as a stream, or as a JSON array with one element per line.
func (r *Recording) join(lines [][]byte) []byte {
	if !r.Transcript {
		return append(bytes.Join(lines, []byte{'\n'}), '\n')
	}
	return slices.Concat([]byte("[\n"), bytes.Join(lines, []byte(",\n")), []byte("\n]\n"))
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
// and execution.
func (r *Recording) findBlocks() {
	var open, code *block
	for i, record := range r.records {
		switch {
		case record.text("type") == "confirmation":
			r.confirm = append(r.confirm, i)
			if code != nil && code.confirmation < 0 {
				code.confirmation = i
			}
		case record.has("start"):
			open = &block{
				role: record.text("role"), kind: record.text("type"), format: record.text("format"),
				start: i, confirmation: -1,
			}
			r.blocks = append(r.blocks, open)
			code = open.follows(code)
		case record.has("end"), record.has("stop"):
			if record.has("stop") {
				r.endKey = "stop"
			}
			open.end = i
		default:
			open.contents = append(open.contents, i)
			open.texts = append(open.texts, record.text("content"))
			open.final = string(record.raw("content")) == "null"
		}
	}
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

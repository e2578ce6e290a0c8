package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Recording is a healthy recording.
type Recording struct {
	Name       string // its path in the suite
	Dialect    string
	AutoRun    bool
	Transcript bool // an array of messages; else a stream as JSON Lines

	lines   [][]byte // one record each
	records []object
	blocks  []*block // of a stream
	confirm []int    // the records that are confirmations
	endKey  string   // of the dialect: "end" or "stop"
}

// expectation is what the suite says of a recording.
type expectation struct {
	Options struct {
		Dialect string `json:"dialect"`
		AutoRun bool   `json:"autoRun"`
	} `json:"options"`
	Findings []struct {
		Severity string `json:"severity"`
	} `json:"findings"`
}

// Load reads the recordings of a suite in which nothing above a note is found.
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

// load reads one recording. It returns nil if that is not healthy.
func load(suite fs.FS, path string) (*Recording, error) {
	var expected expectation
	told, err := fs.ReadFile(suite, path+".expect.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(told, &expected); err != nil {
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

// read takes the recording apart.
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

// Data is the recording as its mutants are written: a record a line.
func (r *Recording) Data() []byte { return r.join(r.lines) }

// join writes lines as a stream, or as an array with an element a line.
func (r *Recording) join(lines [][]byte) []byte {
	if !r.Transcript {
		return append(bytes.Join(lines, []byte{'\n'}), '\n')
	}
	return slices.Concat([]byte("[\n"), bytes.Join(lines, []byte(",\n")), []byte("\n]\n"))
}

// Naive checks LMC data in the obvious way: encoding/json parses, jsonschema/v5
// validates each record against the published schema, and a small state machine
// tracks blocks.
//
// lmclint is compared with it. It is not an example to follow.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("naive: ")
	schemaPath := flag.String("schema", "", "chunk.schema.json for lines, transcript.schema.json for .json files")
	flag.Parse()
	found, err := check(os.Stdout, *schemaPath, flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	if found > 0 {
		log.Fatalf("%d findings", found)
	}
}

// check writes the findings of all files and counts them.
func check(w io.Writer, schemaPath string, paths []string) (found int, err error) {
	schema, err := jsonschema.Compile(schemaPath)
	if err != nil {
		return 0, err
	}
	out := &report{w: bufio.NewWriter(w)}
	for _, path := range paths {
		if err := checkFile(schema, path, out); err != nil {
			return out.found, err
		}
	}
	return out.found, out.w.Flush()
}

func checkFile(schema *jsonschema.Schema, path string, out *report) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	out.path = path
	if filepath.Ext(path) == ".json" {
		return checkTranscript(schema, f, out)
	}
	return checkStream(schema, f, out)
}

// block is the block that is open in a stream.
type block struct {
	open              bool
	role, typ, format any
}

// step tracks one valid record and returns what is wrong with its position.
func (b *block) step(r map[string]any) string {
	_, start := r["start"]
	_, end := r["end"]
	same := b.open && r["role"] == b.role && r["type"] == b.typ && (r["format"] == b.format || r["type"] == "console")
	wasOpen := b.open
	switch {
	case start:
		*b = block{true, r["role"], r["type"], r["format"]}
		if wasOpen {
			return "start while a block is open"
		}
	case end:
		b.open = false
		if !same {
			return "end does not match"
		}
	case r["type"] == "confirmation":
		if wasOpen {
			return "confirmation inside a block"
		}
	case !same:
		return "content outside its block"
	}
	return ""
}

// checkStream reads one record per line.
func checkStream(schema *jsonschema.Schema, r io.Reader, out *report) error {
	reader := bufio.NewReaderSize(r, 64<<10)
	var open block
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			out.line++
			checkLine(schema, line, &open, out)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func checkLine(schema *jsonschema.Schema, line []byte, open *block, out *report) {
	record, err := decode(bytes.NewReader(line))
	if err == nil {
		err = schema.Validate(record)
	}
	if err != nil {
		out.add(err.Error())
		return
	}
	if problem := open.step(record.(map[string]any)); problem != "" {
		out.add(problem)
	}
}

func checkTranscript(schema *jsonschema.Schema, r io.Reader, out *report) error {
	out.line = 1
	messages, err := decode(r)
	if err == nil {
		err = schema.Validate(messages)
	}
	if err != nil {
		out.add(err.Error())
	}
	return nil
}

func decode(r io.Reader) (value any, err error) {
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}

// report writes one finding per line, as JSON.
type report struct {
	w     *bufio.Writer
	path  string
	line  int
	found int
}

type finding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func (r *report) add(message string) {
	r.found++
	data, err := json.Marshal(finding{r.path, r.line, message})
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	r.w.Write(data)     //nolint:errcheck // the error stays, and Flush returns it
	r.w.WriteByte('\n') //nolint:errcheck // as above
}

// Naive checks LMC data as a program does that takes the libraries at hand:
// encoding/json reads, jsonschema/v5 validates each record against the
// published schema, and a small state machine follows the blocks.
//
// It is what lmclint is measured against, and no example to follow.
package main

import (
	"bufio"
	"flag"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v5" //nolint:depguard // measured beside package schema, not used by it
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

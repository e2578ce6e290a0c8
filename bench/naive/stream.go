package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v5" //nolint:depguard // measured beside package schema, not used by it
)

// checkStream reads a record a line.
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

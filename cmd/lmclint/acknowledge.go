package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// errPackedLines ends a run whose lines cannot be acknowledged.
var errPackedLines = errors.New("--acknowledge reads lines, and the input is compressed")

// magicBytes is how many bytes identify a compression.
const magicBytes = 4

// judgment is the line of --acknowledge. docs/machine.md and
// schema/report.schema.json describe it.
type judgment struct {
	Judged int `json:"judged"` // lines whose findings so far have been printed
}

// acknowledger hands the lines of standard input to the linter one by one, and
// says when each one is checked: the linter checks all that it has before it reads
// again.
type acknowledger struct {
	src   io.Reader
	write func(judgment) error // after the findings so far

	buffer  []byte
	held    []byte // of buffer: read from src, not yet handed out
	err     error  // of src, after held
	begun   bool   // some of src was read
	now     judgment
	waiting bool // the line that was handed out last is complete, and not acknowledged
}

// Read returns at most the rest of a line.
func (a *acknowledger) Read(p []byte) (int, error) {
	if a.waiting {
		a.waiting = false
		a.now.Judged++
		if err := a.write(a.now); err != nil {
			return 0, err
		}
	}
	for len(a.held) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		n, err := a.src.Read(a.buffer)
		a.held, a.err = a.buffer[:n], err
		if !a.begun && len(a.held) >= magicBytes && srcinput.IsCompressed(a.held) {
			return 0, errPackedLines
		}
		a.begun = a.begun || n > 0
	}
	line := a.held
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	n := copy(p, line)
	a.held = a.held[n:]
	a.waiting = n > 0 && p[n-1] == '\n'
	return n, nil
}

// validateAcknowledge fails if a line could not be checked, or its findings not be
// read, before the next one. Detection would wait for several records, so the
// protocol and the form are set, too.
func (o *checkFlags) validateAcknowledge(list []target) error {
	if !o.acknowledge {
		return nil
	}
	form := string(source.FormJSONL)
	if o.kind.value == "session" {
		form = string(source.FormSessionLog)
	}
	jsonl := slices.ContainsFunc(list, func(t target) bool { return t.file == "" && t.format == report.FormatJSONL })
	switch {
	case !jsonl:
		return usagef("--acknowledge needs --format jsonl on standard output")
	case o.kind.value == auto:
		return usagef("--acknowledge needs --kind: its detection would wait for several records")
	case o.form.value != auto && o.form.value != form:
		return usagef("--acknowledge reads --form %s, not %s", form, o.form.value)
	}
	for _, other := range []struct {
		flag string
		on   bool
	}{{"--tee", o.tee}, {"--fail-fast", o.failFast}} {
		if other.on {
			return usagef("--acknowledge and %s cannot be combined", other.flag)
		}
	}
	if o.protocol.value == auto {
		if err := o.flags.Set("protocol", "lmc"); err != nil {
			return fmt.Errorf("set the protocol: %w", err)
		}
	}
	if err := o.flags.Set("form", form); err != nil {
		return fmt.Errorf("set the form: %w", err)
	}
	return nil
}

// acknowledged returns a runner that acknowledges the lines of its input, after
// pause has printed the findings so far.
func (r *checkRun) acknowledged(run runner, pause func() error) runner {
	write := func(j judgment) error {
		if err := pause(); err != nil {
			return err
		}
		line, err := json.Marshal(j)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return r.out.printLine(line)
	}
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		return run(ctx, path, &acknowledger{src: src, write: write, buffer: make([]byte, bufferBytes)}, emit)
	}
}

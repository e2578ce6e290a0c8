package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// errPackedLines ends a run whose lines cannot be acknowledged.
var errPackedLines = errors.New("--acknowledge reads lines, and the input is compressed")

// judgment is the line of --acknowledge. docs/machine.md and
// schema/report.schema.json describe it.
type judgment struct {
	Judged int `json:"judged"` // lines whose findings so far have been printed
}

// acknowledger hands the lines of standard input to the linter one by one, and
// says when each one is checked: the linter checks all that it has before it reads
// again.
type acknowledger struct {
	lines   lineReader
	write   func(judgment) error // after the findings so far
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
	n, err := a.lines.Read(p)
	if a.lines.packed {
		return 0, errPackedLines
	}
	a.waiting = n > 0 && p[n-1] == '\n'
	return n, err
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
	case o.tee:
		return usagef("--acknowledge and --tee cannot be combined")
	case o.failFast:
		return usagef("--acknowledge and --fail-fast cannot be combined")
	}
	if o.protocol.value != auto {
		return o.flags.Set("form", form)
	}
	return errors.Join(o.flags.Set("protocol", "lmc"), o.flags.Set("form", form))
}

// acknowledged returns a runner that acknowledges the lines of its input.
func (r *checkRun) acknowledged(run runner) runner {
	write := func(j judgment) error {
		line, err := json.Marshal(j)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return r.out.printLine(line)
	}
	return func(ctx context.Context, path string, src io.Reader, emit func(lint.Finding) error) (lint.Result, error) {
		return run(ctx, path, &acknowledger{lines: lineReader{src: src}, write: write}, emit)
	}
}

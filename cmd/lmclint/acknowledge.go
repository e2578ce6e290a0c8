package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/internal/source"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
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

// acknowledged returns a runner that passes its input to the linter line by line, and
// prints a judgment when a line was checked.
func (r *checkRun) acknowledged(linter *lint.Linter) runner {
	var head []byte // the first bytes of the input
	var now judgment
	return byLine(linter, func(f *feed.Feed, line []byte) error {
		if missing := srcinput.ZipMagicBytes - len(head); missing > 0 {
			head = append(head, line[:min(len(line), missing)]...)
			if srcinput.IsCompressed(head) || srcinput.IsZip(head) {
				return errPackedLines
			}
		}
		if err := f.Push(line); err != nil || line[len(line)-1] != '\n' {
			return err
		}
		now.Judged++
		text, err := json.Marshal(now)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return r.out.printLine(text)
	}, nil)
}

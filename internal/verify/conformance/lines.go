package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Blanks are the characters around records: whitespace and byte order marks.
const Blanks = "\ufeff \t\r\n"

// Record is a record of a stream, or text between records.
type Record struct {
	Data         []byte // without [Blanks] around it
	Line, Column int    // where it begins in the stream, as in [suite.Finding]
}

// oneRecordPerLine returns a case as consumers get it: each record on a line of its
// own, without the list or the object around it, and the findings in these lines. It
// returns a stream that already has one record per line unchanged.
func oneRecordPerLine(c *suite.Case, stream []byte, records []Record) (*suite.Case, []byte) {
	lines := bytes.Split(stream, []byte{'\n'})
	for i := range lines {
		lines[i] = bytes.Trim(lines[i], Blanks)
	}
	lines = slices.DeleteFunc(lines, func(line []byte) bool { return len(line) == 0 })
	if slices.EqualFunc(lines, records, func(line []byte, r Record) bool { return bytes.Equal(line, r.Data) }) {
		return c, stream
	}
	var text bytes.Buffer
	for _, r := range records {
		if json.Compact(&text, r.Data) != nil {
			text.Write(bytes.ReplaceAll(r.Data, []byte{'\n'}, []byte{' '}))
		}
		text.WriteByte('\n')
	}
	changed := *c
	changed.Findings = slices.Clone(c.Findings)
	for i := range changed.Findings {
		f := &changed.Findings[i]
		after := slices.IndexFunc(records, func(r Record) bool {
			return cmp.Or(cmp.Compare(r.Line, f.Line), cmp.Compare(r.Column, f.Column)) > 0
		})
		if after < 0 {
			after = len(records)
		}
		f.Line, f.Column = max(1, after), 1
	}
	return &changed, text.Bytes()
}

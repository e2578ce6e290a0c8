package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// tap writes a test per file as soon as the file is checked, with its findings
// as a block of YAML.
type tap struct {
	base
	open tests
	done int
}

func (t *tap) Begin(r Run) error {
	t.open.failOn = r.FailOn
	_, err := io.WriteString(t.out, "TAP version 13\n")
	return err
}

func (t *tap) Finding(f lint.Finding) error {
	t.open.add(&f)
	return nil
}

func (t *tap) File(f File) error {
	tests := t.open.take(&f)
	t.done++
	word := "ok"
	if f.Err != nil || len(tests.failed) > 0 || tests.hidden > 0 {
		word = "not ok"
	}
	b := fmt.Appendf(nil, "%s %d - %s\n", word, t.done, tapEscapes.Replace(escapeStrict(f.Path)))
	if f.Err != nil || f.Findings() > 0 || len(tests.failed)+len(tests.passed) > 0 {
		b = tapBlock(b, &f, tests)
	}
	_, err := t.out.Write(b)
	return err
}

// tapBlock appends the findings of a file as YAML. Readers of TAP support only a
// part of YAML, so every text is the value of a key.
func tapBlock(b []byte, f *File, tests fileTests) []byte {
	b = append(b, "  ---\n"...)
	if f.Err != nil {
		b = fmt.Appendf(b, "  failure: %s\n", yamlString(reason(f)))
	}
	b = fmt.Appendf(b, "  errors: %d\n  warnings: %d\n  notes: %d\n", f.Errors, f.Warnings, f.Notes)
	if tests.hidden > 0 {
		b = fmt.Appendf(b, "  hidden: %d\n", tests.hidden)
	}
	for i, test := range append(tests.failed, tests.passed...) {
		if i == 0 {
			b = append(b, "  rules:\n"...)
		}
		b = fmt.Appendf(b, "    - rule: %s\n      severity: %s\n      count: %d\n      findings:\n",
			yamlString(test.rule.ID), test.worst, test.found)
		for _, line := range test.lines {
			b = fmt.Appendf(b, "        - message: %s\n", yamlString(line))
		}
	}
	return append(b, "  ...\n"...)
}

// yamlString returns data in double quotes. Characters for which YAML needs an
// escape are visible already.
func yamlString(text string) string { return `"` + yamlEscapes.Replace(escapeStrict(text)) + `"` }

var (
	yamlEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	tapEscapes  = strings.NewReplacer(`\`, `\\`, `#`, `\#`)
)

func (t *tap) End(Summary) error {
	plan := fmt.Sprintf("1..%d\n", t.done)
	if t.done == 0 {
		plan = "1..0 # SKIP nothing was checked\n"
	}
	_, err := io.WriteString(t.out, plan)
	return err
}

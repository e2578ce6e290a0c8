package suite

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// What follows the name of an input in the names of the files beside it.
const (
	ExpectationExt = ".expect.json"  // what it must give, an Expectation
	AgainstExt     = ".against.json" // a conversation to compare it with
)

// Expectation is what a case says for itself, in the file beside its input. A
// person has read it; the manifest adds what follows from it.
type Expectation struct {
	Note         string    `json:"note,omitempty"`
	Requirements []string  `json:"requirements,omitempty"` // besides those that follow from the name, the findings and the input
	Options      Options   `json:"options"`
	Findings     []Finding `json:"findings"` // in the order of Compare, without levels
	Foreign      bool      `json:"foreign,omitempty"`
}

// ReadExpectation reads an expectation. It returns an error for unknown keys and
// for findings in another order than that of Compare.
func ReadExpectation(r io.Reader) (*Expectation, error) {
	e := new(Expectation)
	if err := decodeStrict(r, e); err != nil {
		return nil, fmt.Errorf("read expectation: %w", err)
	}
	if !slices.IsSortedFunc(e.Findings, Compare) {
		return nil, errors.New("read expectation: the findings are not sorted by path, line, column, rule and pointer")
	}
	return e, nil
}

// IsInput reports whether a file of the suite, by its path from the manifest, is the
// input of a case that has an expectation: no document about the cases, and no text of
// the grammar of JSON.
func IsInput(file string) bool {
	switch folder, _, _ := strings.Cut(file, "/"); folder {
	case "core", "forms", "detect", "recorded", "workbench":
	default:
		return false
	}
	if strings.HasPrefix(file, "workbench/cases/") || strings.HasPrefix(file, "workbench/export/") {
		return false // data of other tests
	}
	return !strings.HasSuffix(file, ExpectationExt) && !strings.HasSuffix(file, AgainstExt) && path.Ext(file) != ".md" && path.Base(file) != "LICENSE"
}

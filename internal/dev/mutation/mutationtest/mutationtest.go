// Package mutationtest has the valid recordings of the conformance suite, and the
// transcripts that they give, for tests that seed mistakes in them.
package mutationtest

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"strings"

	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/schema"
)

// Load returns the recordings of the suite that are expected to have no finding
// above a note.
func Load(files fs.FS) ([]*mutation.Recording, error) {
	var recordings []*mutation.Recording
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".chunks.jsonl") && !strings.HasSuffix(path, ".messages.json") {
			return err
		}
		r, err := load(files, path)
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

// load reads one recording. It returns nil if an error or a warning is expected.
func load(files fs.FS, path string) (*mutation.Recording, error) {
	text, err := fs.ReadFile(files, path+suite.ExpectationExt)
	if err != nil {
		return nil, err
	}
	expected, err := suite.ReadExpectation(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, f := range expected.Findings {
		if f.Severity != "note" {
			return nil, nil
		}
	}
	data, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, err
	}
	r := &mutation.Recording{
		Name: path, Dialect: expected.Options.Dialect, AutoRun: expected.Options.AutoRun,
		Transcript: strings.HasSuffix(path, ".json"),
	}
	dialect, _ := schema.Lookup(cmp.Or(r.Dialect, schema.Names()[0]))
	r.Unconfirmed = r.AutoRun && dialect.Confirmation == schema.ConfirmUnlessAutoRun
	return r, r.Read(data)
}

package convert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

const suite = "../../../testdata"

// forms are the targets that keep the records.
var forms = []convert.Target{convert.JSONL, convert.JSON, convert.SSE, convert.Python}

// converted converts a text, and returns the losses, too.
func converted(text []byte, o convert.Options) (out []byte, losses []convert.Loss, err error) {
	var b bytes.Buffer
	result, err := run(context.Background(), bytes.NewReader(text), &b, o, func(l convert.Loss) { losses = append(losses, l) })
	if keeps := slices.Contains(forms, o.To) && o.FromVersion == ""; err == nil && keeps && result.Written != result.Records {
		err = fmt.Errorf("%d of %d records were written", result.Written, result.Records)
	}
	return b.Bytes(), losses, err
}

// converters are the converters of the tests, by their options: each compiles the schemas
// of the records that it reads. The tests of the package run one after the other.
var converters = map[convert.Options]*convert.Converter{}

// run converts an input as the command does.
func run(ctx context.Context, in io.Reader, out io.Writer, o convert.Options, report func(convert.Loss)) (convert.Result, error) {
	if converters[o] == nil {
		c, err := convert.New(o, reader)
		if err != nil {
			return convert.Result{}, err
		}
		converters[o] = c
	}
	return converters[o].Run(ctx, source.Stdin, in, out, report)
}

// reader returns a linter that runs no rule.
func reader(config lint.Config, options ...lint.Option) (*lint.Linter, error) {
	none, err := rules.Catalog().Resolve(lint.Layer{Levels: []lint.SeverityOverride{{Selector: lint.Selector{Text: "all"}}}})
	if err != nil {
		return nil, err
	}
	return lint.New(rules.All(), append(options, lint.WithConfig(config), lint.WithSelection(none))...)
}

// files returns the inputs of the conformance suite.
func files(t *testing.T) (paths []string) {
	t.Helper()
	for _, dir := range []string{"core", "forms", "detect", "workbench", "recorded"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(suite, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".expect.json") && filepath.Ext(path) != ".md" && filepath.Ext(path) != ".log" { // what a text says must be known
				paths = append(paths, path)
			}
			return err
		}))
	}
	return paths
}

// Every input of the suite can be written in every form, and is the same again
// when it is written as JSON Lines after that.
func TestFormsRoundTrip(t *testing.T) {
	compared := 0
	for _, path := range exhaustive.Sample(files(t), 120) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		compared += roundTrip(t, path, text)
	}
	least := 250
	if exhaustive.Enabled() {
		least = 600
	}
	assert.Greater(t, compared, least)
}

// The same holds for mutants: what can be read is kept.
func TestFormsRoundTripOfMutants(t *testing.T) {
	recordings, err := mutationtest.Load(os.DirFS(filepath.Join(suite, "recorded")))
	require.NoError(t, err)
	compared := 0
	for _, recording := range exhaustive.Sample(recordings, 1) {
		for _, kind := range mutation.Kinds() {
			if m := kind.Seed(recording, 0); m != nil {
				compared += roundTrip(t, recording.Name+" "+kind.Name, m.Data)
			}
		}
	}
	least := 80
	if exhaustive.Enabled() {
		least = 300
	}
	assert.Greater(t, compared, least)
}

// What is written is read as the kind that it was, but for a few short recordings.
func TestKindIsKept(t *testing.T) {
	kindOf := func(name string, text []byte) string {
		result, err := linttest.MustNew(rules.All()).Run(context.Background(), name, bytes.NewReader(text), func(lint.Finding) error { return nil })
		if err != nil || result.Protocol != "lmc" {
			return ""
		}
		return result.Kind
	}
	kept, other := 0, 0
	for _, path := range exhaustive.Sample(files(t), 40) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		kind := kindOf(source.Stdin, text) // as convert reads it, which has no name here
		if kind == "" || kind != kindOf(path, text) || bytes.Contains(text, []byte("\n> {")) || strings.HasSuffix(path, ".mdx") {
			continue // the frames of wscat have a direction only where their form is known, as to the command; the parts of a page are of both kinds
		}
		for _, form := range forms {
			out, _, err := converted(text, convert.Options{To: form})
			switch {
			case err != nil:
			case kind == kindOf(source.Stdin, out):
				kept++
			default: // a list of chunks without a start, or a message alone on its line, is not what it was
				other++
			}
		}
	}
	assert.Greater(t, kept, 10*other)
}

// roundTrip converts an input to JSON Lines, from there to each form and back,
// and returns how often the records were compared.
func roundTrip(t *testing.T, name string, text []byte) (compared int) {
	t.Helper()
	lines, _, err := converted(text, convert.Options{To: convert.JSONL, AllowEmpty: true})
	if mayFail(err) {
		t.Log(name, err)
		return 0
	}
	lines = bytes.TrimPrefix(lines, []byte("[]\n")) // an empty list has no records
	if !assert.NoError(t, err, name) {
		return 0
	}
	for _, form := range forms {
		if form == convert.Python && (bytes.HasPrefix(lines, []byte("1\n")) || bytes.HasPrefix(lines, []byte(`"`))) {
			continue // the values before the first record do not show that it is Python
		}
		there, losses, err := converted(lines, convert.Options{To: form, AllowEmpty: true})
		if mayFail(err) {
			t.Log(name, form, err)
			continue
		}
		if !assert.NoError(t, err, "%s to %s", name, form) || !assert.Empty(t, losses, "%s to %s", name, form) {
			continue
		}
		back, losses, err := converted(there, convert.Options{To: convert.JSONL, AllowEmpty: true})
		if !assert.NoError(t, err, "%s to %s and back", name, form) || !assert.Empty(t, losses, "%s to %s and back", name, form) {
			continue
		}
		compared++
		back = bytes.TrimPrefix(back, []byte("[]\n"))
		if form != convert.Python {
			assert.Equal(t, string(lines), string(back), "%s to %s and back", name, form)
			continue
		}
		assert.Equal(t, tokens(t, lines), tokens(t, back), "%s to %s and back", name, form)
	}
	return compared
}

// mayFail reports whether an error says that the form cannot express the records,
// or that they are of no known protocol.
func mayFail(err error) bool {
	var unknown *lint.UnknownInputError
	return errors.As(err, &unknown) ||
		err != nil && strings.Contains(err.Error(), "nothing of it was read") || err != nil && strings.Contains(err.Error(), "several conversations")
}

// tokens returns the tokens of JSON Lines, with numbers as they are written.
func tokens(t *testing.T, lines []byte) (all []json.Token) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(lines))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, token)
	}
}

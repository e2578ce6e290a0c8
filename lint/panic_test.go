package lint_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// faultyReader panics instead of returning its end.
type faultyReader struct{ io.Reader }

func (f faultyReader) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil {
		panic("out of order")
	}
	return n, nil
}

// A panic of the input is an error of the run, with the stack of the panic.
func TestPanicOfTheInputIsAnError(t *testing.T) {
	for name, text := range map[string]string{"plain": longText(), "compressed": gzipped(t, longText())} {
		src := faultyReader{strings.NewReader(text[:len(text)-100])}
		_, err := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityError, "no")}).Run(t.Context(), "in", src, func(lint.Finding) error { return nil })
		var p *lint.PanicError
		require.ErrorAs(t, err, &p, name)
		assert.Equal(t, "out of order", p.Value, name)
		assert.Contains(t, string(p.Stack), "faultyReader", name)
	}
}

// longText returns records of 2 MB that compress badly.
func longText() string {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range 20000 {
		fmt.Fprintf(&text, "{\"word\": \"%016x%016x%016x%016x%016x\"}\n", random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64())
	}
	return text.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return packed.String()
}

// undecided is a protocol that never says what an input is.
type undecided struct {
	words
	looks *int // at records, so far
}

func (u undecided) Sniff(first []*source.Record, _ source.Form, _ plugin.Config, _ bool) plugin.Detection {
	*u.looks += len(first)
	return plugin.Detection{}
}

// Detection ends with the input, also if no protocol decides.
func TestDetectionEndsWithTheInput(t *testing.T) {
	rule := &lint.Rule{ID: "U1", Inputs: lint.AnyInput, Protocol: undecided{looks: new(int)}, New: func(*lint.Pass) []lint.Hook { return nil }}
	for _, text := range []string{"", "{}\n", "{}\n{}\n", "?"} {
		_, err := linttest.MustNew([]*lint.Rule{rule}).Run(t.Context(), "in", strings.NewReader(text), func(lint.Finding) error { return nil })
		var unknown *lint.UnknownInputError
		assert.ErrorAs(t, err, &unknown, "%q", text)
	}
}

// Detection looks at each record a few times, however many it needs.
func TestDetectionTakesLinearTime(t *testing.T) {
	looks := 0
	rule := &lint.Rule{ID: "U1", Inputs: lint.AnyInput, Protocol: undecided{looks: &looks}, New: func(*lint.Pass) []lint.Hook { return nil }}
	const records = 10_000
	_, err := linttest.MustNew([]*lint.Rule{rule}).Run(t.Context(), "in", strings.NewReader(strings.Repeat("{}\n", records)), func(lint.Finding) error { return nil })
	require.Error(t, err)
	assert.Less(t, looks, 20*records)
}

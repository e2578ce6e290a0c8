package rules_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
)

// What a person reads of each finding in the cases, each text once, with the first
// case that has it: the message, the help, the name of the fix, and the related places.
func TestGeneratedMessages(t *testing.T) {
	said := map[string]string{} // where, by text
	for _, input := range cases(t, allBad) {
		o := readExpectation(t, input).Options
		if o.Against != "" {
			continue // the rules about agreement have a table of their own
		}
		data, err := os.ReadFile(input)
		require.NoError(t, err)
		_, err = linterFor(caselint.Config(o)).Run(context.Background(), fileOf(input), bytes.NewReader(data), func(f lint.Finding) error {
			if text := textOf(f); said[text] == "" {
				said[text] = fmt.Sprintf("%s:%d", fileOf(input), f.Place.Span.Start.Line)
			}
			return nil
		})
		if !errors.As(err, new(*lint.UnknownInputError)) {
			require.NoError(t, err, input)
		}
	}
	var out strings.Builder
	for _, text := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprintf(&out, "%s\n\tin %s\n", text, said[text])
	}
	generated.File(t, "testdata/messages.txt", []byte(out.String()))
}

func textOf(f lint.Finding) string {
	text := fmt.Sprintf("%s %s: %s", f.Rule.ID, f.Severity, f.Message)
	if f.Help != "" {
		text += "\n\thelp: " + f.Help
	}
	if f.Fix != nil {
		text += "\n\tfix: " + f.Fix.Message
	}
	for _, related := range f.Related {
		text += fmt.Sprintf("\n\tline %+d: %s", related.Place.Span.Start.Line-f.Place.Span.Start.Line, related.Message)
	}
	return text
}

package rules_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/require"
)

// What an input begins with is read in it as it would be alone, also where its
// first records are like those of inputs before it.
func TestStateIsResetAtTheStart(t *testing.T) {
	t.Parallel()
	lines := joined("scescs", "\n") + "\n"
	printed := strings.NewReplacer(`"`, `'`, "true", "True")
	python := printed.Replace(lines)
	events := "data: " + joined("scescs", "\n\ndata: ") + "\n\n"
	bodies := []string{
		lines, python, "[" + joined("scescs", ", ") + "]", events, joined("mc", "\n"), "[" + joined("mc", ",\n") + "]",
		joined("m", "") + "\n" + python, "{'a': 1}\n" + lines, joined("sc", "\n") + "\n" + python, python + lines,
		printed.Replace("[" + joined("scescs", ", ") + "]"), printed.Replace(events), printed.Replace("[" + joined("mcm", ", ") + "]"),
	}
	var inputs []string
	for _, head := range []string{"", "\xef\xbb\xbf", "  ", "\n\n", " \n \t", "garbage\n", "# a comment\n", ": ping\n\n", "{}\n", "HTTP/1.1 200 OK\n\n"} {
		for _, body := range bodies {
			inputs = append(inputs, head+body)
		}
	}
	for _, config := range []lint.Config{{}, {Kind: "stream"}, {Kind: "stream", Dialect: "interpreter"}, {Kind: "transcript"}, {Dialect: "interpreter"}} {
		both := newLanes(config)
		random := rand.New(rand.NewPCG(3, 4))
		for range 3 {
			for _, i := range random.Perm(len(inputs)) {
				both.agree(t, []byte(inputs[i]))
			}
		}
	}
}

// An ignored rule is run again for each input, and its result says so.
func TestIgnoredRulesRunForEachInput(t *testing.T) {
	selection, err := lint.Catalog{Rules: rules.All()}.Resolve(lint.Layer{Ignore: []lint.Selector{{Text: "LMC505"}}})
	require.NoError(t, err)
	one := linttest.MustNew(rules.All(), lint.WithSelection(selection))
	blank := `[{"role": "user", "type": "message", "content": " "}, {"role": "user", "type": "message", "content": "x"}]`
	sound := strings.Replace(blank, `" "`, `"y"`, 1)
	for _, input := range []string{blank, sound, blank, blank, sound, sound, blank} {
		alone := linttest.MustNew(rules.All(), lint.WithSelection(selection), lint.WithoutFastPath())
		require.Equal(t, everything(alone, strings.NewReader(input)), everything(one, strings.NewReader(input)))
	}
}

// Which protocol an input with records of two is of does not hang on how much
// memory the input before it left.
func TestDetectionIndependentOfEarlierInput(t *testing.T) {
	message := `{"id": "00000000-0000-4000-8000-000000000001", "sender": {"participant_role": "user", "participant_id": "a.b"}, ` +
		`"message_type": "chat", "timestamp": "2025-03-03T20:01:01Z", "content_type": "text/plain", "content": "Hi"}` + "\n"
	input := message + `{"role": "assistant", "type": "message", "content": "Hi!"}` + "\n" + message[:100]
	short := `{"role": "user", "type": "message", "content": "Hi"}`
	short += strings.Repeat(" ", len(message)-1-len(short))

	want := everything(linttest.MustNew(rules.All()), strings.NewReader(input))
	linter := linttest.MustNew(rules.All())
	everything(linter, strings.NewReader(short))
	require.Equal(t, want, everything(linter, strings.NewReader(input)))
}

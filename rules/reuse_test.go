package rules_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/require"
)

// exampleInputs are the inputs of all examples that no configuration belongs to.
func exampleInputs(t *testing.T) (inputs []string) {
	for _, rule := range rules.All() {
		for _, e := range append(rule.Bad[:len(rule.Bad):len(rule.Bad)], rule.Good...) {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			if config == (lint.Config{MaxRecordBytes: e.MaxRecordBytes, MaxDepth: e.MaxDepth}) {
				inputs = append(inputs, e.Text())
			}
		}
	}
	return inputs
}

// One linter finds in an input what it finds in it alone, whatever came before.
func TestStateIsResetBetweenInputs(t *testing.T) {
	t.Parallel()
	inputs := exampleInputs(t)
	require.Greater(t, len(inputs), 100)
	inputs = exhaustive.Sample(inputs, 75)
	alone := make([]string, len(inputs))
	for i, input := range inputs {
		alone[i] = everything(linttest.MustNew(rules.All(), lint.WithoutFastPath()), strings.NewReader(input))
	}
	one := linttest.MustNew(rules.All())
	if !exhaustive.Enabled() {
		random := rand.New(rand.NewPCG(1, 2))
		for range 8 {
			for _, i := range random.Perm(len(inputs)) {
				require.Equal(t, alone[i], everything(one, strings.NewReader(inputs[i])), inputs[i])
			}
		}
		return
	}
	for i := range inputs {
		for k := range inputs {
			require.Equal(t, alone[i], everything(one, strings.NewReader(inputs[i])), "behind %s", inputs[k])
			require.Equal(t, alone[k], everything(one, strings.NewReader(inputs[k])), "behind %s", inputs[i])
		}
	}
}

// The same for whole recordings, in a few orders, some of them broken off.
func TestStateIsResetBetweenRecordings(t *testing.T) {
	t.Parallel()
	var inputs, alone []string
	err := filepath.WalkDir(suiteRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, suite.ExpectationExt) || strings.HasSuffix(path, ".md") {
			return err
		}
		data, err := os.ReadFile(path)
		if len(data) < 10_000 {
			inputs = append(inputs, string(data), string(data[:len(data)*2/3]))
		}
		return err
	})
	require.NoError(t, err)
	inputs = exhaustive.Sample(inputs, 75)
	for _, input := range inputs {
		alone = append(alone, everything(linttest.MustNew(rules.All(), lint.WithoutFastPath()), strings.NewReader(input)))
	}
	one, random := linttest.MustNew(rules.All()), rand.New(rand.NewPCG(1, 2))
	for range 2 {
		for _, i := range random.Perm(len(inputs)) {
			require.Equal(t, alone[i], everything(one, strings.NewReader(inputs[i])), inputs[i])
		}
	}
}

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

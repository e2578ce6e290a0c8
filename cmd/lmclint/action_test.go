package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// step is a step of a workflow or of a composite action.
type step struct {
	ID, Uses, Run string
	Env           map[string]string
}

type workflow struct {
	Permissions any
	Jobs        map[string]struct{ Steps []step }
	Inputs      map[string]struct{ Description string }
	Runs        struct{ Steps []step }
}

func readWorkflow(t *testing.T, path string) (w workflow) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &w))
	return w
}

// GitHub expands an expression in a script before the shell parses the script, so
// the shell would run the value of an input.
func TestWorkflowsRunNoInputs(t *testing.T) {
	paths, err := filepath.Glob("../../.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	pinned := regexp.MustCompile(`^(\./|[^@]+@[0-9a-f]{40}$)`)
	for _, path := range append(paths, "../../packaging/action/action.yml") {
		w := readWorkflow(t, path)
		steps := w.Runs.Steps
		for _, job := range w.Jobs {
			steps = append(steps, job.Steps...)
		}
		require.NotEmpty(t, steps, path)
		if w.Jobs != nil {
			assert.NotNil(t, w.Permissions, "%s: permissions", path)
		}
		for _, s := range steps {
			assert.NotContains(t, s.Run, "${{", path)
			if s.Uses != "" {
				assert.Regexp(t, pinned, s.Uses, path)
			}
		}
	}
}

// Each input of the action reaches its script, under its name.
func TestActionHandsOnItsInputs(t *testing.T) {
	script, err := os.ReadFile("../../packaging/action/lint")
	require.NoError(t, err)
	action := readWorkflow(t, "../../packaging/action/action.yml")
	env := map[string]string{}
	for name, input := range action.Inputs {
		assert.NotEmpty(t, input.Description, name)
		if name == "go-version" || name == "version" {
			continue
		}
		variable := "LMCLINT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		env[variable] = "${{ inputs." + name + " }}"
		assert.Contains(t, string(script), "${"+variable+":-")
	}
	env["LMCLINT_BINARY"] = "${{ steps.download.outputs.binary }}"
	env["LMCLINT_VERSION"] = "${{ inputs.version }}"
	steps := action.Runs.Steps
	assert.Equal(t, env, steps[len(steps)-1].Env)
}

// The hook's command line is one that there is, and takes the files that a
// search would.
func TestPreCommitHook(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	var hooks []struct{ ID, Entry, Language, Files string }
	require.NoError(t, yaml.Unmarshal(text, &hooks))
	require.Len(t, hooks, 2)
	assert.Equal(t, "golang", hooks[0].Language)
	assert.Equal(t, "python", hooks[1].Language)
	assert.Equal(t, hooks[0].Entry, hooks[1].Entry)
	assert.Equal(t, hooks[0].Files, hooks[1].Files)
	words := strings.Fields(hooks[0].Entry)
	require.Equal(t, []string{name, "check"}, words[:2])
	flags := pflag.NewFlagSet("check", pflag.ContinueOnError)
	defineCheckFlags(flags)
	require.NoError(t, flags.Parse(words[2:]))
	assert.Empty(t, flags.Args())
	files, err := regexp.Compile(hooks[0].Files)
	require.NoError(t, err)
	for _, path := range []string{"a.json", "x/a.jsonl", "a.ndjson.gz", "a.sse", "a.har.zst"} {
		assert.Regexp(t, files, path)
	}
	for _, path := range []string{"a.py", "json", "a.jsonl.md", "README.md"} {
		assert.NotRegexp(t, files, path)
	}
}

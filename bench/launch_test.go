package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bare is a benchmark that has built nothing.
func bare(t *testing.T) *bench {
	t.Helper()
	return &bench{
		options:   options{rounds: 2},
		workspace: workspace{cache: t.TempDir(), absent: map[string]string{"launch": "not built"}},
	}
}

func TestLaunch(t *testing.T) {
	c, err := bare(t).launch(t.Context(), tool{name: "go", args: []string{"go", "version"}})
	require.NoError(t, err)
	assert.Positive(t, c.wall)
	assert.Positive(t, c.cpu)
}

func TestLaunchOfWhatFails(t *testing.T) {
	b := bare(t)
	failing := tool{name: "go", args: []string{"go", "nonsense"}}
	_, err := b.launch(t.Context(), failing)
	assert.ErrorContains(t, err, "exit status 2")
	_, err = b.launch(t.Context(), failing.exits(2))
	assert.NoError(t, err)
	_, err = b.launch(t.Context(), tool{name: "none", args: []string{"a-program-that-is-not-there"}})
	assert.Error(t, err)
}

func TestLaunchWithAFeed(t *testing.T) {
	_, err := bare(t).launch(t.Context(), tool{name: "gofmt", args: []string{"gofmt"}}.fedBy("go", "version"))
	assert.ErrorContains(t, err, "<standard input>")
}

// What is absent or fails is in the table, and never left out.
func TestMeasure(t *testing.T) {
	r, err := bare(t).measure(t.Context(), section{often: 2, tools: []tool{
		{name: "there", args: []string{"go", "version"}},
		{name: "absent", args: []string{"none"}, absent: "not installed"},
		{name: "failing", args: []string{"go", "nonsense"}},
	}})
	require.NoError(t, err)
	assert.Len(t, r.costs[0], 4)
	assert.Equal(t, "not installed", r.failed[1])
	assert.Contains(t, r.failed[2], "exit status 2")
	assert.Contains(t, row(r, 1), "absent: not installed")
}

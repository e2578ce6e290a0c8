package proxy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// silent observes nothing.
type silent struct{}

func (silent) Finding(lint.Finding)      {}
func (silent) Idle(string, source.Place) {}
func (silent) Done(lint.Result, error)   {}
func (silent) Fault(string, error)       {}

// The linter has not seen a frame that arrives while the connection ends.
func TestWhatComesAfterTheEndIsNotDecided(t *testing.T) {
	o := Options{StopOn: lint.SeverityError, Observer: silent{}}
	j := o.newJudge(linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "session", Form: "session-log", AllowEmpty: true})), "session")
	line := []byte("{\"dir\": \"out\", \"frame\": {\"auth\": \"x\"}}\n")
	j.add(line)
	j.interrupt()
	v := j.close()
	require.NoError(t, v.failure)
	assert.True(t, v.passes())
	assert.False(t, j.add(line).passes())
}

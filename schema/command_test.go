package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		dialect, text, command string
		exact                  bool
	}{
		{"server", "go", "go", true},
		{"server", "stop", "stop", true},
		{"server", "Go", "go", false},
		{"server", " stop\n", "stop", false},
		{"server", "stp", "stop", false},
		{"server", "continue", "", false},
		{"server", "", "", false},
		{"server", "go:0f77", "go", false},
		{"classic", "go:0f77", "go", true},
		{"classic", "go:", "go", false},
		{"classic", "stop:0f77", "stop", false},
	} {
		command, exact := named(t, c.dialect).Command(c.text)
		assert.Equal(t, c.command, command, "%s in %s", c.text, c.dialect)
		assert.Equal(t, c.exact, exact, "%s in %s", c.text, c.dialect)
	}
}

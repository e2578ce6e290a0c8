package protocol

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// ExampleConfig is the configuration that a rule's example is checked with. It
// fails if the conversation that the example is compared with cannot be read.
func ExampleConfig(e lint.Example) (lint.Config, error) {
	config := lint.Config{Protocol: e.Protocol, Partial: e.Partial, Dialect: e.Dialect, Kind: e.Kind, AutoRun: e.AutoRun}
	if e.Against == "" {
		return config, nil
	}
	against, err := ReadConversation("conversation", strings.NewReader(e.Against), source.Options{})
	if err != nil {
		return config, fmt.Errorf("read the conversation of the example %q: %w", e.Name, err)
	}
	config.Against = against
	return config, nil
}

package rules

import (
	"fmt"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/lmc"
	"github.com/lmclint/lmclint/schema"
	"github.com/lmclint/lmclint/source"
)

// The kinds of LMC input, as reports and flags call them.
const (
	kindTranscript = "transcript"
	kindStream     = "stream"
)

// protocol is LMC as the engine sees it.
type protocol struct{}

// LMC is the protocol that the LMC rules name.
var LMC lint.Protocol = protocol{}

func (protocol) Name() string { return "lmc" }

// Open starts the check of one conversation. It fails for a dialect that does
// not exist and for a kind that it does not know.
func (protocol) Open(config lint.Config, kind string, form source.Form) (lint.Session, error) {
	name := config.Dialect
	if name == "" || name == "auto" {
		name = schema.Names()[0]
	}
	dialect, ok := schema.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown dialect %q", name)
	}
	if kind != kindTranscript && kind != kindStream {
		return nil, fmt.Errorf("unknown kind of input %q", kind)
	}
	return newSession(config, dialect, kind), nil
}

// hooks makes a rule of hooks that need no memory.
func hooks(h ...lint.Hook) []lint.Hook { return h }

// on hangs a function on events of the tracker.
func on(kind lmc.Kind, do func(*lmc.Event)) lint.Hook {
	return lint.Hook{On: lint.Mask(kind), Do: func(event any) { do(event.(*lmc.Event)) }}
}

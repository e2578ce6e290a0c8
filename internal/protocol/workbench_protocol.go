package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Workbench is the protocol that the rules about Semantic Workbench name, as
// the engine sees it. It implements [lint.Protocol].
type Workbench struct{}

// Protocols lists the protocols that there are rules for.
func Protocols() []lint.Protocol { return []lint.Protocol{LMC{}, Workbench{}} }

// Name is how flags and reports call the protocol.
func (Workbench) Name() string { return "workbench" }

// Prepare makes the validator. It fails for a dialect, of which there are
// none, and for a kind of input that does not exist.
func (Workbench) Prepare(config lint.Config) (lint.SessionFactory, error) {
	if namesDialect(config) && config.Protocol != "" {
		return nil, fmt.Errorf("unknown dialect %q: Semantic Workbench has no dialects", config.Dialect)
	}
	if config.Kind != "" && verdict(config.Kind).Inputs == 0 {
		return nil, fmt.Errorf("unknown kind of input %q", config.Kind)
	}
	return &workbenchOpener{config, schema.NewWorkbenchValidator()}, nil
}

// namesDialect reports whether the user named a dialect for this very input,
// rather than for what of many inputs is LMC.
func namesDialect(config lint.Config) bool {
	return !config.Tentative && config.Dialect != "" && config.Dialect != dialectAuto
}

// workbenchOpener holds what conversations under one configuration share.
type workbenchOpener struct {
	config    lint.Config
	validator *schema.WorkbenchValidator
}

func (o *workbenchOpener) NewSession(string) lint.Session { return newWorkbenchSession(o) }

// onWorkbench hangs a function on events of the follower.
func OnWorkbench(kind workbench.Kind, do func(*workbench.Event)) lint.Hook {
	return lint.Hook{On: lint.Mask(kind), Do: func(event any) { do(event.(*workbench.Event)) }}
}

// onSaid hangs a function on messages of some types.
func OnSaid(do func(*workbench.Message), types ...string) lint.Hook {
	return OnWorkbench(workbench.Said, func(e *workbench.Event) {
		for _, t := range types {
			if e.Message.Type == t {
				do(e.Message)
			}
		}
	})
}

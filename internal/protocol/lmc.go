// Package protocol connects the two protocols, [LMC] and [Workbench], to the
// engine of package lint: it detects what an input is, validates each record
// against the schemas, feeds it to the model of the protocol, and passes the
// events to the rules. Rules subscribe to events with typed functions such as
// [On], [OnViolation] and [OnProblem].
package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// The kinds of LMC input, as reports and flags call them.
const (
	KindTranscript = "transcript"
	KindStream     = "stream"
	KindSession    = "session"
)

// The dialects that detection speaks of. Everything else asks a dialect what
// it holds, and not what it is called.
const (
	dialectAuto   = "auto"
	dialectServer = "server"
)

// LMC is the protocol that the LMC rules name, as the engine sees it. It
// implements [plugin.Protocol].
type LMC struct{}

// Name is how flags and reports call the protocol.
func (LMC) Name() string { return "lmc" }

// Prepare makes the validators. It fails for a dialect or a kind of input that
// does not exist. The configuration's vocabulary is a *schema.Dialects.
func (LMC) Prepare(config plugin.Config) (plugin.SessionFactory, error) {
	dialects, ok := config.Vocabulary.(*schema.Dialects)
	if !ok && config.Vocabulary != nil {
		return nil, fmt.Errorf("the vocabulary is a %T, want a *schema.Dialects", config.Vocabulary)
	}
	name := config.Dialect
	if name == "" || name == dialectAuto {
		name = schema.Names()[0]
	}
	dialect, ok := dialects.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown dialect %q", name)
	}
	if config.Kind != "" && verdict(config.Kind).Inputs == 0 {
		return nil, fmt.Errorf("unknown kind of input %q", config.Kind)
	}
	against, ok := config.Against.(*agreement.Conversation)
	if config.Against != nil && !ok {
		return nil, fmt.Errorf("compare with a conversation: %T is none, want one that ReadConversation read", config.Against)
	}
	server, _ := dialects.Lookup(dialectServer)
	return &opener{
		config:    config,
		against:   against,
		validator: validate.NewValidator(dialect),
		server:    validate.NewValidator(server),
	}, nil
}

// opener holds what conversations under one configuration share.
type opener struct {
	config    plugin.Config
	against   *agreement.Conversation // to compare streams with, or nil
	validator *validate.Validator
	server    *validate.Validator // for streams that turn out to come from a server
}

func (o *opener) NewSession(kind string) plugin.Session { return newSession(o, kind) }

// hooks makes a rule of hooks that need no memory.
func Hooks(h ...lint.Hook) []lint.Hook { return StatefulHooks(func() {}, h...) }

// remembering makes a rule of hooks that share a memory, and says how that is
// made what it was when the conversation began.
func StatefulHooks(forget func(), h ...lint.Hook) []lint.Hook {
	for i := range h {
		h[i].Reset = func() {}
	}
	h[0].Reset = forget
	return h
}

// on hangs a function on events of the tracker.
func On(kind lmc.Kind, do func(*lmc.Event)) lint.Hook {
	return lint.Hook{On: plugin.Mask(kind), Do: func(event any) { do(event.(*lmc.Event)) }}
}

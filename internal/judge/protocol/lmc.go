// Package protocol connects the two protocols, [LMC] and [Workbench], to the
// engine of package lint: it detects what an input is, validates each record
// against the schemas, feeds it to the model of the protocol, and passes the
// events to the rules. Rules subscribe to events with typed functions such as
// [On], [OnViolation] and [OnProblem].
package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/schema"
)

// The kinds of LMC input in reports and flags.
const (
	KindTranscript = "transcript"
	KindStream     = "stream"
	KindSession    = "session"
)

// The dialects that detection needs by name. All other code asks a dialect for
// its properties.
const (
	dialectAuto   = "auto"
	dialectServer = "server"
	dialectFork   = "classic"
)

// LMC is the protocol of the LMC rules. It implements [plugin.Protocol].
type LMC struct{}

// Name returns the name of the protocol in flags and reports.
func (LMC) Name() string { return "lmc" }

// Prepare compiles the validators. It fails for an unknown dialect. The vocabulary of the
// configuration is a *schema.Dialects.
func (LMC) Prepare(config plugin.Config) (plugin.NewSession, error) {
	dialects, ok := config.Vocabulary.(*schema.Dialects)
	if !ok && config.Vocabulary != nil {
		return nil, fmt.Errorf("the vocabulary is a %T, expected a *schema.Dialects", config.Vocabulary)
	}
	name := config.Dialect
	if name == "" || name == dialectAuto {
		name = schema.Names()[0]
	}
	dialect, ok := dialects.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown dialect %q", name)
	}
	against, ok := config.Against.(*agreement.Conversation)
	if config.Against != nil && !ok {
		return nil, fmt.Errorf("invalid conversation to compare with: %T, expected a result of ReadConversation", config.Against)
	}
	server, _ := dialects.Lookup(dialectServer)
	fork, _ := dialects.Lookup(dialectFork)
	shared := &lmcShared{
		config:    config,
		against:   against,
		validator: validate.NewValidator(dialect),
		server:    validate.NewValidator(server),
		fork:      validate.NewValidator(fork),
	}
	return func(kind string, emit plugin.Emit) plugin.Session { return newLMCSession(shared, kind, emit) }, nil
}

// lmcShared is what the sessions of one configuration share.
type lmcShared struct {
	config    plugin.Config
	against   *agreement.Conversation // to compare streams with, or nil
	validator *validate.Validator
	server    *validate.Validator // for streams that turn out to come from a server
	fork      *validate.Validator // for inputs that turn out to come from the community's fork
}

package lint

import "github.com/lmclint/lmclint/internal/plugin"

// What protocols plug in, until all that name it here have moved.
type (
	Protocol          = plugin.Protocol
	RecordMatcher     = plugin.RecordMatcher
	Classifier        = plugin.Classifier
	SessionFactory    = plugin.SessionFactory
	Session           = plugin.Session
	Derived           = plugin.Derived
	FastSession       = plugin.FastSession
	FastResult        = plugin.FastResult
	ResettableSession = plugin.ResettableSession
	Detection         = plugin.Detection
	Mask              = plugin.Mask
)

// Config is what the user set about an input. The zero value detects.
type Config = plugin.Config

// Inputs is a set of kinds of input.
type Inputs = plugin.Inputs

// The kinds of input.
const (
	Transcripts = plugin.Transcripts // lists of whole messages
	Streams     = plugin.Streams     // chunks in the order in which they were emitted
	Sessions    = plugin.Sessions    // both directions of a connection
	AnyInput    = plugin.AnyInput
)

// Package protocol connects the two protocols, [LMC] and [Workbench], to the
// engine of package lint: it detects what an input is, validates each record
// against the schemas, feeds it to the model of the protocol, and passes the
// events to the rules. Rules subscribe to events with typed functions such as
// [On], [OnViolation] and [OnProblem].
package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/lint"
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
	against, ok := config.Against.(*agreement.StoredConversation)
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
	against   *agreement.StoredConversation // to compare streams with, or nil
	validator *validate.Validator
	server    *validate.Validator // for streams that turn out to come from a server
	fork      *validate.Validator // for inputs that turn out to come from the community's fork
}

// ReadConversation reads the stored conversation to compare streams with, see
// [lint.Config.Against]. Name is its name in messages. It fails if a message is
// unreadable, or if the input is not a transcript.
func ReadConversation(name string, r io.Reader, options source.Options) (*agreement.StoredConversation, error) {
	options.Name, options.Detect = name, MeaningOf
	reader := text.NewReader(r, options)
	first, err := firstRecords(reader, plugin.Config{Settings: plugin.Settings{Form: string(options.Form)}})
	if err != nil {
		return nil, err
	}
	c := agreement.NewStoredConversation(name)
	for _, rec := range first {
		if err := addStored(c, rec); err != nil {
			return nil, err
		}
	}
	for {
		rec, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err == nil {
			err = addStored(c, rec)
		}
		if err != nil {
			return nil, err
		}
	}
}

// firstRecords reads records until they are known to be messages.
func firstRecords(reader *source.Reader, config plugin.Config) (first []*source.Record, err error) {
	for {
		rec, err := reader.Next()
		final := errors.Is(err, io.EOF)
		if err != nil && !final {
			return nil, err
		}
		if !final {
			first = append(first, rec.Clone())
		}
		if !plugin.Sniffs(len(first)) && !final {
			continue
		}
		v := LMC{}.Sniff(first, reader.Form(), config, final)
		switch {
		case v.LooksLike != "":
			return nil, errors.New("not LMC: " + v.LooksLike)
		case v.Kind != "" && v.Kind != KindTranscript:
			return nil, fmt.Errorf("this is a %s, expected a stored conversation", v.Kind)
		case v.Kind != "" || final:
			return first, nil
		}
	}
}

// addStored adds a message to a conversation. It skips records that a
// transcript must not contain.
func addStored(c *agreement.StoredConversation, rec *source.Record) error {
	switch p := rec.Fatal(); {
	case p != nil:
		at := p.Place.Span.Start
		return fmt.Errorf("line %d, column %d: unreadable message: %s", at.Line, at.Column, p.Detail)
	case rec.IsGap:
		return nil
	case rec.Conversation > 0:
		return errors.New("it contains several conversations, expected one")
	case c.Full():
		return fmt.Errorf("it exceeds the limit of %d messages", agreement.MaxStoredMessages)
	}
	if r := lmc.NewRecord(rec); !NeverStored(r) {
		c.Add(r)
	}
	return nil
}

// ExampleConfig returns the configuration for the example of a rule. It fails
// if the conversation to compare with cannot be read.
func ExampleConfig(e lint.Example) (lint.Config, error) {
	config := e.Config
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

// newCoverage returns the coverage of a conversation, with all that may happen in its kind.
func newCoverage(kind string) *plugin.Coverage {
	c := plugin.NewCoverage()
	events := []string{"blocks", "confirmations", "executions confirmed", "executions refused", "executions not confirmed", "commands", "completes", "errors"}
	switch kind {
	case KindTranscript:
		events = nil
	case KindStream:
		events = events[:5]
	}
	for _, event := range events {
		c.Events[event] = 0
	}
	return c
}

// coverEvent counts an event of the tracker.
func (s *lmcSession) coverEvent(kind lmc.Kind, event any) {
	var happened string
	switch e, isExecution := event.(*lmc.ExecutionEvent); {
	case lmc.Opened.Is(kind):
		happened = "blocks"
	case lmc.Confirmation.Is(kind):
		happened = "confirmations"
	case session.Interrupted.Is(kind):
		happened = "interruptions"
	case !isExecution:
		return
	case e.Run.Refused:
		happened = "executions refused"
	case e.Run.Code != nil && e.Run.Code.Confirmed != nil && e.Late == nil:
		happened = "executions confirmed"
	default:
		happened = "executions not confirmed"
	}
	s.coverage.Events[happened]++
}

// coverRecord counts a record, and those like it that were skipped before it.
func (s *lmcSession) coverRecord(r *lmc.Record) {
	n := 1
	s.coverage.Count(plugin.RecordKind{Role: clip(r.Role), Type: clip(r.Type), Format: clip(r.Format), Words: s.wordsOf(r)}, n)
	event := map[string]string{"command": "commands", "status": "completes", "error": "errors"}[r.Type]
	if s.state.Kind == KindSession && event != "" && r.Content != nil {
		s.coverage.Events[event] += n
	}
}

// wordsOf returns what a record is besides its role, type and format.
func (s *lmcSession) wordsOf(r *lmc.Record) string {
	words := []string{s.state.Kind}
	if !s.state.Transcript {
		words = append(words, "streamed")
	}
	if HoldsPath(r) {
		words = append(words, "path")
	}
	switch {
	case r.Start:
		words = append(words, "start", "flag")
	case r.End:
		words = append(words, "end", "flag")
	case r.Content != nil:
		words = append(words, "content")
		if r.Content.Kind == source.String {
			words = append(words, "text")
		}
	}
	if t, ok := s.state.Dialect.Type(r.Type); ok {
		if t.Options == schema.FormatNone {
			words = append(words, "unformatted")
		} else {
			words = append(words, "formatted")
		}
		if len(t.Keys)+len(t.RoleKeys) > 0 {
			words = append(words, "keyed")
		}
	}
	for _, key := range []string{"recipient", "confirmation_id", "id", "ack", "auth"} {
		if r.Source.Root != nil && r.Key(key) != nil {
			words = append(words, key)
		}
	}
	return strings.Join(words, " ")
}

// maxWord is the length of a role, type or format that is shown.
const maxWord = 40

func clip(word string) string {
	if len(word) > maxWord {
		return strings.ToValidUTF8(word[:maxWord], "") + "…"
	}
	return strings.Clone(word)
}

// covered returns what occurred, nil unless it was wanted. It is called once, at the end.
func (s *lmcSession) covered() *plugin.Coverage {
	if s.coverage == nil {
		return nil
	}
	if s.agreement != nil {
		s.coverage.Events["comparisons"]++
	}
	if len(s.coverage.Records) > 0 {
		s.coverage.Dialects[cmp.Or(s.state.Dialect.Base, s.state.Dialect.Name)] = true
	}
	return s.coverage
}

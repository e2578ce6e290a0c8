package protocol

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// ReadConversation reads the stored conversation to compare streams with, see
// [lint.Config.Against]. Name is its name in messages. It fails if a message is
// unreadable, or if the input is not a transcript.
func ReadConversation(name string, r io.Reader, options source.Options) (*agreement.Conversation, error) {
	options.Name, options.Detect = name, MeaningOf
	reader := text.NewReader(r, options)
	first, err := firstRecords(reader, plugin.Config{Settings: plugin.Settings{Form: string(options.Form)}})
	if err != nil {
		return nil, err
	}
	c := agreement.NewConversation(name)
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
func addStored(c *agreement.Conversation, rec *source.Record) error {
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

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// readAgainst reads the conversation of --against, if any.
func (c *Command) readAgainst(ctx context.Context, o *checkFlags, inputs []walk.Input) error {
	if o.against == "" {
		return nil
	}
	if err := oneStream(o.against, inputs); err != nil {
		return err
	}
	path := o.against
	if path == walk.Stdin {
		path = o.stdinFilename
	}
	conversation, err := c.readConversation(ctx, o, path)
	if err != nil {
		return fmt.Errorf("--against %s: %w", path, trimPathError(err))
	}
	o.conversation = conversation
	return nil
}

func (c *Command) readConversation(ctx context.Context, o *checkFlags, path string) (*agreement.Conversation, error) {
	in := walk.Expand([]string{o.against})[0]
	switch {
	case in.Err != nil:
		return nil, in.Err
	case !in.Named:
		return nil, errors.New("is a directory, expected a conversation file")
	}
	opened, err := c.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	return protocol.ReadConversation(path, opened, source.Options{MaxRecordBytes: o.maxRecordBytes.value})
}

// oneStream fails unless there is one stream to compare. The conversation
// itself may be checked in the same run.
func oneStream(against string, inputs []walk.Input) error {
	streams := 0
	for _, in := range inputs {
		if !sameFile(in.Path, against) {
			streams++
		}
	}
	switch {
	case streams > 1:
		return usagef("--against takes one stream; concatenate the turns: cat turn1.jsonl turn2.jsonl | %s check --against %s -", name, against)
	case streams == 0 && against == walk.Stdin:
		return usagef("standard input cannot be both the stream and the conversation")
	case streams == 0:
		return usagef("--against %s: no stream to compare with it: name one as operand", against)
	}
	return nil
}

// compared fails if an input cannot be compared with the conversation.
func (r *checkRun) compared(in walk.Input, result lint.Result) error {
	if r.flags.against == "" || result.Records == 0 || result.Kind == "stream" || sameFile(in.Path, r.flags.against) {
		return nil
	}
	return fmt.Errorf("not compared with %s: the input is a %s, --against takes a stream", r.flags.against, result.Kind)
}

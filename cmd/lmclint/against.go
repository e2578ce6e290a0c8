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

// readAgainst reads the conversation that a stream is to be compared with, if
// any.
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
		return nil, errors.New("is a directory, and no stored conversation")
	}
	opened, err := c.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	return protocol.ReadConversation(path, opened, source.Options{MaxRecordBytes: int64(o.maxRecordBytes)})
}

// oneStream fails where it is not clear which stream is to be compared. The
// conversation itself may be checked in the same run.
func oneStream(against string, inputs []walk.Input) error {
	streams := 0
	for _, in := range inputs {
		if !sameFile(in.Path, against) {
			streams++
		}
	}
	switch {
	case streams > 1:
		return &usageError{command: "check", message: "--against compares one stream; put turns one behind the other: " +
			"cat turn1.jsonl turn2.jsonl | " + name + " check --against " + against + " -"}
	case streams == 0 && against == walk.Stdin:
		return &usageError{command: "check", message: "standard input cannot be the stream and the conversation"}
	case streams == 0:
		return &usageError{command: "check", message: "--against " + against + ": name the stream to compare it with, too"}
	}
	return nil
}

// compared fails where an input that was to be compared with a conversation
// is nothing that can be.
func (r *checkRun) compared(in walk.Input, result lint.Result) error {
	if r.flags.against == "" || result.Records == 0 || result.Kind == "stream" || sameFile(in.Path, r.flags.against) {
		return nil
	}
	return errors.New("not compared with " + r.flags.against + ": this is a " + result.Kind + ", and --against compares a stream")
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) historyCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "history [flags] PATH|GLOB|-...",
		Aliases: []string{"stats"}, // its former name
		Short:   "count Semantic Workbench messages by type, sender and history",
		Long: `The history column follows the documentation of message types: chats and
notices belong to the history, logs and notes do not, commands and
command-responses may. The Workbench assistants include chats, some also notes.`,
		Example: name + " history messages.json\n" + name + " history --format json export.zip",
		Args:    operands(1, -1, "nothing to count: name a file, a directory, or - for standard input"),
	}
	format := choiceFlag(command.Flags(), "format", "FORMAT", "text or json", []string{"text", "json"})
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.countMessages(operands, format.value) }
	return command
}

// messageCount is the counts of one input.
type messageCount struct {
	Path     string      `json:"path"`
	Messages int         `json:"messages"`
	History  int         `json:"history"`  // that belong to the history
	Optional int         `json:"optional"` // that may
	Types    []typeCount `json:"types"`
}

type typeCount struct {
	Type      string           `json:"type"`
	Messages  int              `json:"messages"`
	User      int              `json:"user"`
	Assistant int              `json:"assistant"`
	History   protocol.History `json:"history"`
}

// countMessages counts the messages of the operands. Inputs of other kinds that
// were found in a directory are skipped.
func (c *Command) countMessages(operands []string, format string) error {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	var counts []messageCount
	trouble := false
	for _, in := range walk.Expand(operands) {
		counted, err := c.countIn(ctx, in)
		var unknown *lint.UnknownInputError
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &unknown) && !in.Named:
		case errors.As(err, &unknown):
			trouble = true
			c.printError(fmt.Errorf("%s: not Semantic Workbench: %s", counted.Path, unknown.Looks))
		case err != nil:
			trouble = true
			c.printError(fmt.Errorf("%s: %w", counted.Path, trimPathError(err)))
		default:
			counts = append(counts, counted)
		}
	}
	if err := c.printCounts(counts, format); err != nil {
		return err
	}
	if len(counts) == 0 && !trouble {
		return errors.New("no input contains Semantic Workbench messages")
	}
	if trouble {
		return statusError(exitTrouble)
	}
	return nil
}

// countIn counts the messages of one input.
func (c *Command) countIn(ctx context.Context, in walk.Input) (messageCount, error) {
	counted := messageCount{Path: nameOf(in, "<stdin>")}
	opened, err := c.openRecording(ctx, in, counted.Path)
	if err != nil {
		return counted, err
	}
	defer opened.close()
	counted.Path = opened.name
	tally := protocol.NewHistoryCounter()
	linter, err := lint.New([]*lint.Rule{tally.Rule()})
	if err != nil {
		return counted, err
	}
	_, err = linter.Run(ctx, counted.Path, opened.reader, func(lint.Finding) error { return nil })
	counted.fill(tally)
	return counted, err
}

func (m *messageCount) fill(tally *protocol.HistoryCounter) {
	for _, kind := range append(workbench.MessageTypes(), "") {
		n := tally.Count(kind, "")
		if n == 0 {
			continue
		}
		count := typeCount{
			Type: kind, Messages: n, History: protocol.HistoryOf(kind),
			User: tally.Count(kind, workbench.User), Assistant: tally.Count(kind, workbench.Assistant),
		}
		if kind == "" {
			count.Type = "unknown"
		}
		m.Types = append(m.Types, count)
		m.Messages += n
		switch count.History {
		case protocol.InHistory:
			m.History += n
		case protocol.MayHistory:
			m.Optional += n
		}
	}
}

func (c *Command) printCounts(counts []messageCount, format string) error {
	if format == "json" {
		return c.printJSON(struct {
			Files []messageCount `json:"files"`
		}{append([]messageCount{}, counts...)})
	}
	var b bytes.Buffer
	for i, count := range counts {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: %s, %d of them history, %d optional\n", report.EscapeControls(count.Path), english.Plural(count.Messages, "message", ""), count.History, count.Optional)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "TYPE\tMESSAGES\tUSER\tASSISTANT\tHISTORY")
		for _, t := range count.Types {
			_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", t.Type, t.Messages, t.User, t.Assistant, t.History)
		}
		_ = w.Flush() // a bytes.Buffer does not fail
	}
	return c.print(b.String())
}

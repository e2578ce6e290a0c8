package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) checkCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "check " + checkOperands,
		Short: "lint transcripts and streams (the default command)",
		Long: `Directories are searched recursively; - reads standard input. Kind, form and
dialect are detected unless --kind, --form or --dialect is given.

CLIENTS: core, terminal, terminal-os, restore, model, functions, vision, resume,
accumulate, server, guide, page, usage, 01, 01-server, idea, streamlit, classic.
An error crashes or hangs one or loses data, a warning is shown wrongly.
FORMAT: text, concise, json, jsonl, sarif, github, gitlab, junit, checkstyle,
markdown or html. SEVERITY: error, warning, note or never.
` + exitHelp,
		Example: name + " --for terminal stream.jsonl\n" +
			"producer | " + name + " check --tee --stop-on error - | consumer",
	}
	o := defineCheckFlags(command.Flags())
	command.Args = func(_ *cobra.Command, operands []string) error { return checkable(command.Root(), operands) }
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.check(ctx, o, operands) })
	return command
}

// check lints the inputs that the operands name.
func (c *Command) check(ctx context.Context, o *checkFlags, operands []string) error {
	begun := time.Now()
	if err := o.validate(); err != nil {
		return err
	}
	list, err := o.format.resolve()
	if err != nil {
		return err
	}
	if err := o.validateAcknowledge(list); err != nil {
		return err
	}
	plans, inputs, err := c.planInputs(o, operands, list)
	if err != nil {
		return err
	}
	if onlyStdin := len(inputs) == 1 && inputs[0].Path == walk.Stdin; !onlyStdin {
		switch {
		case o.tee:
			return usagef("--tee copies standard input: its only operand is -")
		case o.acknowledge:
			return usagef("--acknowledge reads standard input: its only operand is -")
		}
	}
	if err := c.readAgainst(ctx, o, inputs); err != nil {
		return err
	}
	run, err := c.prepareRun(ctx, o, plans, inputs, list, begun)
	if err != nil {
		return err
	}
	return run.report(ctx)
}

// prepareRun plans a check of inputs and opens its reports.
func (c *Command) prepareRun(ctx context.Context, o *checkFlags, plans *plans, inputs []walk.Input, list []target, begun time.Time) (*checkRun, error) {
	meter, line := &progress.Meter{}, c.progressLine(o)
	plans.options = append(append(plans.options, reportOptions(list)...), lint.WithProgress(meter.AddRecords))
	if o.isEach() {
		plans.options = append(plans.options, lint.WithEach())
	}
	if o.noFastPath {
		plans.options = append(plans.options, lint.WithoutFastPath())
	}
	planned, err := plans.all(inputs)
	if err != nil {
		return nil, err
	}
	for _, read := range plans.sources() { // which need not exist yet
		for _, path := range filesOf(list) {
			if sameFile(read, path) {
				return nil, fmt.Errorf("the output %s would replace the configuration, baseline or conversation %s", path, read)
			}
		}
	}
	out, err := c.openOutputs(ctx, o, list, line)
	if err != nil {
		return nil, err
	}
	run := newCheckRun(c.withProgressLine(line), o, inputs, planned, out)
	run.begun, run.meter, run.line, run.workDir, run.most = begun, meter, line, plans.workDir, o.maxFindings.value
	if o.tee {
		stopOn, _ := lint.ParseSeverity(o.stopOn.value) // 0 for never
		run.tee = &tee{dst: c.Stdout, stopOn: stopOn}
	}
	_, shown := terminal(c.Stdout)
	_, beside := terminal(c.Stderr)
	run.spacious = beside && (shown || o.tee) && slices.Contains(list, target{format: report.FormatText})
	run.ink = ink.Ink(c.colorFor(o.color.value, c.Stderr))
	return run, nil
}

// checkable fails without operands, and if the first one is a command
// after flags, which would be taken for a file.
func checkable(root *cobra.Command, operands []string) error {
	if len(operands) == 0 {
		return usagef("nothing to check: name a file, a directory, or - for standard input")
	}
	if root != nil && isCommand(root, operands[0]) && !exists(operands[0]) {
		return usagef("the command goes before its flags: %s %s [flags]", name, operands[0])
	}
	if i := slices.IndexFunc(operands, isRule); i >= 0 {
		return ruleOperand(operands[i])
	}
	return nil
}

// readAgainst reads the conversation of --against, if any. There must be one stream to
// compare with it.
func (c *Command) readAgainst(ctx context.Context, o *checkFlags, inputs []walk.Input) error {
	if o.against == "" {
		return nil
	}
	streams := 0 // the conversation itself may be checked in the same run
	for _, in := range inputs {
		if !sameFile(in.Path, o.against) {
			streams++
		}
	}
	switch {
	case streams > 1:
		return usagef("--against takes one stream; concatenate the turns: cat turn1.jsonl turn2.jsonl | %s check --against %s -", name, o.against)
	case streams == 0 && o.against == walk.Stdin:
		return usagef("standard input cannot be both the stream and the conversation")
	case streams == 0:
		return usagef("--against %s: no stream to compare with it: name one as operand", o.against)
	}
	path := o.nameOf(walk.Input{Path: o.against})
	in := walk.Expand([]string{o.against}, nil)[0]
	err := in.Err
	if err == nil && !in.Named {
		err = errors.New("is a directory, expected a conversation file")
	}
	if err == nil {
		var file io.ReadCloser
		if file, _, err = c.open(ctx, in, false); err == nil {
			defer func() { _ = file.Close() }()
			o.conversation, err = protocol.ReadConversation(path, file, source.Options{MaxRecordBytes: o.maxRecordBytes.value})
		}
	}
	if err != nil {
		return fmt.Errorf("--against %s: %w", path, trimPathError(err))
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

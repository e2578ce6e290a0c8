package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/changes"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) watchCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "watch [flags] PATH|GLOB...",
		Short: "check files again when they change",
		Long: `Watch checks files, and checks them again when they change, until SIGINT or
SIGTERM. Each check reports the files that changed; the last line summarizes all
files. A terminal is cleared before each check. When a configuration, a baseline
or the file of --against changes, or is created, all files are checked again.
The flags are those of check that make sense here.

Exit status: 0 no file has findings at or above --fail-on, 1 some have, 2 a file
could not be checked.`,
		Example: name + " watch recordings/",
		Args:    func(_ *cobra.Command, paths []string) error { return checkable(nil, paths) },
	}
	// The others make no sense when files are checked one by one, again and again.
	o := shareCheckFlags(command.Flags(),
		"protocol", "kind", "form", "dialect", "after", "against", "auto-run", "partial", "allow-empty", "skip-unknown", "max-record-bytes",
		"select", "extend-select", "ignore", "config", "isolated", "exclude", "force-exclude", "no-gitignore", "baseline",
		"format", "for", "coverage", "each", "color", "hyperlinks", "width", "quiet", "verbose", "timing", "statistics", "fail-on", "jobs", "rendered", "no-skim")
	command.RunE = interruptible(func(ctx context.Context, paths []string) error { return c.watch(ctx, o, paths) })
	return command
}

// fileState is what is known of a file that is watched.
type fileState struct {
	changed time.Time // of the file, when it was checked
	size    int64
	isLink  bool // a symbolic link that is not followed
	checked bool // it was not skipped
	result  lint.Result
	failing bool // it has a finding at or above --fail-on
	trouble bool // it could not be checked
}

// watching is a run of watch.
type watching struct {
	command  *Command
	flags    *checkFlags
	operands []string
	list     []target
	watcher  *changes.Watcher
	files    map[string]*fileState // by path
	sources  map[string]fileState  // the files that decide how inputs are checked
	begun    bool                  // one check was possible
	broken   bool                  // no check is possible now
}

// watch checks the files that the operands name, and those that change, until a signal
// ends it.
func (c *Command) watch(ctx context.Context, o *checkFlags, operands []string) error {
	if err := o.validate(); err != nil {
		return err
	}
	list, err := o.format.resolve()
	if err != nil {
		return err
	}
	if slices.Contains(operands, walk.Stdin) {
		return usagef("watch cannot read standard input: name a file or a directory")
	}
	for _, to := range list {
		switch {
		case to.file != "":
			return usagef("watch prints its reports: pass --format %s without a file", to.format)
		case to.format.Sorted():
			return usagef("watch prints its reports, as text, concise or jsonl; %s needs one check of all files", to.format)
		}
	}
	watcher, err := changes.New()
	if err != nil {
		c.printError(fmt.Errorf("files are examined every few seconds: %w", err))
	}
	defer func() { _ = watcher.Close() }()
	w := &watching{
		command: c, flags: o, operands: operands, list: list, watcher: watcher,
		files: map[string]*fileState{}, sources: map[string]fileState{},
	}
	if plans, err := c.newPlans(o); err == nil { // the first round reports an error
		_, _ = plans.inputs(operands, list, c.explainer(false))
		w.noteSources(plans)
	}
	for {
		// What changes during a check is found by the next one.
		w.watch()
		if err := w.round(ctx); err != nil {
			return err
		}
		if err := watcher.Wait(ctx); err != nil {
			return w.status()
		}
	}
}

// watch watches the directories of the operands, and the files that decide how
// inputs are checked.
func (w *watching) watch() {
	for _, path := range slices.AppendSeq(slices.Clone(w.operands), maps.Keys(w.sources)) {
		for walk.IsGlob(path) { // the directory that contains all matches
			path = filepath.Dir(path)
		}
		if err := w.watcher.Add(path); err != nil {
			w.command.printError(fmt.Errorf("files are examined every few seconds: %w", err))
		}
	}
}

// round checks what changed since the last round.
func (w *watching) round(ctx context.Context) error {
	plans, err := w.command.newPlans(w.flags)
	if err != nil {
		return w.stop(err)
	}
	inputs, err := plans.inputs(w.operands, w.list, w.command.explainer(false))
	if w.noteSources(plans) || !w.begun {
		clear(w.files)
		if err == nil {
			err = w.command.readAgainst(ctx, w.flags, inputs)
		}
	}
	if err != nil {
		return w.stop(err)
	}
	w.broken = false
	before := w.files
	changed := w.update(inputs)
	if len(changed) == 0 {
		if len(w.files) < len(before) { // some are gone
			w.printTotal()
		}
		return nil
	}
	w.clear()
	begun := time.Now()
	w.printLine("%s: checking %s", begun.Format(time.TimeOnly), english.Plural(len(changed), "file", ""))
	run, err := w.command.prepareRun(ctx, w.flags, plans, changed, w.list, begun)
	if err != nil {
		return w.stop(err)
	}
	run.onResult, w.begun = w.record, true
	for _, in := range inputs {
		if known := w.files[in.Path]; known != nil && known.result.Protocol != "" {
			run.roots[in.Root] = true
		}
	}
	err = run.report(ctx)
	var status statusError
	switch {
	case err != nil && !errors.As(err, &status):
		return err
	case ctx.Err() == nil:
		w.printTotal()
	}
	return nil
}

func (w *watching) printTotal() { w.printLine("Watching for changes: %s. Ctrl-C ends.", w.total()) }

// stop prints an error of the configuration, which a change may fix. It
// returns that of the first round.
func (w *watching) stop(err error) error {
	if !w.begun {
		return err
	}
	w.clear()
	for line := range strings.Lines(err.Error()) {
		w.command.printError(errors.New(strings.TrimSuffix(line, "\n")))
	}
	w.printLine("Watching for changes. Ctrl-C ends.")
	clear(w.files)
	w.broken = true
	return nil
}

func (w *watching) printLine(format string, args ...any) {
	if !w.flags.quiet {
		w.command.printStderr(fmt.Sprintf(format, args...) + "\n")
	}
}

// clear clears a terminal with its history.
func (w *watching) clear() {
	if _, ok := terminal(w.command.Stdout); ok {
		_, _ = io.WriteString(w.command.Stdout, "\x1b[2J\x1b[3J\x1b[H") // the check fails if it cannot be written
	}
}

// noteSources notes the files that decide how inputs are checked, and reports
// whether one of them was changed, created or removed.
func (w *watching) noteSources(p *plans) bool {
	changed := false
	for _, path := range slices.AppendSeq(p.sources(), maps.Keys(w.sources)) {
		now := stateOf(path)
		before, known := w.sources[path]
		changed = changed || known && !now.isLike(&before)
		w.sources[path] = now
	}
	return changed
}

// stateOf returns the state of a file that was not checked, the zero value if the
// file does not exist.
func stateOf(path string) (s fileState) {
	if info, err := os.Stat(path); err == nil {
		s.changed, s.size = info.ModTime(), info.Size()
	}
	return s
}

// isLike reports whether a file did not change between two states.
func (s *fileState) isLike(other *fileState) bool {
	return s.changed.Equal(other.changed) && s.size == other.size
}

// update forgets files that are gone, and returns those that are new or changed.
func (w *watching) update(inputs []walk.Input) []walk.Input {
	var changed []walk.Input
	have := map[string]*fileState{}
	for _, in := range inputs {
		now := stateOf(in.Path)
		now.isLink = in.IsLink
		if before := w.files[in.Path]; before != nil && before.isLike(&now) {
			now = *before
		} else {
			changed = append(changed, in)
		}
		have[in.Path] = &now
	}
	w.files = have
	return changed
}

// record keeps the result of a file.
func (w *watching) record(p *plan, f report.File) {
	state := w.files[f.Path]
	if state == nil {
		return
	}
	state.result, state.trouble, state.checked = f.Result, f.Err != nil, true
	state.failing = false
	for severity, count := range []int{lint.SeverityNote: f.Notes, lint.SeverityWarning: f.Warnings, lint.SeverityError: f.Errors} {
		state.failing = state.failing || count > 0 && lint.Severity(severity) >= p.failOn
	}
}

// total counts the findings of all files.
func (w *watching) total() string {
	var s report.Summary
	for _, state := range w.files {
		switch {
		case state.isLink:
			s.Links.Count++
			continue
		case !state.checked:
			s.Skipped++
			continue
		}
		f := report.File{Result: state.result}
		if state.trouble {
			f.Err = errors.New("not checked")
		}
		s.Add(f)
	}
	return s.String()
}

// status returns the exit status.
func (w *watching) status() error {
	trouble, failed := w.broken, false
	for _, state := range w.files {
		trouble, failed = trouble || state.trouble, failed || state.failing
	}
	return exitStatus(trouble, failed)
}

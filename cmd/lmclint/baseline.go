package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// baseline is a file of known findings that is in use.
type baseline struct {
	*lint.Baseline
	path string // absolute
	name string // as it is called to people

	checked map[string]bool // inputs of this run that were checked to their end
}

// called is what the baseline calls an input: its path from the baseline's
// directory, with slashes. Standard input keeps its name.
func (b *baseline) called(absolute string) string {
	below, err := filepath.Rel(filepath.Dir(b.path), absolute)
	if err != nil {
		below = absolute
	}
	return filepath.ToSlash(below)
}

func readBaseline(path string) (*lint.Baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return lint.ReadBaseline(f)
}

// vanished are known findings in files that are there no more.
func entriesOfMissingFiles(b *baseline) []lint.BaselineEntry {
	gone := map[string]bool{}
	for _, path := range b.Paths() {
		gone[path] = !b.checked[path] && !strings.HasSuffix(path, ">") && !b.exists(path)
	}
	var known []lint.BaselineEntry
	for _, k := range b.Entries() {
		if gone[k.Path] {
			known = append(known, k)
		}
	}
	return known
}

// exists reports whether a file is there, or the archive that it is in.
func (b *baseline) exists(path string) bool {
	there := func(path string) bool {
		_, err := os.Lstat(filepath.Join(filepath.Dir(b.path), filepath.FromSlash(path)))
		return !errors.Is(err, fs.ErrNotExist)
	}
	archive, _, inside := strings.Cut(path, "!")
	return there(path) || inside && there(archive)
}

// save writes the baseline, whole or not at all, and only if it changed.
func (b *baseline) save() error {
	var text bytes.Buffer
	if _, err := b.WriteTo(&text); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, err)
	}
	if old, err := os.ReadFile(b.path); err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	file, err := atomicfile.Create(b.path)
	if err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	if _, err := text.WriteTo(file); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, errors.Join(trimPathError(err), file.Discard()))
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	return nil
}

// baselineOf returns the baseline of inputs with some settings, nil if they
// have none. It is read once.
func (p *plans) baselineOf(fromConfig string) (*baseline, error) {
	path, name := fromConfig, fromConfig
	if p.flags.baseline != "" {
		path, name = p.absolute(p.flags.baseline), p.flags.baseline
	}
	if path == "" {
		if p.flags.writeBaseline || p.flags.pruneBaseline {
			return nil, usagef("no baseline file: pass --baseline FILE or set baseline in the configuration")
		}
		return nil, nil
	}
	if known := p.baselines[path]; known != nil {
		return known, nil
	}
	b := &baseline{checked: map[string]bool{}, path: path, name: strings.TrimPrefix(name, p.workDir+string(filepath.Separator))}
	known, err := readBaseline(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.flags.writeBaseline:
		known = lint.NewBaseline(nil)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("baseline %s: no such file; create it with --write-baseline", b.name)
	case err != nil:
		return nil, fmt.Errorf("baseline %s: %w", b.name, trimPathError(err))
	}
	b.Baseline = known
	p.baselines[path] = b
	return b, nil
}

// processor passes the findings of an input by the baseline. While one is
// written all of them are left out.
func (p *plans) processor(b *baseline) func(string) lint.Processor {
	return func(path string) lint.Processor {
		known := b.Processor(b.called(p.absolute(path)))
		if !p.flags.writeBaseline {
			return known
		}
		return func(f *lint.Finding) bool {
			known(f)
			return false
		}
	}
}

// settleBaseline does what is to be done about known findings once an input was
// checked to its end.
func (r *checkRun) settleBaseline(p *plan, result lint.Result) {
	if p.baseline == nil {
		return
	}
	path := p.baseline.called(p.plans.absolute(result.Path))
	p.baseline.checked[path] = true
	applied := func(id string) bool { return p.applies(id) }
	if r.flags.writeBaseline {
		p.baseline.Reset(path, applied)
		return
	}
	r.stale(p.baseline, p.baseline.Stale(path, applied))
}

// stale notes findings that the baseline knows and that are gone.
func (r *checkRun) stale(b *baseline, gone []lint.BaselineEntry) {
	for _, k := range gone {
		r.outdated[b] += k.Count
		r.details.left(b.name, fmt.Sprintf("stale: %s %s in %s, %s", k.Rule, k.Fingerprint, k.Path, report.Quantity(k.Count, "time")))
	}
	if r.flags.pruneBaseline {
		b.Remove(gone)
	}
}

// concludeBaselines writes the baselines that are to be written, and names
// those that are stale. A run that was broken off knows too little for both.
func (r *checkRun) concludeBaselines(complete bool) error {
	seen := map[*baseline]bool{}
	for _, p := range r.plans {
		b := p.baseline
		if b == nil || seen[b] {
			continue
		}
		seen[b] = true
		if !complete {
			if r.flags.writeBaseline || r.flags.pruneBaseline {
				r.command.printError(fmt.Errorf("baseline %s: not written, the run is incomplete", b.name))
			}
			continue
		}
		if err := r.concludeBaseline(b); err != nil {
			return err
		}
	}
	return nil
}

func (r *checkRun) concludeBaseline(b *baseline) error {
	if !r.flags.writeBaseline {
		r.stale(b, entriesOfMissingFiles(b))
	}
	count := 0
	for _, k := range b.Entries() {
		count += k.Count
	}
	them := "them"
	if r.outdated[b] == 1 {
		them = "it"
	}
	var line string
	switch {
	case r.flags.writeBaseline:
		line = report.Quantity(count, "finding") + " written"
	case r.flags.pruneBaseline && r.outdated[b] > 0:
		line = fmt.Sprintf("removed %s, %d remain", report.Quantity(r.outdated[b], "finding"), count)
	case r.outdated[b] > 0:
		line = report.Quantity(r.outdated[b], "stale finding") + "; remove " + them + " with --prune-baseline"
	default:
		return nil
	}
	if r.flags.writeBaseline || r.flags.pruneBaseline {
		if err := b.save(); err != nil {
			return err
		}
	}
	if !r.flags.quiet {
		r.command.printStderr(report.EscapeControls("baseline "+b.name+": "+line) + "\n")
	}
	return nil
}

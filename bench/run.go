package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
)

// bench is one run of the benchmark.
type bench struct {
	options options
	workspace
	size sizes
}

// section is a table of the benchmark: programs that do the same work.
type section struct {
	name, title string
	note        string // printed before the numbers
	bytes       int64  // of the whole data
	often       int    // runs in a round, 1 where 0
	once        bool   // one round is enough
	tools       []tool // the others are compared with the first
}

// planners returns the sections in the order of the report.
func planners() []planner {
	return []planner{
		{"stream", (*bench).streamSection},
		{"transcripts", (*bench).transcriptsSection},
		{"images", (*bench).imagesSection},
		{"tiny", (*bench).tinySection},
		{"wrong", (*bench).wrongSection},
		{"cliffs", (*bench).cliffsSection},
		{"memory", (*bench).memorySection},
	}
}

// planner generates the data of a section and returns the programs to run.
type planner struct {
	name string
	plan func(*bench, context.Context) ([]section, error)
}

func sectionNames() []string {
	var names []string
	for _, p := range planners() {
		names = append(names, p.name)
	}
	return names
}

func run(ctx context.Context, o options) error {
	w, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	b := &bench{options: o, workspace: w, size: sizesOf(o.quick)}
	var results []result
	for _, p := range planners() {
		if !slices.Contains(o.only, p.name) {
			continue
		}
		sections, err := p.plan(b, ctx)
		if err != nil {
			return fmt.Errorf("section %s: %w", p.name, err)
		}
		for _, s := range sections {
			log.Printf("measure: %s", s.title)
			r, err := b.measure(ctx, s)
			if err != nil {
				return fmt.Errorf("section %s: %w", p.name, err)
			}
			results = append(results, r)
		}
	}
	return writeTo(o.output, func(w io.Writer) error { return b.report(ctx, w, results) })
}

// writeTo opens a file, or standard output for "-".
func writeTo(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(os.Stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close() //nolint:errcheck // the first error counts
		return err
	}
	return f.Close()
}

// result is a measured section.
type result struct {
	section section
	rounds  int
	costs   [][]cost // by tool
	failed  []string // the reason why a tool has no costs, by tool
}

// measure runs all tools in each round, so that a period of high load affects
// all of them. Each round starts with a different tool.
func (b *bench) measure(ctx context.Context, s section) (result, error) {
	r := result{section: s, rounds: b.options.rounds * max(s.often, 1), costs: make([][]cost, len(s.tools)), failed: make([]string, len(s.tools))}
	if s.once {
		r.rounds = 1
	}
	for i, t := range s.tools {
		r.failed[i] = t.absent
		if err := warm(t); err != nil {
			return r, err
		}
	}
	for round := range r.rounds {
		for i := range s.tools {
			if err := b.once(ctx, &r, (round+i)%len(s.tools)); err != nil {
				return r, err
			}
		}
		if s.often <= 1 {
			log.Printf("round %d of %d", round+1, r.rounds)
		}
	}
	return r, nil
}

// once runs one tool. A tool that fails is removed from the section.
func (b *bench) once(ctx context.Context, r *result, i int) error {
	if r.failed[i] != "" {
		return nil
	}
	c, err := b.launch(ctx, r.section.tools[i])
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		log.Print(err)
		r.failed[i] = err.Error()
		return nil
	}
	r.costs[i] = append(r.costs[i], c)
	return nil
}

// warm reads the files that a tool will read into the page cache.
func warm(t tool) error {
	for _, arg := range append(t.args[1:], t.feed...) {
		info, err := os.Stat(arg)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(arg)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"
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

// section is a part of the benchmark: programs that do the same work.
type section struct {
	name, title string
	note        string // what to know before reading the numbers
	bytes       int64  // of the whole data
	often       int    // runs in a round, 1 where 0
	once        bool   // one round is enough
	tools       []tool // the first is what the others are compared with
}

// planners are the sections in the order of the report.
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

// planner makes a section's data and says what to run.
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

// writeTo opens a file, or takes standard output for "-".
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

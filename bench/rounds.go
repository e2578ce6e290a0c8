package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
)

// result is a measured section.
type result struct {
	section section
	rounds  int
	costs   [][]cost // by tool
	failed  []string // why a tool has no costs, by tool
}

// measure runs all tools in turn, round by round, so that a noisy minute
// hits them all. Each round begins with another tool.
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

// once runs one tool. A tool that fails is out of the section.
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

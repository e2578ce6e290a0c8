package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// profileTime is how long lmclint does each kind of work for a profile, all of
// them equally long: what is quick must be seen as well as what is slow.
const profileTime = 4 * time.Second

// profile writes what the compiler wants to know of lmclint: in which functions
// it spends its time on the data of all sections, merged into one file.
func (b *bench) profile(ctx context.Context, sections []section) error {
	folder, err := os.MkdirTemp(b.cache, "profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is of no use, and in the cache
	var parts []string
	for _, s := range sections {
		for _, t := range s.tools {
			if t.args[0] != b.program("lmclint") || s.once {
				continue
			}
			log.Printf("profile: %s: %s", s.title, t.name)
			made, err := b.sample(ctx, t, filepath.Join(folder, fmt.Sprint(len(parts))))
			if err != nil {
				return err
			}
			parts = append(parts, made...)
		}
	}
	_, err = output(ctx, "go", append([]string{"tool", "pprof", "-proto", "-output", b.options.profile}, parts...)...)
	return err
}

// sample runs a tool again and again, and gives the profiles of its runs.
func (b *bench) sample(ctx context.Context, t tool, name string) (profiles []string, err error) {
	for start := time.Now(); time.Since(start) < profileTime; {
		path := fmt.Sprintf("%s-%d.pprof", name, len(profiles))
		run := t
		run.args = slices.Concat(t.args, []string{"--cpuprofile", path})
		if _, err := b.launch(ctx, run); err != nil {
			return nil, err
		}
		profiles = append(profiles, path)
	}
	return profiles, nil
}

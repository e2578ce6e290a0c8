// Command deletions deletes each statement of package lmc in turn and runs the
// tests of the model, the protocol and the rules, in the root of the checkout:
//
//	go run ./internal/dev/deletions
//
// A statement that no test misses must be listed in survivors.txt with the reason
// why nothing changes without it; a statement that is listed must survive. The
// tests are compiled once, with a switch around each statement that an
// environment variable turns off.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	packageFolder = "internal/model/lmc"
	listFile      = "internal/dev/deletions/survivors.txt"
	variable      = "LMC_DELETED" // the number of the statement to delete
)

// suites are the tests that must miss a statement, the quickest first.
var suites = []suite{
	{folder: packageFolder, run: "."},
	{folder: "internal/model/session", run: "."},
	{folder: "internal/judge/protocol", run: "."},
	{folder: "rules", run: "^TestExamples$"},
	{folder: "rules", run: "^TestConformance$"},
}

// suite is the tests of a package whose names match a pattern.
type suite struct{ folder, run string }

func main() {
	only := flag.String("only", "", "delete only statements whose description contains this")
	flag.Parse()
	if err := check(*only); err != nil {
		fmt.Fprintln(os.Stderr, "deletions:", err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

// check deletes the statements and compares what survives with the list.
func check(only string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	work, err := os.MkdirTemp("", "deletions")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	statements, err := instrument(work)
	if err != nil {
		return fmt.Errorf("instrument %s: %w", packageFolder, err)
	}
	if err := compile(ctx, work); err != nil {
		return err
	}
	if killer := killedBy(ctx, work, -1); killer != "" {
		return fmt.Errorf("with nothing deleted, %s fails", killer)
	}
	chosen := slices.DeleteFunc(slices.Clone(statements), func(s statement) bool { return !strings.Contains(s.description, only) })
	survivors := survivorsOf(ctx, work, chosen)
	_, _ = fmt.Fprintf(os.Stdout, "%d statements deleted, %d survived\n", len(chosen), len(survivors))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return compare(survivors, chosen)
}

// compile compiles the tests with the instrumented package.
func compile(ctx context.Context, work string) error {
	var folders []string
	for _, s := range suites {
		folders = append(folders, s.folder)
	}
	for _, folder := range slices.Compact(folders) {
		command := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", filepath.Join(work, "overlay.json"), "-o", binaryOf(work, folder), "./"+folder)
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("compile the tests of %s: %w\n%s", folder, err, out)
		}
	}
	return nil
}

func binaryOf(work, folder string) string {
	return filepath.Join(work, strings.ReplaceAll(folder, "/", "_")+".test")
}

// survivorsOf returns the statements that no test misses.
func survivorsOf(ctx context.Context, work string, statements []statement) (survivors []statement) {
	next := make(chan statement)
	var mu sync.Mutex // guards survivors
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for s := range next {
				if killedBy(ctx, work, s.number) == "" {
					mu.Lock()
					survivors = append(survivors, s)
					mu.Unlock()
					_, _ = fmt.Fprintln(os.Stdout, "survives:", s.description)
				}
			}
		})
	}
	for _, s := range statements {
		next <- s
	}
	close(next)
	group.Wait()
	return survivors
}

// killedBy returns the suite that fails without a statement, or "".
func killedBy(ctx context.Context, work string, number int) string {
	for _, s := range suites {
		command := exec.CommandContext(ctx, binaryOf(work, s.folder), "-test.run", s.run, "-test.failfast", "-test.timeout", "30s")
		command.Dir = s.folder
		command.Env = append(os.Environ(), variable+"="+strconv.Itoa(number), "GOMAXPROCS=1")
		if err := command.Run(); err != nil {
			return s.folder + " " + s.run
		}
	}
	return ""
}

// compare compares the survivors with the list.
func compare(survivors, chosen []statement) error {
	text, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	reasons := map[string]string{}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		description, reason, found := strings.Cut(string(line), " -- ")
		if !found || reason == "" {
			return fmt.Errorf("%s: no reason in %q", listFile, line)
		}
		reasons[description] = reason
	}
	var problems []error
	alive := map[string]bool{}
	for _, s := range survivors {
		alive[s.description] = true
		if reasons[s.description] == "" {
			problems = append(problems, fmt.Errorf("no test misses %s\n\twrite one, or list it in %s with the reason why nothing changes without it", s.description, listFile))
		}
	}
	for _, s := range chosen {
		if reasons[s.description] != "" && !alive[s.description] {
			problems = append(problems, fmt.Errorf("%s lists %s, which a test misses", listFile, s.description))
		}
	}
	return errors.Join(problems...)
}

// writeOverlay writes the file for go build -overlay.
func writeOverlay(work string, replace map[string]string) error {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work, "overlay.json"), text, 0o600)
}

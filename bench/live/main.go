// Command live writes a stream to the linter through a pipe at a steady rate, with
// an occasional mistake. It measures the delay of each finding and the memory of
// the linter.
//
//	go run ./bench/live --for 1h --rate 10000
//
// It fails unless exactly the mistakes were reported.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("live: ")
	length := pflag.Duration("for", time.Minute, "how long to feed it")
	rate := pflag.Int("rate", 10_000, "records a second")
	every := pflag.Int("every", 5_000, "a mistake among so many records")
	pflag.Parse()
	if err := run(*length, *rate, *every); err != nil {
		log.Fatal(err)
	}
}

func run(length time.Duration, rate, every int) error {
	dir, err := os.MkdirTemp("", "live")
	if err != nil {
		return fmt.Errorf("make a place for the program: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	child, err := start(dir)
	if err != nil {
		return err
	}
	feed := &feed{every: every, written: map[int]time.Time{}}
	watch := watchMemory(child.pid())
	report := child.listen(feed)
	err = feed.run(child.stdin, length, rate)
	memory := watch.stop()
	result, ended := child.finish(report)
	if err := errors.Join(err, ended); err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stdout, "%d records in %s, %d with a mistake\n%s%s", feed.records, length, len(feed.written)+result.found, result, memory)
	return errors.Join(err, result.check(feed))
}

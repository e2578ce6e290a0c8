package report_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// A program writes a report of one input.
func Example() {
	linter, err := lint.New(rules.All())
	if err != nil {
		log.Fatal(err)
	}
	reporter, err := report.New(report.FormatConcise, os.Stdout, report.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := write(reporter, linter, "stream.jsonl", `{"role": "assistant", "type": "message", "start": true}`+"\n"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// stream.jsonl:1:1: error: the input ends before assistant message ends [LMC203 truncated-stream] help: remove the start flag; if content was sent after it, the recording is truncated
}

func write(reporter report.Reporter, linter *lint.Linter, name, stream string) error {
	if err := reporter.Begin(report.Run{Tool: "example"}); err != nil {
		return err
	}
	var found []lint.Finding
	result, failed := linter.Run(context.Background(), name, strings.NewReader(stream), func(f lint.Finding) error {
		found = append(found, f)
		return nil
	})
	result.Complete(found) // how often each came
	for _, f := range found {
		if err := reporter.Finding(f); err != nil {
			return err
		}
	}
	file, summary := report.File{Result: result, Err: failed}, report.Summary{}
	summary.Add(file)
	if err := reporter.File(file); err != nil {
		return err
	}
	return reporter.End(summary)
}

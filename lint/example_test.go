package lint_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// A program lints a stream that it recorded itself.
func Example() {
	stream := strings.NewReader(`{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "asistant", "type": "message", "content": " world"}
{"role": "assistant", "type": "message", "end": true}
`)
	if err := check(context.Background(), stream); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 3:10: error: unknown role "asistant" [LMC102]
}

func check(ctx context.Context, stream io.Reader) error {
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter"}))
	if err != nil {
		return err
	}
	for finding, err := range linter.Lint(ctx, "stream.jsonl", stream) {
		if err != nil {
			return err
		}
		at := finding.Place.Span.Start
		fmt.Printf("%d:%d: %s: %s [%s]\n", at.Line, at.Column, finding.Severity, finding.Message, finding.Rule.ID)
	}
	return nil
}

// New reports an option that is wrong.
func ExampleNew() {
	_, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpeter"}))
	fmt.Println(err)
	// Output:
	// unknown dialect "interpeter"
}

// A program chooses the rules that it runs, as --select and --ignore do.
func ExampleWithSelection() {
	selection, err := rules.Catalog().Resolve(lint.Layer{
		Select: []lint.Selector{{Text: "framing"}, {Text: "LMC102"}},
		Ignore: []lint.Selector{{Text: "LMC203"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	linter, err := lint.New(rules.All(), lint.WithSelection(selection))
	if err != nil {
		log.Fatal(err)
	}
	stream := strings.NewReader(`{"role": "assistant", "type": "message", "start": true}
{"role": "asistant", "type": "message", "content": "Hello", "odd": 1}
`)
	for finding, err := range linter.Lint(context.Background(), "stream.jsonl", stream) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Rule.ID, finding.Message)
	}
	// Output:
	// LMC102 unknown role "asistant"
}

// A program notes the findings of today, and from then on reports only others.
func ExampleWithBaseline() {
	check := func(b *lint.Baseline, stream string) {
		linter, err := lint.New(rules.All(), lint.WithBaseline(b, nil))
		if err != nil {
			log.Fatal(err)
		}
		for finding, err := range linter.Lint(context.Background(), "stream.jsonl", strings.NewReader(stream)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(finding.Message)
		}
	}
	const today = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello", "odd": 1}
{"role": "assistant", "type": "message", "end": true}
`
	known := lint.NewBaseline(nil)
	known.Record()
	check(known, today)
	known.Reset("stream.jsonl", func(rule string) bool { return true })
	fmt.Println("known:", len(known.Entries()))

	check(lint.NewBaseline(known.Entries()), strings.Replace(today, `"end"`, `"even": 2, "end"`, 1))
	// Output:
	// known: 1
	// unknown key "even"
}

// The check ends with its context.
func ExampleLinter_Lint_context() {
	linter, err := lint.New(rules.All())
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // as a timeout, or the end of a request, would
	stream := strings.NewReader(`{"role": "assistant", "type": "message", "start": true}` + "\n")
	for _, err := range linter.Lint(ctx, "stream.jsonl", stream) {
		fmt.Println(err)
	}
	// Output:
	// context canceled
}

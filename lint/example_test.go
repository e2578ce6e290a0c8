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

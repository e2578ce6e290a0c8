package rules_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// A Go program lints what it has recorded itself.
func Example() {
	stream := `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "asistant", "type": "message", "content": " world"}
`
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for finding, err := range linter.Lint(context.Background(), "stream.jsonl", strings.NewReader(stream)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		place := finding.Place.Span.Start
		fmt.Printf("%d:%d %s %s\n", place.Line, place.Column, finding.Rule.ID, finding.Message)
	}
	// Output:
	// 3:10 LMC102 unknown role "asistant"
	// 3:1 LMC203 the input ends before assistant message ends
}

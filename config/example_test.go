package config_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// A program that embeds the linter honors .lmclint.yaml as the command does.
func Example() {
	dir, err := os.MkdirTemp("", "recordings")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".lmclint.yaml"), []byte("kind: stream\nseverity: {LMC203: note}\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	recording := `{"role": "assistant", "type": "message", "start": true}` + "\n"

	path := filepath.Join(dir, "a.jsonl")
	settings, err := config.Find(path, config.Options{})
	if err != nil {
		log.Fatal(err)
	}
	options, err := settings.Options()
	if err != nil {
		log.Fatal(err)
	}
	linter, err := lint.New(rules.All(), options...)
	if err != nil {
		log.Fatal(err)
	}
	for finding, err := range linter.Lint(context.Background(), path, strings.NewReader(recording)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Severity, finding.Rule.ID)
	}
	severity, _ := settings.FailOn()
	fmt.Println("fail on:", severity)
	_ = os.RemoveAll(dir)
	// Output:
	// note LMC203
	// fail on: error
}

// Command new writes the skeleton of a rule or of a report format:
//
//	go run ./internal/dev/new rule content/long-content
//	go run ./internal/dev/new format teamcity
//
// Run it in the root of the checkout. A rule is named by the folder of its family and its
// name, and gets the next id that no rule ever had. The skeleton compiles; the tests say what
// it lacks. docs/extending.md has the other steps.
package main

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var skeletons embed.FS

func main() {
	if err := run(".", os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "new: %v\n", err)
		os.Exit(2) //nolint:forbidigo // this is main
	}
}

// families are the beginnings of the ids of rules, by folder in rules/. Those of Workbench are
// the rules about messages.
var families = map[string]string{
	"input": "LMC0", "shape": "LMC1", "framing": "LMC2", "execution": "LMC3", "content": "LMC4", "transcript": "LMC5", "session": "LMC6", "agreement": "LMC7",
	"workbench": "WB1",
}

// names are the forms of the name of a rule or format.
var names = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// skeleton is what the templates show.
type skeleton struct {
	ID, Name string
	Package  string // of the rule
	Protocol string // LMC or Workbench
	Variable string // in Go
	Type     string // exported, in Go
}

// run writes the skeleton that args ask for into the checkout at root.
func run(root string, args []string, stdout io.Writer) error {
	if len(args) != 2 || args[0] != "rule" && args[0] != "format" {
		return errors.New("usage: go run ./internal/dev/new rule FAMILY/NAME, or format NAME")
	}
	family, name := path.Split(args[1])
	if !names.MatchString(name) {
		return fmt.Errorf("%q is no name: expected words in lower case with hyphens between them, such as long-content", name)
	}
	s := skeleton{Name: name, Package: strings.TrimSuffix(family, "/")}
	for i, word := range strings.Split(name, "-") {
		upper := strings.ToUpper(word[:1]) + word[1:]
		s.Type += upper
		if i == 0 {
			upper = word
		}
		s.Variable += upper
	}
	if args[0] == "rule" {
		return writeRule(root, &s, stdout)
	}
	if family != "" {
		return fmt.Errorf("a format has no family: %s", args[1])
	}
	return writeFormat(root, &s, stdout)
}

func writeRule(root string, s *skeleton, stdout io.Writer) error {
	prefix, ok := families[s.Package]
	if !ok {
		return fmt.Errorf("unknown family %q: expected the name of a folder in rules, as in content/%s", s.Package, s.Name)
	}
	ids, err := os.ReadFile(filepath.Join(root, "rules", "testdata", "ids.txt")) // also those that are retired
	if err != nil {
		return fmt.Errorf("the ids of rules: %w", err)
	}
	last := 0
	for line := range strings.Lines(string(ids)) {
		id, used, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.HasPrefix(id, prefix) {
			n, err := strconv.Atoi(strings.TrimLeft(id, "LMCWB"))
			if err != nil {
				return fmt.Errorf("id %s: %w", id, err)
			}
			last = max(last, n)
		}
		if used, _, _ := strings.Cut(used, " "); used == s.Name {
			return fmt.Errorf("%s has the name %s", id, s.Name)
		}
	}
	s.ID = fmt.Sprintf("%s%03d", strings.TrimRight(prefix, "0123456789"), last+1)
	s.Protocol = "LMC"
	if s.Package == "workbench" {
		s.Protocol = "Workbench"
	}
	file := path.Join("rules", s.Package, strings.ToLower(s.ID)+"_"+strings.ReplaceAll(s.Name, "-", "_")+".go")
	list := path.Join("rules", s.Package, "rules.go")
	if err := write(root, file, "rule.tmpl", s); err != nil {
		return err
	}
	if err := insert(root, list, "return []*lint.Rule{", "\n\t}\n", "\n\t\t"+s.Variable+","); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "Wrote %s, and its line in %s. Fill in what says TODO, follow docs/extending.md, then: go generate ./... && go test ./rules/...\n", file, list)
	return err
}

func writeFormat(root string, s *skeleton, stdout io.Writer) error {
	file, list := path.Join("report", strings.ReplaceAll(s.Name, "-", "_")+".go"), path.Join("report", "reporter.go")
	if err := write(root, file, "format.tmpl", s); err != nil {
		return err
	}
	constant := "Format" + s.Type
	if err := insert(root, list, "\tFormatText ", "\n)\n", fmt.Sprintf("\n\t%s Format = %q // TODO", constant, s.Name)); err != nil {
		return err
	}
	row := fmt.Sprintf("\n\t{%s, visibleHash, false, func(b base, _ Options) Reporter { return &%s{base: b} }},", constant, s.Variable)
	if err := insert(root, list, "var formats = ", "\n}\n", row); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "Wrote %s, and its constant and row in %s. Fill in what says TODO, follow docs/extending.md, then: go generate ./... && go test ./report -update\n", file, list)
	return err
}

// write writes a file from a template. It never replaces one.
func write(root, file, from string, s *skeleton) error {
	var text strings.Builder
	t, err := template.ParseFS(skeletons, from)
	if err != nil {
		return fmt.Errorf("the skeleton %s: %w", from, err)
	}
	if err := t.Execute(&text, s); err != nil {
		return fmt.Errorf("the skeleton %s: %w", from, err)
	}
	out, err := os.OpenFile(filepath.Join(root, file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.WriteString(text.String())
	return errors.Join(err, out.Close())
}

// insert inserts text into a Go file before the first end after begin.
func insert(root, file, begin, end, text string) error {
	name := filepath.Join(root, file)
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(source), begin)
	at := strings.Index(after, end)
	if !found || at < 0 {
		return fmt.Errorf("%s has no list after %q", file, begin)
	}
	changed, err := format.Source([]byte(before + begin + after[:at] + text + after[at:]))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(name, changed, 0o644)
}

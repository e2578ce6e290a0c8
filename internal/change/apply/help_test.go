package apply_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// Help leads to a clean input: a bad example that is edited as its help says, or fixed, has
// no finding above a note, and neither has what a correction shows after it. Each help of a
// finding without a fix is in one of them.
func TestHelpLeadsToCleanInput(t *testing.T) {
	template := helpTemplates()
	shown := map[string]bool{}
	given := map[string]string{} // an input with the help, by template
	var texts strings.Builder    // all helps
	for _, rule := range rules.All() {
		for _, e := range rule.Bad {
			linter := fixer(t, e)
			for _, f := range lintText(t, linter, "example", e.Text()) {
				texts.WriteString(f.Help + "\n")
				if f.Fix == nil && f.Rule == rule && f.Help != "" {
					given[template(rule.ID, f.Help)] = e.Name
					if len(e.Edits) > 0 || f.Severity == lint.SeverityNote {
						shown[template(rule.ID, f.Help)] = true
					}
				}
			}
			after := e.Edited()
			for i := 0; i+1 < len(e.Edits); i += 2 {
				assert.Contains(t, e.Text(), e.Edits[i], "%s, %q: what is edited", rule.ID, e.Name)
			}
			if len(e.Edits) == 0 {
				after = string(mend(t, linter, after, true).Text)
			}
			if after != e.Text() {
				isClean(t, linter, "example", after, rule.ID+", "+e.Name)
			}
		}
		for _, c := range rules.Corrections(rule.ID) {
			t.Run(rule.ID+" "+c.Help, func(t *testing.T) {
				before, after := sides(c.Diff)
				isGiven, helps := false, ""
				linter, name, text := commanded(t, before)
				for _, f := range lintText(t, linter, name, text) {
					texts.WriteString(f.Help + "\n")
					if f.Rule == rule {
						helps += f.Help + "\n"
					}
					if f.Rule == rule && strings.HasPrefix(f.Help, c.Help) {
						isGiven = true
						shown[template(rule.ID, f.Help)] = true
					}
				}
				assert.True(t, isGiven, "in rules/corrections.diff, write after the id how one of these helps starts:\n%sor change the input:\n%s", helps, text)
				linter, name, text = commanded(t, after)
				isClean(t, linter, name, text, c.Help)
			})
		}
	}
	messages, err := os.ReadFile("../../../rules/testdata/messages.txt")
	require.NoError(t, err)
	for _, f := range regexp.MustCompile(`(?m)^(\w+) \w+: .*\n\thelp: (.*)\n(?:\tline .*\n)*\tin (.*)`).FindAllSubmatch(messages, -1) {
		given[template(string(f[1]), string(f[2]))] = string(f[3])
	}
	texts.Write(messages)
	// A correction is short UTF-8, of one input and a published dialect.
	for place, text := range helpsInSource(t) {
		isOther := regexp.MustCompile("lmc(006|7..)_|check each conversation in its own input|move it to the beginning").MatchString(place)
		assert.True(t, isOther || strings.Contains(texts.String(), text), "%s: no case, bad example or correction has this help", place)
	}
	for help, where := range given {
		isOther := regexp.MustCompile("^LMC(002|006|7..)").MatchString(help)
		assert.True(t, isOther || shown[help], "%s (%s) has no fix and no correction: add Edits to a bad example of the rule, or the input before and after it to rules/corrections.diff", help, where)
	}
}

// helpsInSource returns the parts of helps in the source of the rules between what is
// formatted into them, by their places.
func helpsInSource(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../../rules/*/*.go")
	require.NoError(t, err)
	isHelp := func(n ast.Expr) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			n = s.Sel
		}
		id, ok := n.(*ast.Ident)
		return ok && strings.HasSuffix(strings.ToLower(id.Name), "help")
	}
	verb := regexp.MustCompile(`%(\[\d\])?[a-z]`)
	texts := map[string]string{}
	for _, path := range files {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		require.NoError(t, err)
		collect := func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					for _, part := range verb.Split(text, -1) {
						if len(strings.Fields(part)) > 2 {
							texts[files.Position(lit.Pos()).String()+" "+part] = part
						}
					}
				}
				return true
			})
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if isHelp(n.Name) {
					collect(n.Body)
				}
			case *ast.KeyValueExpr:
				if isHelp(n.Key) {
					collect(n.Value)
				}
			case *ast.ValueSpec:
				if isHelp(n.Names[0]) {
					collect(n)
				}
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					if isHelp(n.Lhs[i]) {
						collect(value)
					}
				}
			}
			return true
		})
	}
	return texts
}

// isClean fails if an input has a finding above a note.
func isClean(t *testing.T, linter *lint.Linter, name, text, help string) {
	t.Helper()
	for _, f := range lintText(t, linter, name, text) {
		if f.Severity != lint.SeverityNote {
			assert.Fail(t, "help leads to a finding", "%s: %s at line %d: %s\n%s", help, f.Rule.ID, f.Place.Span.Start.Line, f.Message, text)
		}
	}
}

// sides returns the old and the new text of a diff.
func sides(diff string) (before, after string) {
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			before += line[1:]
		}
		if line[0] != '-' {
			after += line[1:]
		}
	}
	return before, after
}

// commanded returns the linter and the name of a text that may begin with the command that
// checks it.
func commanded(t *testing.T, text string) (linter *lint.Linter, name, input string) {
	t.Helper()
	var e lint.Example
	line, rest, _ := strings.Cut(text, "\n")
	command, ok := strings.CutPrefix(line, "$ lmclint check ")
	if !ok {
		return fixer(t, e), "example", text
	}
	flags := flag.NewFlagSet("check", flag.PanicOnError)
	flags.StringVar(&e.Dialect, "dialect", "", "")
	flags.StringVar(&e.Form, "form", "", "")
	flags.StringVar(&e.After, "after", "", "")
	flags.BoolVar(&e.AutoRun, "auto-run", false, "")
	flags.BoolVar(&e.AllowEmpty, "allow-empty", false, "")
	words, err := shellquote.Split(command)
	require.NoError(t, err)
	require.NoError(t, flags.Parse(words))
	return fixer(t, e), flags.Arg(0), rest
}

// helpTemplates returns a function that makes one text of the helps of a rule that only
// differ in what the finding is about: it leaves out what follows a semicolon, and writes "_"
// for what is quoted, for words that a dialect defines, JSON types and lists of these.
func helpTemplates() func(rule, help string) string {
	words := map[string]bool{}
	for _, name := range schema.Names() {
		d, _ := schema.Lookup(name)
		words[name] = true
		for _, role := range d.Roles {
			words[role] = true
		}
		for _, t := range d.Types {
			words[t.Name] = true
			for _, f := range t.Formats {
				words[f.Name] = true
			}
		}
		for _, l := range d.Languages {
			words[l.Name] = true
		}
	}
	for _, word := range strings.Fields("string boolean integer object array number null R service") {
		words[word] = true
	}
	digits := regexp.MustCompile(`\d+`)
	quoted := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']+'$`)
	word := regexp.MustCompile(`[\w.]+`)
	list := regexp.MustCompile(`(?:\ban? )?_(?: \(_\)|(?:, _)*(?: (?:or|and) (?:an? )?_)?(?: of 0 bits)?)`)
	return func(rule, help string) string {
		help, _, _ = strings.Cut(help, "; ")
		help, _, _ = strings.Cut(help, ": pass --dialect")
		help = word.ReplaceAllStringFunc(quoted.ReplaceAllString(help, "_"), func(w string) string {
			if words[w] {
				return "_"
			}
			return w
		})
		return rule + " " + list.ReplaceAllString(digits.ReplaceAllString(help, "0"), "_")
	}
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/dev/generated"
)

func TestGeneratedManual(t *testing.T) {
	var names []string
	var write func(path ...string)
	write = func(path ...string) {
		command, rest, err := (&Command{}).newRoot().Find(path) // a new one, which manualPage changes
		require.NoError(t, err)
		require.Empty(t, rest)
		file := manualFile(command)
		names = append(names, filepath.Base(file))
		for _, child := range command.Commands() {
			write(append(path[:len(path):len(path)], child.Name())...)
		}
		generated.File(t, file, manualPage(t, command))
	}
	write()
	generated.OnlyFiles(t, "manual", names)
}

// manualPage returns the page of a command that is embedded. That of the program
// is that of its default command with the sections that are about all commands.
func manualPage(t *testing.T, command *cobra.Command) []byte {
	t.Helper()
	command.Long = markdown(cmp.Or(command.Long, capital(command.Short)+"."))
	if !command.HasParent() {
		check := commandsOf(command)[0]
		command.Use = name + " [check] " + checkOperands
		command.DisableFlagsInUseLine = true
		command.Example = name + " conversation.json recordings/\n" + check.Example
		command.Long = manualSections(command, check)
	} else {
		command.Long += "\n\n" + manualOptions(command.Flags())
	}
	command.InitDefaultHelpFlag()
	command.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // they are in Long
	command.DisableAutoGenTag = true
	var page bytes.Buffer
	require.NoError(t, doc.GenMan(command, &doc.GenManHeader{Title: "X", Section: "1", Date: &time.Time{}, Source: "X", Manual: "X"}, &page))
	title := regexp.MustCompile(`(?m)^\.TH .*\n`)
	require.Len(t, title.FindAll(page.Bytes(), -1), 1)
	return title.ReplaceAll(page.Bytes(), []byte(manualTitle))
}

// manualSections is the text of the program's manual page, in Markdown.
func manualSections(root, check *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, `%[1]s is a conformance linter for LMC messages, the format in which Open Interpreter stores and streams conversations. It checks transcripts, recorded streams and sessions, and the messages, events and exports of Semantic Workbench. Each finding gives the line, the column, what was expected and how to fix it.

%[2]s

# COMMANDS
`, name, markdown(check.Long))
	item := func(term, text string) { b.WriteString(manualItem("**"+term+"**", text)) }
	for _, command := range commandsOf(root) {
		item(strings.TrimPrefix(command.UseLine(), name+" "), command.Short)
	}
	b.WriteString(manualOptions(check.Flags()))
	b.WriteString("# FILES\n")
	item(strings.Join(config.Names(), ", "), "The configuration; the nearest one is used, from the input's directory upward to the root of its repository.")
	item(".gitignore, .git/info/exclude", "Files and directories that a search omits.")
	b.WriteString("# EXIT STATUS\n")
	item("0", "Checked; nothing at or above --fail-on.")
	item("1", "Findings at or above --fail-on.")
	item("2", "The check failed or is incomplete: usage, input, output or internal error.")
	item("130, 143", "Stopped by SIGINT or SIGTERM; findings up to then are reported, marked as incomplete.")
	b.WriteString("# ENVIRONMENT\n")
	item("FORCE_COLOR, NO_COLOR, TERM=dumb", "Whether reports are colored. The first one that is set takes precedence; --color overrides all.")
	item("CI", "No progress line.")
	item(stepSummary, "The file to which a run with --format github appends a Markdown report.")
	return b.String()
}

// manualOptions is the list of flags in a manual page, in Markdown, "" for
// none. That of cobra omits the names of the values.
func manualOptions(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		term := "**--" + f.Name + "**"
		if f.Shorthand != "" {
			term = "**-" + f.Shorthand + "**, " + term
		}
		value, text := pflag.UnquoteUsage(f)
		if value != "" {
			term += " *" + value + "*"
			if f.DefValue != "" {
				text += " (default `" + f.DefValue + "`)" // in Markdown <stdin> would be HTML
			}
		}
		b.WriteString(manualItem(term, text))
	})
	if b.Len() == 0 {
		return ""
	}
	return "# OPTIONS\n" + b.String()
}

// manualItem is an item of a definition list in Markdown.
func manualItem(term, text string) string { return term + "\n: " + text + "\n\n" }

// markdown makes code blocks of the paragraphs that have columns, and keeps the others.
func markdown(text string) string {
	columns := regexp.MustCompile(`(?m)^ |\S  +\S`)
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		if columns.MatchString(paragraph) {
			paragraphs[i] = "```\n" + paragraph + "\n```"
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

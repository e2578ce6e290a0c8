package main

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
)

func helpCommand() command {
	return command{
		name:     "help",
		operands: "[flags] [COMMAND]",
		summary:  "explain a command",
		examples: []string{name + " help check"},
		setup: func(flags *pflag.FlagSet) action {
			all := flags.Bool("all", false, "explain the rare flags, too")
			return func(c *Command, operands []string) error { return c.help(operands, *all) }
		},
	}
}

func (c *Command) help(operands []string, all bool) error {
	switch len(operands) {
	case 0:
		return c.print(generalHelp())
	case 1:
	default:
		return &usageError{message: "help explains one command at a time", command: "help"}
	}
	cmd, ok := lookup(operands[0])
	if !ok {
		return unknownWord("command", operands[0], commandNames(), "help")
	}
	flags := newFlags(cmd)
	cmd.setup(flags)
	return c.print(commandHelp(cmd, flags, all))
}

// Annotations of flags: under which heading help shows them, and whether it
// does so only when all are asked for.
const (
	groupKey = "group"
	rareKey  = "rare"
)

// group puts flags under a heading of the help.
func group(flags *pflag.FlagSet, heading string, names ...string) {
	annotate(flags, groupKey, heading, names)
}

// rare keeps flags out of the help that is to fit a screen.
func rare(flags *pflag.FlagSet, names ...string) { annotate(flags, rareKey, rareKey, names) }

func annotate(flags *pflag.FlagSet, key, value string, names []string) {
	for _, name := range names {
		if f := flags.Lookup(name); f != nil {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{}
			}
			f.Annotations[key] = []string{value}
		}
	}
}

// flagUsages lists the flags under their headings, in the order in which the
// headings come first, and at the end the names of the rare ones, unless all
// are to be explained. Flags without a heading stand under "Flags".
func flagUsages(flags *pflag.FlagSet, command string, all bool) string {
	shown := pflag.NewFlagSet(command, pflag.ContinueOnError)
	shown.SortFlags = false
	var rarely []string
	flags.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case !all && f.Annotations[rareKey] != nil:
			rarely = append(rarely, "--"+f.Name)
		default:
			shown.AddFlag(f)
		}
	})
	text := underHeadings(shown)
	if len(rarely) > 0 {
		text += "\n" + wrap("Also (see "+name+" help --all "+command+"): "+strings.Join(rarely, ", "), "", "  ")
	}
	return text
}

// underHeadings lists flags, of which none is hidden.
func underHeadings(flags *pflag.FlagSet) string {
	lines := strings.SplitAfter(flags.FlagUsages(), "\n")
	var headings []string
	sections := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if named := f.Annotations[groupKey]; len(named) > 0 {
			heading = named[0]
		}
		if !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
		sections[heading] += lines[0]
		lines = lines[1:]
	})
	var b strings.Builder
	for i, heading := range headings {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(heading + ":\n" + sections[heading])
	}
	return b.String()
}

func manCommand() command {
	return command{
		name:     "man",
		summary:  "print the manual page",
		examples: []string{name + " man > /usr/local/share/man/man1/" + name + ".1"},
		setup: func(*pflag.FlagSet) action {
			return func(c *Command, operands []string) error {
				if len(operands) > 0 {
					return &usageError{message: "man takes no operands; " + name + " help explains one command", command: "man"}
				}
				return c.print(manual())
			}
		},
	}
}

// manual is the manual page, in the language of roff's man macros.
func manual() string {
	var m roff
	b := currentBuild()
	day, _, _ := strings.Cut(b.Date, "T")
	m.macro(".TH", strings.ToUpper(name), "1", day, name+" "+b.Version, "User Commands")
	m.macro(".SH", "NAME")
	m.text(name + " - check recordings of LMC and Semantic Workbench conversations")
	m.macro(".SH", "SYNOPSIS")
	m.synopsis("[check] [flags] PATH|GLOB|-...")
	m.macro(".br")
	m.synopsis("COMMAND [arguments]")
	m.macro(".SH", "DESCRIPTION")
	m.text(name + " checks whether recorded conversations keep their protocol: the LMC messages of Open Interpreter in transcripts, their chunks in streams, both sides of a connection in sessions, and the messages, events and exports of Semantic Workbench. Every finding names the line, the column, what was expected, and what to do.")
	m.macro(".SH", "COMMANDS")
	for _, cmd := range commands() {
		m.command(cmd)
	}
	m.macro(".SH", "FILES")
	for _, f := range files() {
		m.term(f.name)
		m.text(f.use)
	}
	m.macro(".SH", "EXIT STATUS")
	for _, s := range exitStatuses() {
		m.term(s.status)
		m.text(s.meaning)
	}
	m.macro(".SH", "ENVIRONMENT")
	for _, v := range environment() {
		m.term(v.variable)
		m.text(v.effect)
	}
	return m.String()
}

// environment lists the variables that the program heeds.
func environment() []struct{ variable, effect string } {
	return []struct{ variable, effect string }{
		{"FORCE_COLOR, NO_COLOR, TERM=dumb", "Whether reports are coloured; the first that is set counts, and --color before all."},
		{"CI", "No progress line."},
		{stepSummary, "The file that a run with --format github adds a Markdown report to."},
	}
}

// files lists those that the program looks for.
func files() []struct{ name, use string } {
	return []struct{ name, use string }{
		{strings.Join(config.Names(), ", "), "The configuration; for each input the one that is nearest, upward to the root of its repository."},
		{".gitignore, .git/info/exclude", "What is left out when a directory is searched."},
	}
}

// exitStatuses says what the exit statuses mean.
func exitStatuses() []struct{ status, meaning string } {
	return []struct{ status, meaning string }{
		{"0", "Checked, and nothing at or above --fail-on."},
		{"1", "Findings at or above --fail-on."},
		{"2", "The result cannot be trusted: usage, input, output or internal error."},
		{"130, 143", "Stopped by SIGINT or SIGTERM: what was known is reported."},
	}
}

// roff is a manual page under construction.
type roff struct{ strings.Builder }

// command explains one command with all its flags.
func (m *roff) command(cmd command) {
	flags := newFlags(cmd)
	cmd.setup(flags)
	m.macro(".SS", cmd.name)
	m.synopsis(strings.TrimSpace(cmd.name + " " + cmd.operands))
	m.macro(".PP")
	m.text(capital(cmd.summary) + ".")
	for paragraph := range strings.SplitSeq(cmd.about, "\n\n") {
		m.paragraph(paragraph)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			m.flag(f)
		}
	})
	if len(cmd.examples) > 0 {
		m.macro(".PP")
		m.text("Examples:")
		m.literal(strings.Join(cmd.examples, "\n"))
	}
}

func (m *roff) flag(f *pflag.Flag) {
	shown, usage := pflag.UnquoteUsage(f)
	head := "--" + f.Name
	if f.Shorthand != "" {
		head = "-" + f.Shorthand + ", " + head
	}
	m.term(strings.TrimSpace(head + " " + shown))
	if !slices.Contains([]string{"", "false", "0", "[]", "all cores"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	m.text(usage)
}

// paragraph is a part of what help says about a command: sentences, or lines
// in columns, which stay as they are.
func (m *roff) paragraph(text string) {
	switch {
	case text == "":
	case columns().MatchString(text):
		m.literal(strings.ReplaceAll("\n"+text, "\n  ", "\n")[1:])
	default:
		m.macro(".PP")
		m.text(text)
	}
}

var columns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ |\S  +\S`)
})

func (m *roff) synopsis(arguments string) {
	m.WriteString(`\fB` + name + `\fR ` + roffText(arguments) + "\n")
}

// term begins an item of a list.
func (m *roff) term(text string) {
	m.macro(".TP")
	m.WriteString(`\fB` + roffText(text) + `\fR` + "\n")
}

// literal is text whose lines stay as they are.
func (m *roff) literal(text string) {
	m.macro(".PP")
	m.macro(".RS", "2")
	m.macro(".nf")
	m.text(text)
	m.macro(".fi")
	m.macro(".RE")
}

func (m *roff) text(text string) {
	for line := range strings.Lines(text) {
		m.WriteString(roffText(strings.TrimSuffix(line, "\n")) + "\n")
	}
}

func (m *roff) macro(macro string, arguments ...string) {
	m.WriteString(macro)
	for _, argument := range arguments {
		m.WriteString(` "` + strings.ReplaceAll(roffText(argument), `"`, `\(dq`) + `"`)
	}
	m.WriteByte('\n')
}

// roffText escapes what roff would take for its own: backslashes, hyphens, and
// a dot or a quote at the beginning of a line.
func roffText(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

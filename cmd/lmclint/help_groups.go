package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

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

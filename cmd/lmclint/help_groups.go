package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// groupKey is the annotation that says under which heading help shows a flag.
const groupKey = "group"

// group puts flags under a heading of the help.
func group(flags *pflag.FlagSet, heading string, names ...string) {
	for _, name := range names {
		if f := flags.Lookup(name); f != nil {
			f.Annotations = map[string][]string{groupKey: {heading}}
		}
	}
}

// flagUsages lists the flags under their headings, in the order in which the
// headings come first. Flags without one stand under "Flags".
func flagUsages(flags *pflag.FlagSet) string {
	lines := strings.SplitAfter(flags.FlagUsages(), "\n")
	var headings []string
	sections := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || len(lines) == 0 {
			return
		}
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
	for _, heading := range headings {
		b.WriteString("\n" + heading + ":\n" + sections[heading])
	}
	return b.String()
}

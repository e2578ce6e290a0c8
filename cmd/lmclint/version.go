package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/schema"
)

// suiteVersion is the version of the conformance suite whose findings this
// program gives. A test compares it with testdata/VERSION.
const suiteVersion = "2.0"

// Set by the linker in a release, from the tag. They override what the Go
// toolchain recorded.
var version, commit, date string

// build identifies this program.
type build struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`

	Dialects []string `json:"dialects"` // of LMC
	Suite    string   `json:"suite"`    // version of the conformance suite
}

func (c *Command) versionCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "version [flags]",
		Short:   "print the version",
		Example: name + " version --json",
		Args:    operands(0, 0, "version takes no operands"),
	}
	asJSON := command.Flags().Bool("json", false, "print it as JSON")
	command.RunE = func(*cobra.Command, []string) error {
		b := currentBuild()
		if *asJSON {
			return c.printJSON(b)
		}
		return c.print(b.String() + "\n")
	}
	return command
}

func (b build) String() string {
	parts := []string{b.Name, b.Version}
	if b.Commit != "" {
		parts = append(parts, fmt.Sprintf("(commit %.12s, %s)", b.Commit, b.Date))
	}
	return strings.Join(append(parts, b.Go, b.Platform), " ")
}

// currentBuild returns what the linker set, or else what the Go toolchain
// recorded. A program that was not built from a checkout has no commit.
func currentBuild() build {
	b := build{Name: name, Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Dialects: schema.Names(), Suite: suiteVersion}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(info.Main.Version, b.Version)
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	b.Version, b.Commit, b.Date = cmp.Or(version, b.Version), cmp.Or(commit, b.Commit), cmp.Or(date, b.Date)
	return b
}

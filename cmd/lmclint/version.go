package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
)

// What a release says about itself, by the linker. It goes above what the Go
// toolchain recorded.
var version, commit, date string

// build says which program this is, as the Go toolchain recorded it.
type build struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionCommand() command {
	return command{
		name:     "version",
		operands: "[flags]",
		summary:  "print the version of the program",
		examples: []string{name + " version --format json"},
		setup: func(flags *pflag.FlagSet) action {
			format := defineChoice(flags, "format", "FORMAT", "text or json", []string{"text", "json"})
			return func(c *Command, operands []string) error {
				if len(operands) > 0 {
					return &usageError{message: "version takes no operands", command: "version"}
				}
				return c.version(format.value)
			}
		},
	}
}

func (c *Command) version(format string) error {
	b := currentBuild()
	if format == "json" {
		return c.printJSON(b)
	}
	return c.print(b.String() + "\n")
}

func (b build) String() string {
	parts := []string{b.Name, b.Version}
	if b.Commit != "" {
		parts = append(parts, fmt.Sprintf("(commit %.12s, %s)", b.Commit, b.Date))
	}
	return strings.Join(append(parts, b.Go, b.Platform), " ")
}

// currentBuild reads what the toolchain wrote into the program. A program
// that was not built from a checkout has no commit.
func currentBuild() build {
	b := build{Name: name, Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	b.Version, b.Commit, b.Date = cmp.Or(version, b.Version), cmp.Or(commit, b.Commit), cmp.Or(date, b.Date)
	return b
}

// read takes what the Go toolchain recorded.
func (b *build) read(info *debug.BuildInfo) {
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

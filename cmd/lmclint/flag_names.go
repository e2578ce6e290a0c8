package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// otherNames are what flags are called elsewhere, in linters that many know:
// ruff, ESLint, golangci-lint, actionlint, shellcheck, pytest.
var otherNames = map[string]string{
	"color-mode":        "--color",
	"colors":            "--color",
	"colour":            "--color",
	"concurrency":       "--jobs",
	"config-file":       "--config",
	"config-path":       "--config",
	"deny-warnings":     "--fail-on warning",
	"disable":           "--ignore",
	"enable":            "--extend-select",
	"enable-only":       "--select",
	"error-on-warnings": "--fail-on warning",
	"exit-first":        "--fail-fast",
	"exitfirst":         "--fail-fast",
	"fail-level":        "--fail-on",
	"fail-on-level":     "--fail-on",
	"failure-threshold": "--fail-on",
	"ignore-path":       "--exclude",
	"ignore-pattern":    "--exclude",
	"limit":             "--max-findings",
	"max-diagnostics":   "--max-findings",
	"max-errors":        "--max-findings",
	"max-issues":        "--max-findings",
	"max-warnings":      "--fail-on warning",
	"no-color":          "--color never",
	"no-colour":         "--color never",
	"no-config":         "--isolated",
	"no-config-lookup":  "--isolated",
	"no-fail":           "--exit-zero",
	"no-ignore":         "--no-gitignore",
	"only":              "--select",
	"out":               "--output",
	"output-file":       "--output",
	"output-format":     "--format",
	"parallel":          "--jobs",
	"reporter":          "--format",
	"rule":              "--select",
	"rules":             "--select",
	"severity-level":    "--fail-on",
	"show-stats":        "--statistics",
	"silent":            "--quiet",
	"skip":              "--ignore",
	"stdin":             "-",
	"stdin-file-path":   "--stdin-filename",
	"threads":           "--jobs",
	"workers":           "--jobs",
}

// meantFlag returns what was meant by a flag that another linter has, "" if it
// is none or the command has no such flag.
func equivalentFlag(flags *pflag.FlagSet, other string) string {
	meant := otherNames[other]
	if meant == "-" && flags.Lookup("stdin-filename") != nil {
		return meant
	}
	own, _, _ := strings.Cut(strings.TrimPrefix(meant, "--"), " ")
	if flags.Lookup(own) == nil {
		return ""
	}
	return meant
}

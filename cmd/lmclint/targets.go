package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/report"
)

// target is a report that the user asked for.
type target struct {
	format report.Format
	file   string // "" is standard output
}

// targets is the value of --format, which may be given several times.
type targets struct{ list []target }

// String implements [pflag.Value].
func (t *targets) String() string {
	var words []string
	for _, each := range t.list {
		word := string(each.format)
		if each.file != "" {
			word += ":" + each.file
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Type implements [pflag.Value].
func (t *targets) Type() string { return "FORMAT[:FILE]" }

// Set implements [pflag.Value]. It fails on an unknown format.
func (t *targets) Set(text string) error {
	word, file, named := strings.Cut(text, ":")
	if !slices.Contains(formatNames(), word) {
		return invalidChoice(word, formatNames())
	}
	if named && file == "" {
		return errors.New("name the file behind the colon")
	}
	if file == walk.Stdin {
		file = ""
	}
	t.list = append(t.list, target{report.Format(word), file})
	return nil
}

// resolve says where each report goes: --output takes the place of standard
// output. It fails where two reports would go to one place.
func (t *targets) resolve(output string) ([]target, error) {
	list := slices.Clone(t.list)
	if len(list) == 0 {
		list = []target{{format: report.Formats()[0]}}
	}
	for i, each := range list {
		if each.file != "" {
			continue
		}
		for _, other := range list[:i] {
			if other.file == "" {
				return nil, misdirected("standard output is for one report, not for %s and %s: name a file, as in --format %[2]s:FILE", other.format, each.format)
			}
		}
	}
	if output != "" {
		i := slices.IndexFunc(list, func(each target) bool { return each.file == "" })
		if i < 0 {
			return nil, misdirected("there is no report for --output %s: each --format names a file", output)
		}
		list[i].file = output
	}
	return list, distinct(list)
}

// distinct fails where two reports would go to one file.
func distinct(list []target) error {
	for i, each := range list {
		for _, other := range list[:i] {
			if each.file != "" && sameFile(each.file, other.file) {
				return misdirected("the reports %s and %s go to one file, %s", other.format, each.format, each.file)
			}
		}
	}
	return nil
}

func misdirected(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), command: "check"}
}

// sameFile reports whether two paths name one file, which need not exist.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, ok := regularFile(a)
	second, also := regularFile(b)
	return ok && also && os.SameFile(first, second)
}

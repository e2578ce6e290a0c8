package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/schema"
	"github.com/lmclint/lmclint/source"
)

// auto is the word for what is to be found out.
const auto = "auto"

// never is the --fail-on that no finding reaches.
const never = "never"

// checkFlags are the flags of check.
type checkFlags struct {
	format, kind, form, dialect, failOn, color *choice
	output, stdinFilename                      string
	autoRun, allowEmpty, quiet                 bool
	maxRecordBytes                             byteCount
}

func defineCheckFlags(flags *pflag.FlagSet) *checkFlags {
	o := &checkFlags{maxRecordBytes: source.DefaultMaxRecordBytes}
	o.format = defineChoice(flags, "format", "FORMAT", "text, json or jsonl", formatNames())
	flags.StringVar(&o.output, "output", "", "write the report to `FILE`, whole or not at all")
	o.failOn = defineChoice(flags, "fail-on", "SEVERITY", "error, warning, note or never", failOnWords())
	o.kind = defineChoice(flags, "kind", "KIND", "transcript or stream", []string{auto, "transcript", "stream"})
	o.form = defineChoice(flags, "form", "FORM", "json (one text), jsonl or python", []string{auto, string(source.FormJSON), string(source.FormJSONL), string(source.FormPython)})
	o.dialect = defineChoice(flags, "dialect", "NAME", "a dialect, as schema lists them", append([]string{auto}, schema.Names()...))
	flags.BoolVar(&o.autoRun, "auto-run", false, "recorded without confirmations")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "an input without records is no mistake")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "`NAME` of standard input")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "limit of one record")
	o.color = defineChoice(flags, "color", "WHEN", "auto, always or never", colorModes())
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "no summary line")
	return o
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, string(f))
	}
	return names
}

func failOnWords() []string {
	var words []string
	for _, s := range lint.Severities() {
		words = append(words, s.String())
	}
	return append(words, never)
}

func (o *checkFlags) config() lint.Config {
	return lint.Config{
		Kind:       unlessAuto(o.kind.value),
		Dialect:    unlessAuto(o.dialect.value),
		AutoRun:    o.autoRun,
		AllowEmpty: o.allowEmpty,
	}
}

func (o *checkFlags) source() source.Options {
	return source.Options{Form: source.Form(unlessAuto(o.form.value)), MaxRecordBytes: int64(o.maxRecordBytes)}
}

// fails reports whether a finding of that severity makes the exit status 1.
func (o *checkFlags) fails(s lint.Severity) bool {
	threshold, err := lint.ParseSeverity(o.failOn.value)
	return err == nil && s >= threshold
}

func unlessAuto(word string) string {
	if word == auto {
		return ""
	}
	return word
}

// byteCount is the value of a flag that takes a number of bytes above zero.
type byteCount int64

// String implements [pflag.Value].
func (b *byteCount) String() string { return strconv.FormatInt(int64(*b), 10) }

// Type implements [pflag.Value].
func (b *byteCount) Type() string { return "BYTES" }

// Set implements [pflag.Value]. It fails on what is no whole number above zero.
func (b *byteCount) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return errors.New("want a whole number of bytes above zero")
	}
	*b = byteCount(n)
	return nil
}

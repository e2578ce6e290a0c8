// Package report writes findings for people and for programs.
//
// A [Reporter] is told of a run as it happens: it begins, findings come in the
// order in which they are decided, files end, the run ends. Each format is a
// file of this package. Whatever the input held, a report is valid UTF-8, and
// nothing in it drives a terminal.
package report

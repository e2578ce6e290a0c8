package main

import "strings"

// words is the value of a flag that may be given several times, with several
// words at once between commas if it splits them.
type words struct {
	list  *[]string
	split bool
}

// String implements [pflag.Value].
func (w words) String() string { return strings.Join(*w.list, ",") }

// Type implements [pflag.Value].
func (w words) Type() string { return "strings" }

// Set implements [pflag.Value].
func (w words) Set(text string) error {
	switch {
	case !w.split:
		*w.list = append(*w.list, text)
	case text != "":
		*w.list = append(*w.list, strings.Split(text, ",")...)
	}
	return nil
}

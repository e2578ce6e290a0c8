package main

import (
	"bufio"
	"encoding/json"
)

// report writes a finding a line, as JSON.
type report struct {
	w     *bufio.Writer
	path  string
	line  int
	found int
}

type finding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func (r *report) add(message string) {
	r.found++
	data, err := json.Marshal(finding{r.path, r.line, message})
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	r.w.Write(data)     //nolint:errcheck // the error stays, and Flush returns it
	r.w.WriteByte('\n') //nolint:errcheck // as above
}

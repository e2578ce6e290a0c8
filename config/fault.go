package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Origin is where something of a configuration was said.
type Origin struct {
	File         string // as it is shown to people; "" if nobody said it
	Line, Column int    // from 1; 0 on the command line
}

// String writes an origin as file:line:column.
func (o Origin) String() string {
	switch {
	case o.File == "":
		return "default"
	case o.Line == 0:
		return o.File
	}
	return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
}

var writtenOrigin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*):(\d+):(\d+)$`)
})

// originOf reads an origin as String writes it.
func originOf(text string) Origin {
	found := writtenOrigin().FindStringSubmatch(text)
	if found == nil {
		return Origin{File: text}
	}
	line, _ := strconv.Atoi(found[2])
	column, _ := strconv.Atoi(found[3])
	return Origin{found[1], line, column}
}

// Fault is one thing that is wrong with a configuration.
type Fault struct { //nolint:errname // it is an error of the user's, not of the program
	Origin
	Message string // one line, no full stop
}

// Error implements the interface error.
func (f *Fault) Error() string { return f.String() + ": " + f.Message }

// Faults are all the things that are wrong with a configuration, by place.
type Faults []*Fault //nolint:errname // as above

// Error has a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Add adds the faults of an error. An error that is no fault is returned.
func (f *Faults) Add(err error) error {
	var more Faults
	if err == nil || !errors.As(err, &more) {
		return err
	}
	*f = append(*f, more...)
	return nil
}

// Err returns the faults as an error, nil if there are none.
func (f Faults) Err() error { return f.or() }

// or returns the faults as an error, nil if there are none.
func (f Faults) or() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}

func (f *Faults) add(at Origin, format string, values ...any) {
	*f = append(*f, &Fault{at, fmt.Sprintf(format, values...)})
}

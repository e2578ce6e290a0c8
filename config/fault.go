package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Origin is the place of a value in a configuration.
type Origin struct {
	File         string // relative to the working directory, or a flag; "" for a default
	Line, Column int    // from 1; 0 for a flag
}

// String returns file:line:column.
func (o Origin) String() string {
	switch {
	case o.File == "":
		return "default"
	case o.Line == 0:
		return o.File
	}
	return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
}

// Fault is one error in a configuration.
type Fault struct { //nolint:errname // an error of the user, not of the program
	Origin
	Message string // one line without a final period
}

// Error implements the interface error.
func (f *Fault) Error() string { return f.String() + ": " + f.Message }

// Faults are the errors in a configuration, by place.
type Faults []*Fault //nolint:errname // as above

// Error has a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Add adds the faults of an error. It returns an error that is not of faults.
func (f *Faults) Add(err error) error {
	var more Faults
	if err == nil || !errors.As(err, &more) {
		return err
	}
	*f = append(*f, more...)
	return nil
}

// Err returns the faults as an error, by place; nil if there are none.
func (f Faults) Err() error {
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

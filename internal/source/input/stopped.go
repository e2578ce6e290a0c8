package input

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/source/value"
)

// stopped is the source's error, and where it happened.
type ReadError struct {
	At  value.Position // after the last byte that could be read
	err error
}

func (s *ReadError) Error() string {
	return fmt.Sprintf("reading stopped at line %d, column %d (byte %d): %v", s.At.Line, s.At.Column, s.At.Offset, s.err)
}

func (s *ReadError) Unwrap() error { return s.err }

// overgrown says that a compressed input grows by more than MaxRatio.
type ExpansionError struct {
	name  string // of the compression
	limit int64  // Options.MaxUnpackedBytes
}

func (o *ExpansionError) Error() string {
	return fmt.Sprintf("the %s data grows to more than %d times its size, and over %d bytes", o.name, MaxRatio, o.limit)
}

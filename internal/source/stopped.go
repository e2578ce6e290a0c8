package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// stopped is the source's error, and where it happened.
type readError struct {
	at  value.Position // behind the last byte that could be read
	err error
}

func (s *readError) Error() string {
	return fmt.Sprintf("reading stopped at line %d, column %d (byte %d): %v", s.at.Line, s.at.Column, s.at.Offset, s.err)
}

func (s *readError) Unwrap() error { return s.err }

// overgrown says that a compressed input grows by more than MaxRatio.
type expansionError struct {
	name  string // of the compression
	limit int64  // Options.MaxUnpackedBytes
}

func (o *expansionError) Error() string {
	return fmt.Sprintf("the %s data grows to more than %d times its size, and over %d bytes", o.name, MaxRatio, o.limit)
}

// last is what comes of an error that ends the reading. Data that grow without
// measure are no failure of the source but a fault of the input, as a record
// that is too large: it is told where the reading ends.
func (r *Reader) last(err error) (*Record, error) {
	r.err = err
	if err == io.EOF {
		return nil, err
	}
	var grown *expansionError
	var at *readError
	if !errors.As(err, &grown) || !errors.As(err, &at) {
		return nil, err
	}
	r.err = io.EOF
	return r.cur.NewGap(nil, at.at, value.Fault{Kind: value.RecordTooLarge, Detail: grown.Error()}), nil
}

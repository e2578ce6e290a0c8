package source

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Reader reads the records of an input in order. It is not safe for concurrent
// use.
type Reader struct {
	cur      Cursor
	form     RecordReader  // what Next reads from; nil before anything was read
	wrapped  Wrapped       // memory for form
	err      error         // what ended the reading
	preface  *Record       // returned before the records of form, or nil
	peeked   input.Segment // whose text Peek returned
	peekedTo int64         // offset up to which it did
}

// RecordReader reads the records of one recorded form.
type RecordReader interface {
	// Next returns the next record, or io.EOF at the end of the input. The record
	// is valid until the next call.
	Next() (*Record, error)
}

// NewReader returns a reader of an input, plain or compressed with gzip or zstd.
// It reads nothing before the first call of Next.
func NewReader(src io.Reader, options Options) *Reader {
	options.MaxRecordBytes = min(cmp.Or(max(options.MaxRecordBytes, 0), DefaultMaxRecordBytes), 1<<30)
	options.MaxDepth = min(cmp.Or(max(options.MaxDepth, 0), DefaultMaxDepth), value.MaxDepth)
	options.MaxUnpackedBytes = cmp.Or(max(options.MaxUnpackedBytes, 0), input.DefaultMaxUnpackedBytes)
	return &Reader{cur: Cursor{
		Options: options, In: input.New(src), Scan: value.Scanner{MaxDepth: options.MaxDepth},
		Form: options.Form, Conversation: -1, language: language{isFixed: slices.Contains(fixedForms, options.Form)},
	}}
}

// Reset makes the reader read another input of that name with the same options. It reuses
// the reader's memory: records that Next returned are no longer valid.
func (r *Reader) Reset(name string, src io.Reader) {
	in, scan, options := r.cur.In, r.cur.Scan.Reuse(), r.cur.Options
	in.Reset(src)
	options.Name = name
	*r = *NewReader(nil, options)
	r.cur.In, r.cur.Scan = in, scan
}

// Form is the recorded form of the input, valid after the first Next. An input
// that starts with an object over several lines is FormJSONL until it ends
// without another object, and FormJSON then: waiting would delay the record.
func (r *Reader) Form() Form { return r.cur.Form }

// HasEnvelope reports whether an envelope was read, whose list of records may be
// empty.
func (r *Reader) HasEnvelope() bool { return r.cur.hasEnvelope }

// HasEmptyList reports whether an array without elements was read, or an envelope,
// whose list may have none.
func (r *Reader) HasEmptyList() bool {
	return (r.cur.hasEmptyList || r.cur.hasEnvelope) && r.cur.Form != FormHAR && r.cur.Form != FormText
}

// IsInterrupted reports whether the last line of a session log notes that the
// connection was interrupted: nothing is missing at its end then.
func (r *Reader) IsInterrupted() bool { return r.wrapped.frame.interrupted }

// Conversations is how many conversations were begun of an input that consists
// of several, else 0.
func (r *Reader) Conversations() int { return r.cur.Conversation + 1 }

// Next returns the next record, or io.EOF at the end of the input. The record is
// valid until the next call. Any other error is an [*input.ReadError] of the
// input, after all records that could be read. Later calls return the same error.
func (r *Reader) Next() (*Record, error) {
	rec, err := r.next()
	if rec != nil {
		rec.ReadTo = r.readTo()
	}
	return rec, err
}

func (r *Reader) next() (*Record, error) {
	if r.form == nil && r.err == nil {
		if err := r.begin(); err != nil {
			return r.finish(err)
		}
	}
	if rec := r.preface; rec != nil {
		r.preface = nil
		return rec, nil
	}
	if r.err != nil {
		return nil, r.err
	}
	rec, err := r.form.Next()
	if err != nil {
		return r.finish(err)
	}
	if r.wrapped.kind == noWrapper {
		r.form = r.cur.FormReader
	}
	return rec, nil
}

// readTo returns the offset up to which the input was read, or the start of the JSON
// document there.
func (r *Reader) readTo() int64 {
	if s, ok := r.cur.FormReader.(*sequence); ok && s.isDocuments {
		return s.begun
	}
	if r.cur.isDocument {
		return 0
	}
	return r.cur.In.Pos.Offset
}

// Settle notes that all records that Next returned were checked.
func (r *Reader) Settle() { r.cur.hasRecord = false }

// SkippedTo returns, while the source is read, an offset up to which no record begins but
// those before the last Settle. It is 0 if none is known: not within a line either, so
// that the parts in which a line arrives have no effect.
func (r *Reader) SkippedTo() int64 {
	if r.cur.hasRecord || r.cur.In.EndsInLine() {
		return 0
	}
	if e, ok := r.cur.FormReader.(*events); ok && e.begun >= 0 {
		return e.begun
	}
	return r.readTo()
}

// begin detects the form of the input, and sets r.preface to the gap with the
// problems before its first record, if there are any.
func (r *Reader) begin() error {
	in := &r.cur.In
	if err := in.Decompress(r.cur.Options.MaxUnpackedBytes); err != nil {
		return err
	}
	if len(in.Unread()) == 0 {
		in.Fetch()
	}
	switch { // decompressed: a tar archive usually is compressed
	case input.IsTar(in.Unread()):
		return errTar
	case in.StartsWith(input.ZipMagic):
		return errZip
	}
	if name := in.ForeignEncoding(); name != "" {
		r.err = io.EOF
		if r.cur.Form == FormAuto {
			r.cur.Form = FormJSONL
		}
		r.preface = r.cur.NewGap(in.Unread()[:2:2], in.Pos, value.Fault{
			Kind: InvalidUTF8, End: 2, Detail: "the input is " + name + ", expected UTF-8; nothing of it was read",
		})
		return nil
	}
	mark := in.StartsWith(input.ByteOrderMark)
	at := in.Pos
	if mark {
		r.cur.hasRecord = true // what reports it is not checked yet
		in.Skip(len(input.ByteOrderMark))
	}
	if err := r.detect(); err != nil {
		return err
	}
	if mark {
		r.preface = r.cur.NewGap(input.ByteOrderMark, at, value.Fault{
			Kind: ByteOrderMark, End: len(input.ByteOrderMark), Detail: "found a byte order mark (U+FEFF), which JSON does without",
		})
	}
	return nil
}

// detect sets the reader of the form.
func (r *Reader) detect() (err error) {
	d := detector{&r.cur}
	if r.cur.FormReader, err = d.detect(); err != nil {
		return err
	}
	r.form = r.cur.FormReader
	s, isSequence := r.form.(*sequence)
	if isSequence && s.hasArrows || r.cur.In.IsNested || r.cur.Form == FormText || r.cur.Form == FormHAR {
		return nil
	}
	r.wrapped = Wrapped{cur: &r.cur}
	if r.cur.Options.Form == FormSessionLog {
		r.wrapped.kind = sessionWrapper
	}
	r.form = &r.wrapped
	return nil
}

// wraps reports whether records are known to be wrapped in objects.
func (r *Reader) wraps() bool {
	return r.form == &r.wrapped && r.wrapped.kind > noWrapper
}

// finish returns the result of Next for the error that ended the reading. Data
// that expand beyond the limit are not an error but a problem of the input, at
// the place where the reading ended.
func (r *Reader) finish(err error) (*Record, error) {
	r.err = err
	if err == io.EOF {
		if rec := r.cur.comments.report(&r.cur); rec != nil {
			return rec, nil
		}
		return nil, err
	}
	var grown *input.ExpansionError
	var at *input.ReadError
	if !errors.As(err, &grown) || !errors.As(err, &at) {
		return nil, err
	}
	r.err = io.EOF
	return r.cur.NewGap(nil, at.At, value.Fault{Kind: ExpansionTooLarge, Detail: grown.Error()}), nil
}

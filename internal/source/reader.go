package source

import (
	"errors"
	"io"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Reader reads the records of an input, one after another.
type Reader struct {
	cur     Cursor
	form    RecordReader // what Next reads from; nil before anything was read
	err     error        // what ended the reading
	preface *Record      // returned before what form gives, or nil
	shown   int64        // offset up to which Peek returned text
}

// RecordReader reads the records of one recorded form.
type RecordReader interface {
	// Next returns the next record, or io.EOF at the end of the input. The record
	// is valid until the next call.
	Next() (*Record, error)
}

// Embedding recognizes the forms in which records are embedded in something
// else. Package embedded implements it; without it a reader knows the plain
// forms alone.
type Embedding interface {
	// SkipHead skips what may precede the records of any form, such as the head
	// of an HTTP response.
	SkipHead(c *Cursor)
	// Detect returns a reader of the form that the input has, or nil if it has
	// none of the embedding's own. First is the first byte that is no whitespace.
	Detect(c *Cursor, first byte) RecordReader
	// Unwrap returns a reader of the records that the cursor's form reads, or of
	// those that are wrapped in these.
	Unwrap(c *Cursor) Unwrapper
}

// Unwrapper takes the records of a form out of the objects that wrap them.
type Unwrapper interface {
	RecordReader
	// Wraps reports whether records are known to be wrapped.
	Wraps() bool
}

// NewReader makes a reader of an input, plain or compressed with gzip or zstd.
// It reads nothing before the first call of Next.
func NewReader(src io.Reader, options Options) *Reader {
	options = options.withDefaults()
	return &Reader{cur: Cursor{
		Options: options, In: input.New(src), Scan: value.Scanner{MaxDepth: options.MaxDepth},
		Form: options.Form, Conversation: -1,
	}}
}

// Reset makes the reader read another input, with the same options. It uses
// the reader's memory again: what Next returned before is no longer valid.
func (r *Reader) Reset(src io.Reader) {
	r.cur.In.Reset(src)
	*r = Reader{cur: Cursor{
		Options: r.cur.Options, In: r.cur.In, Scan: r.cur.Scan.Reuse(),
		Form: r.cur.Options.Form, Conversation: -1, kept: r.cur.kept[:0],
	}}
}

// Form is the recorded form of the input. It is known after the first Next;
// but an object over several lines is taken for the first of several until
// the input ends, because waiting would delay its record.
func (r *Reader) Form() Form { return r.cur.Form }

// HasEnvelope reports whether an envelope was read, whose list of records may be
// empty.
func (r *Reader) HasEnvelope() bool { return r.cur.hasEnvelope }

// Next returns the next record, or io.EOF at the end of the input. The record
// is valid until the next call. An error other than io.EOF is the input's own,
// with the position where it happened; it follows all records that could be
// read, and is returned again by every later call.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.form == nil {
		if err := r.begin(); err != nil {
			return r.last(err)
		}
	}
	if rec := r.preface; rec != nil {
		r.preface = nil
		return rec, nil
	}
	rec, err := r.form.Next()
	if err != nil {
		return r.last(err)
	}
	return rec, nil
}

// begin detects the form of the input, and sets r.preface to what there is to
// report before its first record.
func (r *Reader) begin() error {
	in := &r.cur.In
	if err := in.Decompress(r.cur.Options.MaxUnpackedBytes); err != nil {
		return err
	}
	if name := in.ForeignEncoding(); name != "" {
		r.preface = r.foreign(name)
		return nil
	}
	mark := in.StartsWith(input.ByteOrderMark)
	at := in.Pos
	if mark {
		in.Skip(len(input.ByteOrderMark))
	}
	r.detect()
	if mark {
		r.preface = r.cur.NewGap(input.ByteOrderMark, at, value.Fault{
			Kind: ByteOrderMark, End: len(input.ByteOrderMark), Detail: "found a byte order mark (U+FEFF), which JSON does without",
		})
	}
	return nil
}

// detect chooses what Next reads from.
func (r *Reader) detect() {
	d := detector{&r.cur}
	r.cur.Mode = d.detect()
	r.form = r.cur.Mode
	if e := r.cur.Options.Embedding; e != nil && !r.cur.In.IsNested {
		r.form = e.Unwrap(&r.cur)
	}
}

// wraps reports whether records are known to be wrapped in objects.
func (r *Reader) wraps() bool {
	u, ok := r.form.(Unwrapper)
	return ok && u.Wraps()
}

// foreign reports an input in another encoding, of which nothing can be read.
func (r *Reader) foreign(name string) *Record {
	c := &r.cur
	r.form = emptyReader{}
	if c.Form == FormAuto {
		c.Form = FormJSONL
	}
	head := c.In.Unread()[:2]
	return c.NewGap(head, c.In.Pos, value.Fault{
		Kind: InvalidUTF8, End: len(head), Detail: "the input is " + name + ", expected UTF-8; nothing of it was read",
	})
}

// emptyReader reads nothing.
type emptyReader struct{}

func (emptyReader) Next() (*Record, error) { return nil, io.EOF }

// last is what comes of an error that ends the reading. Data that grow without
// measure are no failure of the source but a fault of the input, as a record
// that is too large: it is told where the reading ends.
func (r *Reader) last(err error) (*Record, error) {
	r.err = err
	if err == io.EOF {
		return nil, err
	}
	var grown *input.ExpansionError
	var at *input.ReadError
	if !errors.As(err, &grown) || !errors.As(err, &at) {
		return nil, err
	}
	r.err = io.EOF
	return r.cur.NewGap(nil, at.At, value.Fault{Kind: value.RecordTooLarge, Detail: grown.Error()}), nil
}

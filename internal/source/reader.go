package source

import (
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Reader cuts an input into records.
type Reader struct {
	options Options
	in      input
	scan    value.Scanner
	form    Form
	wrap    envelopeDecoder
	mode    recordReader // how the input is packed; nil before anything was read
	err     error
	preface *Record // to be returned before what mode gives, or nil

	documents documentReader // memory for mode
	array     array          // memory for what is read of documents

	origin       *sourceMap // of the text that is read; nil for the input itself
	index        int        // of the next record
	conversation int        // of the next record
	record       Record
	strayed      bool   // a separator between values was reported
	told         bool   // that the records are Python literals was reported
	kept         []byte // bytes of a record that are no longer in the input's buffer
	effort       int64  // bytes looked at for the sake of recovery
	shown        int64  // up to which offset Ahead returned text
}

// mode gives the records of one recorded form.
type recordReader interface {
	next() (*Record, error)
}

// NewReader makes a reader of an input, plain or compressed with gzip or zstd.
// It reads nothing before the first call of Next.
func NewReader(src io.Reader, options Options) *Reader {
	options = options.withDefaults()
	return &Reader{
		options: options, in: newInput(src), scan: value.Scanner{MaxDepth: options.MaxDepth},
		form: options.Form, conversation: -1, wrap: newWrapping(options.Form),
	}
}

// keptBuffer is how large a buffer may be, in bytes, to be used for the next
// input, too. One that was made small for a short input is not: how much of an
// input is there at once must not hang on the one before.
const keptBuffer = 1 << 20

// Reset makes the reader read another input, with the same options. It uses
// the reader's memory again: what Next returned before is no longer valid.
func (r *Reader) Reset(src io.Reader) {
	if ahead, ok := r.in.src.(*unpackedAhead); ok {
		ahead.stop()
	}
	in := newInput(src)
	if size := len(r.in.buf); size >= bufferSize && size <= keptBuffer {
		in.buf = r.in.buf
	}
	*r = Reader{options: r.options, in: in, scan: r.scan.Reuse(), form: r.options.Form, conversation: -1, wrap: newWrapping(r.options.Form), kept: r.kept[:0]}
}

// Form is the recorded form of the input. It is known after the first Next;
// but an object over several lines is taken for the first of several until
// the input ends, because waiting would hold back its record.
func (r *Reader) Form() Form { return r.form }

// Next returns the next record, or io.EOF at the end of the input. The record
// is valid until the next call. An error other than io.EOF is the input's own,
// with where it happened; it comes after all records that could be read, and
// again from every later call.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	rec, err := r.next()
	if err != nil {
		return r.last(err)
	}
	return rec, nil
}

func (r *Reader) next() (*Record, error) {
	if r.mode == nil {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	if rec := r.preface; rec != nil {
		r.preface = nil
		return rec, nil
	}
	if r.wrap.kind == noWrapper {
		return r.mode.next()
	}
	return r.wrap.next(r)
}

// begin finds out how the input is packed, and tells in r.preface what there is
// to tell before its first record.
func (r *Reader) begin() error {
	if err := r.in.decompress(r.options.MaxUnpackedBytes); err != nil {
		return err
	}
	if name := r.in.foreignEncoding(); name != "" {
		r.preface = r.foreign(name)
		return nil
	}
	if !r.in.startsWith(byteOrderMark) {
		r.mode = r.detect()
		return nil
	}
	at := r.in.pos
	r.in.skip(len(byteOrderMark))
	r.mode = r.detect()
	r.preface = r.newBetween(byteOrderMark, at, value.Fault{
		Kind: ByteOrderMark, End: len(byteOrderMark), Detail: "found a byte order mark (U+FEFF), which JSON does without",
	})
	return nil
}

// packed notes how the input is packed. Python literals are a form of their own.
func (r *Reader) packed(form Form) {
	if !r.scan.Python && r.wrap.kind != sessionWrapper {
		r.form = form
	}
}

// foreign reports an input in another encoding, of which nothing can be read.
func (r *Reader) foreign(name string) *Record {
	r.mode = emptyReader{}
	if r.form == FormAuto {
		r.form = FormJSONL
	}
	head := r.in.unread()[:2]
	return r.newBetween(head, r.in.pos, value.Fault{
		Kind: value.InvalidUTF8, End: len(head), Detail: "the input is " + name + ", expected UTF-8; nothing of it was read",
	})
}

// nothing is the mode of an input that is done with.
type emptyReader struct{}

func (emptyReader) next() (*Record, error) { return nil, io.EOF }

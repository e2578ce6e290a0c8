package source

import (
	"cmp"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

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

// NoteChecked notes that all records that Next returned were checked.
func (r *Reader) NoteChecked() { r.cur.hasRecord = false }

// SkippedTo returns, while the source is read, an offset up to which no record begins but
// those before the last NoteChecked. It is 0 if none is known: not within a line either, so
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

// The limits of the zero Options.
const (
	DefaultMaxRecordBytes = 256 << 20 // bytes
	DefaultMaxDepth       = 512       // nested arrays and objects
)

// Options say how an input is to be read. The zero value detects everything.
type Options struct {
	Form           Form  // FormAuto detects
	MaxRecordBytes int64 // 0 means DefaultMaxRecordBytes
	MaxDepth       int   // 0 means DefaultMaxDepth

	// MaxUnpackedBytes is how many bytes of a compressed input are unpacked
	// without a limit on its expansion. Beyond them, one that has expanded by more
	// than input.MaxRatio ends with the problem ExpansionTooLarge. 0 means
	// input.DefaultMaxUnpackedBytes.
	MaxUnpackedBytes int64

	// Name is the name of the input, which decides how it is read if Form is
	// FormAuto, see [NamingOf].
	Name string

	// AnyName is set for an input that is known to have records: it is read although its name
	// is that of program code.
	AnyName bool

	// Live is set for the log of a connection that is open: no frame waits for the
	// next one, so that one that is torn is not taken for the end of the input.
	Live bool

	// EachSeparator is set for a program that removes what separates records: each is a
	// problem, not only the first.
	EachSeparator bool

	// Detect returns the meaning of an object. With nil, every object with a role is
	// a record.
	Detect Detector

	// After, if not empty, reads of a text only what follows this text on its line.
	After string

	// Embedded returns the reader of the forms in which records are among others or
	// other text, FormText and FormHAR. Package text provides it. With nil, an input is
	// read as data.
	Embedded func(*Cursor) RecordReader
}

// Meaning returns what Detect does.
func (o *Options) Meaning(object *value.Node) Meaning {
	switch {
	case object == nil:
		return Foreign
	case o.Detect != nil:
		return o.Detect(object)
	case object.Member(roleKey) != nil:
		return Plain
	}
	return Foreign
}

// Form is the recorded form of an input: how it contains its records.
type Form string

// The recorded forms. FormAuto detects the form from the content.
const (
	FormAuto   Form = ""
	FormJSON   Form = "json"   // exactly one JSON text: an array, an envelope or one object
	FormJSONL  Form = "jsonl"  // one record per line, or concatenated records with any line breaks
	FormPython Form = "python" // Python literals, as print writes them: concatenated records, or lists of them
	FormSSE    Form = "sse"    // server-sent events, with a record in each

	FormText Form = "text" // records among other text: the lines of a log, a page, the output of a notebook
	FormHAR  Form = "har"  // a browser's traffic: the frames of each WebSocket, and the bodies that contain records

	// FormSessionLog is a log of a connection: one frame per line, with its
	// direction.
	FormSessionLog Form = "session-log"
)

// Forms lists the forms that an input can have, the most common first.
func Forms() []Form {
	return []Form{FormJSON, FormJSONL, FormPython, FormSSE, FormSessionLog, FormText, FormHAR}
}

// Naming is how strictly an input is read, as its name says.
type Naming uint8

// The namings.
const (
	OtherName Naming = iota // the first bytes of the input decide between data and text
	DataName                // every line counts
	TextName                // lines without a record are skipped
	CodeName                // the input is not read, unless its form is given
)

// Stdin is the name of standard input, which is data.
const Stdin = "<stdin>"

// The extensions of names, in lower case.
var (
	dataExtensions = []string{".json", ".jsonl", ".ndjson", ".sse", ".har"}
	textExtensions = []string{".log", ".txt", ".md", ".mdx", notebookExtension}
	codeExtensions = []string{
		".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".scala", ".swift", ".cs", ".c", ".h", ".cc",
		".cpp", ".hpp", ".rb", ".php", ".pl", ".lua", ".sh", ".bash", ".zsh", ".ps1", ".sql", ".yaml", ".yml", ".toml",
	}
)

const notebookExtension = ".ipynb"

// NamingOf returns how an input of that name is read. The extension of a compressed
// file is ignored.
func NamingOf(name string) Naming {
	extension := extensionOf(name)
	switch {
	case name == Stdin, slices.Contains(dataExtensions, extension):
		return DataName
	case slices.Contains(textExtensions, extension):
		return TextName
	case slices.Contains(codeExtensions, extension):
		return CodeName
	}
	return OtherName
}

// extensionOf returns the extension of a name in lower case, without that of a
// compression.
func extensionOf(name string) string {
	name = strings.ToLower(name)
	for _, compression := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compression)
	}
	return path.Ext(name)
}

// IsNotebook reports whether the name of the input is that of a Jupyter notebook.
func (o *Options) IsNotebook() bool { return extensionOf(o.Name) == notebookExtension }

// IsDocument reports whether the name of the input is that of a human-readable document,
// such as README.md. Such a document shows records as programs print them, so that
// Python literals in it are not reported.
func (o *Options) IsDocument() bool {
	extension := extensionOf(o.Name)
	return extension == ".md" || extension == ".mdx" || extension == notebookExtension
}

// UnreadError reports an input that is not read because of what it is.
type UnreadError struct{ why string }

// Error implements the interface error.
func (e *UnreadError) Error() string { return e.why }

// IsCode reports whether only the name is that of another thing, see [Options.AnyName].
func (e *UnreadError) IsCode() bool { return e == errCode }

var (
	errCode = &UnreadError{"its name is that of program code: to read the records in it, pass --form text"}
	errTar  = &UnreadError{"it is a tar archive: unpack it first"}
	errZip  = &UnreadError{"it is a zip archive: unpack it first"}
)

// Meaning is what an object is to the protocols of the input.
type Meaning uint8

// The meanings.
const (
	Foreign Meaning = iota // no record
	Other                  // a record of another protocol, so that no record is inside it
	WeakOld                // as Weak, of an old version of the protocol
	Weak                   // a record beside others of the input, and by itself possibly one of another protocol
	Old                    // as Plain, of an old version of the protocol
	Plain                  // certainly a record
	Whole                  // certainly a record, if it is not inside another object
)

// IsCertain reports whether an object that may be inside another one is a record.
func (m Meaning) IsCertain() bool { return m == Old || m == Plain }

// Detector returns the meaning of an object.
type Detector func(object *value.Node) Meaning

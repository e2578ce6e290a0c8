package source

import (
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

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

	// IsRecord reports whether an object among other text, as in a log or in
	// Markdown, is a record of the input. An object that cannot be parsed has only
	// its Data. Nil accepts every object.
	IsRecord func(*Record) bool

	// Embedding detects and reads the forms in which records are embedded in other
	// text. With nil, only the plain forms are detected.
	Embedding Embedding
}

// Accepts reports whether an object among other text is a record.
func (o *Options) Accepts(r *Record) bool { return o.IsRecord == nil || o.IsRecord(r) }

// withDefaults replaces zeros with the defaults, and caps the limits.
func (o Options) withDefaults() Options {
	if o.MaxRecordBytes <= 0 {
		o.MaxRecordBytes = DefaultMaxRecordBytes
	}
	o.MaxRecordBytes = min(o.MaxRecordBytes, 1<<30)
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	o.MaxDepth = min(o.MaxDepth, value.MaxDepth)
	if o.MaxUnpackedBytes <= 0 {
		o.MaxUnpackedBytes = input.DefaultMaxUnpackedBytes
	}
	return o
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

	FormLog      Form = "log"      // lines of a log, with a prefix before each record; other lines contain none
	FormMarkdown Form = "markdown" // a document, with or without markup; a record begins on its own line
	FormNotebook Form = "notebook" // a Jupyter notebook: the output of its cells, read like Markdown
	FormHAR      Form = "har"      // a browser's traffic: the frames of each WebSocket, and the bodies that contain records

	// FormSessionLog is a log of a connection: one frame per line, with its
	// direction.
	FormSessionLog Form = "session-log"
)

// Forms lists the forms that an input can have, the most common first.
func Forms() []Form {
	return []Form{FormJSON, FormJSONL, FormPython, FormSSE, FormSessionLog, FormLog, FormMarkdown, FormNotebook, FormHAR}
}

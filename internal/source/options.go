package source

import (
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Limits that a zero Options stands for.
const (
	DefaultMaxRecordBytes = 256 << 20 // bytes
	DefaultMaxDepth       = 512       // nested arrays and objects
)

// Options say how an input is to be read. The zero value detects everything.
type Options struct {
	Form           Form  // FormAuto detects
	MaxRecordBytes int64 // 0 means DefaultMaxRecordBytes
	MaxDepth       int   // 0 means DefaultMaxDepth

	// MaxUnpackedBytes is how much of a compressed input is read however far it
	// grows; after that, the reading of one that grows by more than MaxRatio
	// ends with a RecordTooLarge. 0 means DefaultMaxUnpackedBytes.
	MaxUnpackedBytes int64

	// Own reports whether an object that is among other text, as in a log or
	// on a page, is a record of the input. Of one that cannot be read there is
	// only the Data. Nil takes every object.
	IsRecord func(*Record) bool

	// Embedding recognizes the forms in which records are embedded in something
	// else. Nil recognizes the plain forms alone.
	Embedding Embedding
}

// Owns reports whether an object among other text is a record.
func (o *Options) Owns(r *Record) bool { return o.IsRecord == nil || o.IsRecord(r) }

// withDefaults fills in what was omitted, and keeps to the fixed limits.
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

// Form is the recorded form of an input: how its records are packed.
type Form string

// The recorded forms. FormAuto asks the reader to find out by content.
const (
	FormAuto   Form = ""
	FormJSON   Form = "json"   // exactly one JSON text: an array, an envelope or one object
	FormJSONL  Form = "jsonl"  // a record a line, or records one after another on shared or several lines
	FormPython Form = "python" // Python literals, as print writes them: records one after another, or lists of them
	FormSSE    Form = "sse"    // server-sent events, with a record in each

	FormLog      Form = "log"      // lines of a log, with a prefix before each record; other lines contain none
	FormMarkdown Form = "markdown" // a page of text, with or without markup; a record begins on a line of its own
	FormNotebook Form = "notebook" // a Jupyter notebook: what its cells printed, read like a page
	FormHAR      Form = "har"      // a browser's traffic: the frames of each WebSocket, and the bodies that contain records

	// FormSessionLog is a log of a connection: a frame a line, with who sent it.
	FormSessionLog Form = "session-log"
)

// Forms lists the forms that an input can have, the most common first.
func Forms() []Form {
	return []Form{FormJSON, FormJSONL, FormPython, FormSSE, FormSessionLog, FormLog, FormMarkdown, FormNotebook, FormHAR}
}

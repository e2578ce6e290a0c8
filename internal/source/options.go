package source

import "github.com/lmclint/lmclint/internal/source/value"

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

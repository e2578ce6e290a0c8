// Package assemble makes the messages that a real consumer of a stream stores.
//
// An [Assembler] emulates a [Consumer] record by record, and reports a
// [Deviation] for each record that the consumer mishandles.
package assemble

import (
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// Consumer is a program that builds messages from chunks.
type Consumer string

// The consumers that an Assembler can emulate.
const (
	// Interpreter is Open Interpreter itself, as it stores what it streams:
	// _respond_and_store in core.py, and what respond.py rewrites.
	Interpreter Consumer = "interpreter"
	// Server is the WebSocket server, as it stores what it receives: input and
	// accumulate in async_core.py. It stores its own frames in a session as the
	// interpreter does.
	Server Consumer = "server"
)

// Consumers lists the consumers.
func Consumers() []Consumer { return []Consumer{Interpreter, Server} }

// Options are what an Assembler emulates.
type Options struct {
	As Consumer
	schema.StorageRules

	// AutoRun is set if the stream was recorded without confirmations.
	AutoRun bool
	// ContinueAfterCrash skips a record at which the consumer would stop.
	ContinueAfterCrash bool
}

// DeviationKind is what a consumer does to a record that it mishandles.
type DeviationKind string

// The kinds of deviations.
const (
	Lost             DeviationKind = "lost"   // not stored
	Merged           DeviationKind = "merged" // appended to an unrelated message
	Split            DeviationKind = "split"  // stored as two messages instead of one
	StoredNonMessage DeviationKind = "stored" // stored although it is not a message
	Crash            DeviationKind = "crash"  // the consumer raises an exception
)

// Deviation is a record that a consumer mishandles.
type Deviation struct {
	Kind    DeviationKind
	Place   source.Place // of the record
	Message string       // one line, without the place
}

// Assembler builds the messages that a consumer stores from a stream. It keeps
// the few messages that the consumer may still change, and emits the others as
// JSON.
type Assembler struct {
	options       Options
	consume       func(*lmc.Record) error // emulates the consumer; an error is an exception that it raises
	leave         func()                  // emulates the end of the stream
	emitDeviation func(Deviation)
	emit          func(message []byte)
	open          []*assembled // the last messages, which are not emitted yet
	json          []byte
}

// exception is the text of an exception that a consumer raises.
type exception string

func (r exception) Error() string { return string(r) }

// New returns an Assembler. It passes each message to emit when nothing can
// change it any more, as json.dumps writes it; the bytes are valid during the
// call. It passes deviations to emitDeviation.
func New(options Options, emit func(message []byte), emitDeviation func(Deviation)) *Assembler {
	a := &Assembler{options: options, emit: emit, emitDeviation: emitDeviation}
	own := &interpreterStore{a: a}
	a.consume, a.leave = own.add, own.leave
	if options.As == Server {
		a.consume = (&serverStore{a: a, own: own}).add
	}
	return a
}

// Add passes one record to the consumer. It reports false if the consumer has crashed
// and reads no further record; the server answers with an error frame and continues.
func (a *Assembler) Add(r *lmc.Record) bool {
	err := a.consume(r)
	if err == nil {
		return true
	}
	a.report(Crash, r, err.Error())
	return a.options.As == Server || a.options.ContinueAfterCrash
}

// Binary follows a binary frame.
func (a *Assembler) Binary(src *source.Record) {
	m := Deviation{Kind: Lost, Place: src.Place(), Message: "binary frame skipped"}
	if a.options.As == Server && src.Direction != source.Received {
		m.Kind, m.Message = Crash, "TypeError: a bytes-like object is required, not 'str'"
	}
	a.emitDeviation(m)
}

// Finish emits the remaining messages.
func (a *Assembler) Finish() {
	a.leave()
	for len(a.open) > 0 {
		a.flushOldest()
	}
}

// last returns the last message, or nil.
func (a *Assembler) last() *assembled {
	if len(a.open) == 0 {
		return nil
	}
	return a.open[len(a.open)-1]
}

// maxOpen is the maximum number of open messages: commands that were never
// removed, and the message before them.
const maxOpen = 64

// push appends a message, and emits those that can no longer change.
func (a *Assembler) push(m *assembled) {
	a.open = append(a.open, m)
	for len(a.open) > maxOpen || len(a.open) > 2 && !a.open[1].isCommand() {
		a.flushOldest()
	}
}

func (a *Assembler) flushOldest() {
	a.json = a.open[0].appendJSON(a.json[:0])
	a.open = a.open[1:]
	a.emit(a.json)
}

func (a *Assembler) report(kind DeviationKind, r *lmc.Record, message string) {
	a.emitDeviation(Deviation{Kind: kind, Place: r.Place(), Message: message})
}

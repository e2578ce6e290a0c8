// Package assemble makes the messages that a real consumer of a stream stores.
//
// An [Assembler] emulates a [Consumer] record by record, and reports a
// [Deviation] for each record that the consumer mishandles.
package assemble

import (
	"errors"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Consumer is a program that makes messages of chunks.
type Consumer string

// The consumers whose rules are known.
const (
	// Interpreter is Open Interpreter itself, as it stores what it streams:
	// _respond_and_store in core.py, and what respond.py rewrites.
	Interpreter Consumer = "interpreter"
	// Server is the WebSocket server, as it stores what it receives: input and
	// accumulate in async_core.py. Its own frames in a session it stores as the
	// interpreter that it is.
	Server Consumer = "server"
	// DocsJS is the example of the documents, processChunk in JavaScript.
	DocsJS Consumer = "docs-js"
)

// Consumers lists the consumers.
func Consumers() []Consumer { return []Consumer{Interpreter, Server, DocsJS} }

// Assembly says how messages are to be made.
type Options struct {
	As Consumer
	StorageRules

	// AutoRun says that the stream was recorded without confirmations.
	AutoRun bool
	// GoOn passes over a record at which the consumer would stop.
	ContinueAfterCrash bool
}

// StorageRules is how the interpreter of a dialect stores what it streams.
type StorageRules struct {
	MaxOutput           int    // code points of a console message that are kept; 0 keeps all
	CutNotice           string // what stands before cut output, with %d for the number kept
	EmptyConsole        bool   // an empty console message is stored at each confirmation
	AppendsToAnyMessage bool   // output behind an active_line goes to the last message, whatever that is
	Rewrites            bool   // code is rewritten before it runs, and a note becomes a message
}

// MishapKind says what happens to a record in a consumer.
type MishapKind string

// The kinds of mishaps.
const (
	Lost             MishapKind = "lost"   // it is not stored
	Merged           MishapKind = "merged" // it is appended to an unrelated message
	Split            MishapKind = "split"  // what belongs together becomes two messages
	StoredNonMessage MishapKind = "stored" // it becomes a message, and is none
	Crash            MishapKind = "crash"  // the consumer fails at it
)

// Mishap is something that a consumer does to a record and should not.
type Deviation struct {
	Kind    MishapKind
	Place   source.Place // of the record
	Message string       // one line, without the place
}

// ErrStopped says that the consumer has failed and reads no more.
var ErrStopped = errors.New("the consumer stopped")

// Assembler makes the messages that a consumer of a stream ends up with. It
// keeps the few messages that the consumer may still change, and hands over
// the others as JSON.
type Assembler struct {
	assembly Options
	rules    consumer
	tell     func(Deviation)
	emit     func(message []byte) error
	open     []*assembled // the last messages, not handed over yet
	err      error
	json     []byte
}

// consumer follows the rules of one consumer. An error is what it raises.
type consumer interface {
	add(r *lmc.Record) error
	finish()
}

// raised is what a consumer raises, in its own words.
type exception string

func (r exception) Error() string { return string(r) }

// NewAssembler makes an assembler. Emit gets each message once nothing can
// change it any more, as json.dumps would write it; the bytes are good during
// the call. Tell gets the mishaps.
func New(assembly Options, emit func(message []byte) error, tell func(Deviation)) *Assembler {
	a := &Assembler{assembly: assembly, emit: emit, tell: tell}
	switch assembly.As {
	case Server:
		a.rules = newServerStore(a)
	case DocsJS:
		a.rules = &docsStore{a: a}
	default:
		a.rules = &interpreterStore{a: a}
	}
	return a
}

// Add follows one record. It returns emit's error, or ErrStopped where the
// consumer reads no more.
func (a *Assembler) Add(r *lmc.Record) error {
	if err := a.rules.add(r); err != nil {
		a.mishap(Crash, r, err.Error())
		if a.stops() {
			return ErrStopped
		}
	}
	return a.err
}

// stops reports whether a consumer that has failed reads no more. The server
// answers with an error frame, and goes on.
func (a *Assembler) stops() bool { return a.assembly.As != Server && !a.assembly.ContinueAfterCrash }

// Unreadable says that a record could not be read, and why.
func (a *Assembler) Unreadable(src *source.Record, why string) {
	a.tell(Deviation{Kind: Lost, Place: src.Place(), Message: "the record cannot be read: " + why})
}

// Finish hands over what is left.
func (a *Assembler) Finish() error {
	a.rules.finish()
	for len(a.open) > 0 {
		a.flushOldest()
	}
	return a.err
}

// last is the last message, nil if there is none.
func (a *Assembler) last() *assembled {
	if len(a.open) == 0 {
		return nil
	}
	return a.open[len(a.open)-1]
}

// maxOpen is how many messages are kept at most: commands that were never
// taken off, and the message before them.
const maxOpen = 64

// push appends a message, and hands over those that nobody can change now.
func (a *Assembler) push(m *assembled) {
	a.open = append(a.open, m)
	for len(a.open) > maxOpen || len(a.open) > 2 && !a.open[1].isCommand() {
		a.flushOldest()
	}
}

// pop takes the last message off.
func (a *Assembler) pop() { a.open = a.open[:len(a.open)-1] }

func (a *Assembler) flushOldest() {
	a.json = a.open[0].appendJSON(a.json[:0])
	a.open = a.open[1:]
	if a.err == nil {
		a.err = a.emit(a.json)
	}
}

func (a *Assembler) mishap(kind MishapKind, r *lmc.Record, message string) {
	a.tell(Deviation{Kind: kind, Place: r.Place(), Message: message})
}

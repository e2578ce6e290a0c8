package convert

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// MismatchError reports output from which lmclint would read other records than
// were written. Some records look like something else in some place, such as a
// list at the start of JSON Lines, which would be a whole conversation.
type MismatchError struct {
	Record int    // number of the record in the output, from 0
	Read   string // what would be read there
}

// Error implements the interface error.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("record %d would be read from the output as %s: it cannot be written in this form", e.Record, e.Read)
}

// verifier reads what is written while it is written, and compares its records
// with those that were meant. Its goroutine ends with the output.
type verifier struct {
	pipe *io.PipeWriter
	done chan error
	seed maphash.Seed

	mu       sync.Mutex
	expected []expectedRecord // that were not read yet, from index read on
	read     int

	conversation int  // of the last expected record, from 1
	begins       bool // the next one begins another
}

// expectedRecord is what the reader must find.
type expectedRecord struct {
	sum          uint64
	conversation int
}

// newVerifier returns a verifier of what is written to it.
func newVerifier(options source.Options) *verifier {
	r, w := io.Pipe()
	v := &verifier{pipe: w, done: make(chan error, 1), seed: maphash.MakeSeed()}
	options.Form = source.FormAuto
	go func() {
		err := v.all(text.NewReader(r, options))
		_ = r.CloseWithError(err) // never fails
		v.done <- err
	}()
	return v
}

// begin notes that a conversation begins.
func (v *verifier) begin() { v.begins = true }

// expect notes a record before it is written.
func (v *verifier) expect(r *source.Record) {
	if v.begins {
		v.conversation, v.begins = v.conversation+1, false
	}
	v.mu.Lock()
	v.expected = append(v.expected, expectedRecord{v.sum(r), v.conversation})
	v.mu.Unlock()
}

// next returns the next expected record, with its number.
func (v *verifier) next() (e expectedRecord, number int, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	number = v.read
	if len(v.expected) == 0 {
		return e, number, false
	}
	e, v.expected = v.expected[0], v.expected[1:]
	v.read++
	return e, number, true
}

// Write implements [io.Writer]. It fails once a record was read that was not meant.
func (v *verifier) Write(b []byte) (int, error) { return v.pipe.Write(b) }

// finish ends the output, and returns what differs.
func (v *verifier) finish() error {
	_ = v.pipe.Close() // never fails
	return <-v.done
}

// abandon ends the goroutine of an output that is not written to its end.
func (v *verifier) abandon(err error) {
	_ = v.pipe.CloseWithError(err) // never fails
	<-v.done                       //nolint:errcheck // the output is incomplete in any case
}

// all reads the records of the output, and compares them.
func (v *verifier) all(reader *source.Reader) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("internal error: %v", value)
		}
	}()
	ordinals := map[int]int{} // of conversations, by their number
	for {
		r, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if r.IsGap {
			if r.IsLost() {
				return &MismatchError{v.read, "something else: " + r.Problems[0].Detail}
			}
			continue
		}
		if _, known := ordinals[r.Conversation]; !known {
			ordinals[r.Conversation] = len(ordinals) + 1
		}
		if err := v.compare(r, ordinals[r.Conversation]); err != nil {
			return err
		}
	}
	if _, number, more := v.next(); more {
		return &MismatchError{number, "nothing"}
	}
	return nil
}

func (v *verifier) compare(r *source.Record, conversation int) error {
	e, number, ok := v.next()
	switch {
	case !ok:
		return &MismatchError{number, "two records"}
	case r.Root == nil && !r.Binary:
		return &MismatchError{number, "something invalid: " + r.Problems[0].Detail}
	case conversation != e.conversation:
		return &MismatchError{number, "part of another conversation"}
	case v.sum(r) != e.sum:
		return &MismatchError{number, "another record"}
	}
	return nil
}

// sum returns a hash of what must be kept of a record: all its values, exactly,
// the order of its keys, and who sent it.
func (v *verifier) sum(r *source.Record) uint64 {
	var h maphash.Hash
	h.SetSeed(v.seed)
	_ = h.WriteByte(byte(r.Direction))
	if r.Binary {
		hashText(&h, binaryText(r))
	} else {
		hashValue(&h, r.Root, r)
	}
	return h.Sum64()
}

func hashValue(h *maphash.Hash, n *source.Node, r *source.Record) {
	_ = h.WriteByte(byte(n.Kind))
	switch n.Kind {
	case source.Object, source.Array:
		maphash.WriteComparable(h, len(n.Children))
		for i := range n.Children {
			child := &n.Children[i]
			if n.Kind == source.Object {
				hashText(h, appendName(nil, r.Data[child.NameStart:child.NameEnd], r.Python))
			}
			hashValue(h, child, r)
		}
	case source.String:
		hashText(h, n.AppendExact(nil))
	case source.Number:
		hashText(h, n.Raw())
	case source.Bool:
		maphash.WriteComparable(h, n.Value() == true)
	}
}

func hashText(h *maphash.Hash, text []byte) {
	maphash.WriteComparable(h, len(text))
	_, _ = h.Write(text)
}

package convert

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/schema"
)

// restored reports the messages of a transcript that a consumer does not store
// when it gets them as chunks.
type restored struct {
	c         *conversion
	assembler *assemble.Assembler // the consumer, which gets the chunks
	scan      value.Scanner
	expected  []expectedMessage // that the consumer has not stored yet
}

// expectedMessage is a message in a normal form, with its record's place.
type expectedMessage struct {
	text string
	at   *source.Record
}

// maxExpected is how many messages a consumer may have received before it stores
// the first of them.
const maxExpected = 128

func newRestored(c *conversion, dialect *schema.Dialect, session bool) *restored {
	s := &restored{c: c, scan: value.Scanner{MaxDepth: value.MaxDepth}}
	o := assemble.Options{As: assemble.Interpreter, StorageRules: dialect.StorageRules, AutoRun: c.options.AutoRun, ContinueAfterCrash: true}
	if session {
		o.As = assemble.Server
	}
	s.assembler = assemble.New(o, s.emit, func(assemble.Deviation) {})
	return s
}

// expect notes a message before its chunks.
func (s *restored) expect(r *source.Record) {
	s.expected = append(s.expected, expectedMessage{normal(r), r})
	s.miss(max(0, len(s.expected)-maxExpected))
}

// emit finds a message that the consumer stores. Those before it were not stored.
func (s *restored) emit(message []byte) {
	v := s.scan.Scan(message, true)
	if v.Stop != nil {
		return // a message that cannot be read is not expected
	}
	text := normal(&source.Record{Data: message, Root: v.Root})
	at := slices.IndexFunc(s.expected, func(e expectedMessage) bool { return e.text == text })
	if at >= 0 {
		s.miss(at)
		s.expected = s.expected[1:]
	}
}

// miss reports the first messages that are expected.
func (s *restored) miss(n int) {
	for _, e := range s.expected[:n] {
		s.c.lose(Kept, e.at, "a consumer of these chunks stores another message")
	}
	s.expected = s.expected[n:]
}

// normal returns the members of an object in the order of their names, with
// strings in a normal form.
func normal(r *source.Record) string {
	var members []string
	for i := range r.Root.Children {
		n := &r.Root.Children[i]
		w := textWriter{data: r.Data, from: r.Python, normal: true}
		w.out = append(assemble.AppendASCII(nil, []byte(n.Name)), ": "...)
		w.value(n)
		members = append(members, string(w.out))
	}
	slices.Sort(members)
	return strings.Join(members, ", ")
}

package conformance

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/suite"
)

// part is a record of a stream, or a line without one: its place in the input.
type part struct{ start, end int }

// oneRecordPerLine returns a case as consumers get it: each record on a line of its
// own, without the list or the object around it, and the findings in these lines. It
// returns a stream that already has one record per line unchanged.
func oneRecordPerLine(c *suite.Case, stream []byte) (*suite.Case, []byte) {
	s := splitter{text: stream}
	s.split()
	if !s.changed {
		return c, stream
	}
	var lines []byte
	for _, p := range s.parts {
		text := stream[p.start:p.end]
		compact := new(bytes.Buffer)
		if json.Compact(compact, text) == nil {
			text = compact.Bytes()
		}
		lines = append(append(lines, text...), '\n')
	}
	changed := *c
	changed.Findings = slices.Clone(c.Findings)
	for i := range changed.Findings {
		f := &changed.Findings[i]
		at := offsetOf(stream, f.Line, f.Column)
		f.Line = 1 + max(0, slices.IndexFunc(s.parts, func(p part) bool { return at < p.end }))
		f.Column = 1
	}
	return &changed, lines
}

// offsetOf returns the offset of a line and a column in a text.
func offsetOf(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	for ; column > 1 && at < len(text) && text[at] != '\n'; column-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// splitter finds the records of a stream.
type splitter struct {
	text    []byte
	parts   []part
	changed bool // one of them is not alone on one line
}

func (s *splitter) split() {
	line := -1 // number of line feeds before the end of the last part
	feeds, counted := 0, 0
	feedsTo := func(at int) int {
		feeds += bytes.Count(s.text[counted:at], []byte{'\n'})
		counted = at
		return feeds
	}
	for at := s.skip(0); at < len(s.text); at = s.skip(at) {
		end, ok := s.value(at)
		if !ok {
			end = s.lineEnd(at)
		}
		before := len(s.parts)
		s.add(at, end, ok)
		first := feedsTo(at)
		last := feedsTo(end)
		s.changed = s.changed || first == line || last != first || len(s.parts) != before+1 || s.parts[before] != part{at, end}
		line = last
		at = end
	}
}

func (s *splitter) skip(at int) int {
	for at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n"), s.text[at]) >= 0 {
		at++
	}
	return at
}

func (s *splitter) lineEnd(at int) int {
	if n := bytes.IndexByte(s.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s.text)
}

// value returns the end of the object or list at an offset, and whether there is
// one.
func (s *splitter) value(at int) (end int, ok bool) {
	if s.text[at] != '{' && s.text[at] != '[' {
		return 0, false
	}
	decoder := json.NewDecoder(bytes.NewReader(s.text[at:]))
	var raw json.RawMessage
	if decoder.Decode(&raw) != nil {
		return 0, false
	}
	return at + int(decoder.InputOffset()), true
}

// add adds the records of a value: itself, those of a list, or that in an object
// around it.
func (s *splitter) add(start, end int, isValue bool) {
	if !isValue {
		s.parts = append(s.parts, part{start, end})
		return
	}
	if s.text[start] == '[' {
		for _, element := range s.members(start, end) {
			s.add(element.start, element.end, true)
		}
		return
	}
	if !isRecord(s.text[start:end]) {
		for _, member := range s.members(start, end) {
			value := s.text[member.start:member.end]
			if value[0] == '[' || isRecord(value) {
				s.add(member.start, member.end, true)
				return
			}
		}
	}
	s.parts = append(s.parts, part{start, end})
}

// isRecord reports whether a value is an object with a role or a type.
func isRecord(value []byte) bool {
	var keys struct{ Role, Type json.RawMessage }
	return json.Unmarshal(value, &keys) == nil && (keys.Role != nil || keys.Type != nil)
}

// members returns where the values of a list or an object are.
func (s *splitter) members(start, end int) []part {
	decoder := json.NewDecoder(bytes.NewReader(s.text[start:end]))
	_, _ = decoder.Token() // the bracket: the value was read before
	var parts []part
	for decoder.More() {
		if s.text[start] == '{' {
			_, _ = decoder.Token() // the key
		}
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return nil
		}
		to := start + int(decoder.InputOffset())
		parts = append(parts, part{to - len(raw), to})
	}
	return parts
}

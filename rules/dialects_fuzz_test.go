package rules_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// FuzzLanesOfDialects holds the lanes together under schemas of all kinds: those
// of a dialect to which words were added, of which records are made, and others.
func FuzzLanesOfDialects(f *testing.F) {
	f.Add([]byte{0, 0x41, 0x13, 0x25, 0x37, 0x49, 0x5b}, []byte{0x00, 0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87, 0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe})
	f.Add([]byte{2, 0x14, 0x24, 0x34}, bytes.Repeat([]byte{0x40, 0x41, 0x51, 0x42}, 5))
	f.Add([]byte{5, 0xff, 0xee, 0xdd, 0xcc}, bytes.Repeat([]byte{0x23, 0x34, 0x45, 0x56, 0x07}, 5))
	f.Fuzz(func(t *testing.T, words, mix []byte) {
		if len(words) == 0 {
			return
		}
		names := schema.Names()
		extended := schema.Extension{Name: "fuzzed", Extends: names[int(words[0])%len(names)]}
		for _, word := range words[1:min(len(words), 10)] {
			addWord(&extended, int(word))
		}
		dialects, err := schema.NewDialects(extended)
		if err != nil {
			return
		}
		var records []string
		for at, choice := range mix[:min(len(mix), 60)] {
			records = append(records, recordOf(int(choice), at))
		}
		for _, kind := range []string{"stream", "transcript"} {
			both := newLanes(lint.Config{Dialect: "fuzzed", Kind: kind, Vocabulary: dialects})
			both.agree(t, []byte(strings.Join(append(records, records...), "\n")+"\n"))
			both.agree(t, []byte("["+strings.Join(append(records, records...), ", ")+"]"))
		}
	})
}

// The words of records, and those that a dialect may be given.
var fuzzedWords = struct{ roles, types, formats, keys []string }{
	[]string{"user", "assistant", "computer", "tool", "server"},
	[]string{"message", "code", "console", "image", "confirmation", "plan", "active_line", "status"},
	[]string{"", "output", "python", "active_line", "execution", "base64.png", "rust", "json"},
	[]string{"trace_id", "id", "mood", "index"},
}

// addWord adds the role, key, language or type that a number selects to a dialect.
func addWord(e *schema.Extension, word int) {
	w := &fuzzedWords
	switch word % 4 {
	case 0:
		e.Roles = append(e.Roles, w.roles[word/4%len(w.roles)])
	case 1:
		e.Keys = append(e.Keys, w.keys[word/4%len(w.keys)])
	case 2:
		e.Languages = append(e.Languages, schema.Language{Name: w.formats[1+word/4%7], Aliases: []string{"rs"}})
	case 3:
		e.Types = append(e.Types, schema.ExtensionType{
			Name: w.types[word/4%8], Formats: []string{w.formats[1+word/8%7]}, FormatOptional: word&0x40 != 0,
			Roles: w.roles[word/16%5 : word/16%5+1], Transcript: true, Stream: word&0x80 == 0,
		})
	}
}

// recordOf makes the record that choice selects. Its content also depends on at, its
// index.
func recordOf(choice, at int) string {
	w := &fuzzedWords
	members := []string{fmt.Sprintf("%q: %q", "role", w.roles[(choice/3+choice/64)%len(w.roles)]), fmt.Sprintf("%q: %q", "type", w.types[choice/4%8])}
	if format := w.formats[(choice+choice/32)%8]; format != "" {
		members = append(members, fmt.Sprintf("%q: %q", "format", format))
	}
	texts := []string{`"x"`, `"12"`, `"7"`, `""`, `null`, `3`, `{"type": "code", "format": "python", "content": "x"}`, `"iVBORw0KGgo="`, `"a longer text, \u00fc"`}
	switch choice % 5 {
	case 0:
		members = append(members, `"start": true`)
	case 1:
		members = append(members, `"end": true`)
	default:
		members = append(members, `"content": `+texts[(choice/2+at)%len(texts)])
	}
	if choice&0x18 == 0x18 {
		members = append(members, fmt.Sprintf("%q: %d", w.keys[choice/2%len(w.keys)], at))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

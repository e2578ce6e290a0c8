package redact

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lmclint/lmclint/schema"
)

// words are words that stay.
type words map[string]bool

// Has reports whether a word stays. Case and surrounding space do not matter.
func (w words) Has(word string) bool { return w[strings.ToLower(strings.TrimSpace(word))] }

// add adds the keys and values that a part of a JSON Schema names. Key is that of the part.
func (w words) add(part any, key string) {
	switch part := part.(type) {
	case map[string]any:
		for k, v := range part {
			if key == "properties" {
				w[strings.ToLower(k)] = true
			}
			if k != "examples" {
				w.add(v, k)
			}
		}
	case []any:
		for _, v := range part {
			w.add(v, key)
		}
	case string:
		if key == "enum" || key == "const" {
			w[strings.ToLower(part)] = true
		}
	}
}

// others are what else recordings and what is around them have: media types, directions of
// frames, roles and types that other programs write.
const others = "send sent recv receive received in out incoming outgoing inbound outbound client server tx rx c2s s2c note info open close comment meta base64 stream " +
	"text/plain text/html text/css text/javascript text/markdown text/event-stream application/json application/javascript application/x-javascript application/x-ndjson " +
	"application/wasm application/pdf application/octet-stream image/png image/jpeg image/gif image/svg+xml image/webp " +
	"dir direction from frame frames bytes_base64 text data message payload body opcode binary interrupted time timestamp ts seq chunk chunks messages " +
	"complete done key log entries _websocketmessages request response postdata encoding mimetype version cells outputs nbformat nbformat_minor metadata cell_type output_type source " +
	"ai bot model llm agent human customer function environment stdout stderr result picture png jpg jpeg gif webp wav true false null none nil undefined all command_response"

// vocabulary returns the words of the protocols: those of the published schemas, languages
// and commands.
var vocabulary = sync.OnceValue(func() words {
	w := words{}
	published, _ := schema.Published() // without an error, as they are embedded
	for _, p := range published {
		text, _ := schema.Source(p.Name, p.Folder())
		var s any
		_ = json.Unmarshal(text, &s) // likewise
		w.add(s, "")
	}
	for _, d := range schema.All() {
		for _, language := range d.Languages {
			for _, word := range append(language.Aliases, language.Name) {
				w[strings.ToLower(word)] = true
			}
		}
		for _, word := range slices.Concat(d.Commands, d.Keys, d.NoteFormats) {
			w[word] = true
		}
	}
	for word := range strings.FieldsSeq(others) {
		w[word] = true
	}
	return w
})

// contentKeys are the keys of what people and models write.
var contentKeys = []string{"content", "code", "message", "output", "text", "title", "name", "arguments", "description"}

// stays reports whether the value of a key stays: it is a word of the protocols, and no
// text.
func (r *redactor) stays(key, text string) bool {
	if key == "content" {
		isLine := r.view.Format == "active_line"
		isWord := isLine || slices.Contains([]string{"status", "completion", "command"}, r.view.Type)
		return isWord && vocabulary().Has(text) || isLine && len(text) <= 3
	}
	return !slices.Contains(contentKeys, key) && vocabulary().Has(text)
}

// outside replaces the text around records, and records that cannot be read.
type outside struct {
	*masks
	after []byte // stays
	out   []byte
}

// bareWords stay without quotes: literals, fields of an event stream, and what makes a value
// one of a program.
var bareWords = strings.Fields("true false null True False None NaN Infinity undefined data event id retry return yield ping heartbeat keepalive keep-alive DONE")

var (
	run        = regexp.MustCompile(`^[A-Za-z0-9_][\w.$/+=-]*`)                                      // a word, a media type, a number or base64
	banner     = regexp.MustCompile(`^(?:Connected \(press CTRL\+C to quit\)|Disconnected \(code:)`) // of wscat
	quoteAfter = regexp.MustCompile(`^\\*["'](\s*:)?`)
)

// add adds text around records.
func (o *outside) add(text []byte) {
	for len(o.after) > 0 && bytes.Contains(text, o.after) {
		before, rest, _ := bytes.Cut(text, o.after)
		o.addWords(before)
		o.out, text = append(o.out, o.after...), rest
	}
	o.addWords(text)
}

func (o *outside) addWords(text []byte) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		var word []byte
		if r == '_' || r < utf8.RuneSelf && classOf(r) >= 0 {
			if word = banner.Find(text[at:]); word == nil {
				word = run.Find(text[at:])
			}
		}
		switch {
		case r == '\\':
			size = len(escape.Find(text[at:]))
			o.out = append(o.out, escaped(text[at:at+size])...)
		case word != nil:
			size = len(word)
			o.out = append(o.out, o.word(word, text[at+size:])...)
		case r == utf8.RuneError && size == 1:
			o.out = append(o.out, 0xff)
		default:
			o.out = append(o.out, replace(text[at:at+size], nil, nil)...)
		}
		at += size
	}
}

// word returns what replaces a word before other text.
func (o *outside) word(word, after []byte) []byte {
	quote := quoteAfter.FindSubmatch(after[:min(len(after), 40)])
	inside := bytes.TrimRight(o.out, `"'`)
	isBehindQuote := len(inside) < len(o.out)
	isQuoted := isBehindQuote && quote != nil
	isKey := isQuoted && quote[1] != nil
	inside = bytes.TrimRight(inside, " \t\r\n")
	isMember := isKey && (bytes.HasSuffix(inside, []byte{'{'}) || bytes.HasSuffix(inside, []byte{','}))
	isKnown := vocabulary().Has(string(word)) || isMember && name.Match(word)
	isNamed := isQuoted || bytes.IndexByte(word, '/') > 0 || bytes.HasSuffix(o.out, []byte("event: "))
	isBare := func(bare string) bool { // or its beginning, where the text is cut
		return bare == string(word) || len(bytes.TrimSpace(after)) == 0 && strings.HasPrefix(bare, string(word))
	}
	switch {
	case isKnown && isNamed, len(word) == 1, banner.Match(word), slices.ContainsFunc(bareWords, isBare) && !isBehindQuote:
		return word
	case isKey:
		return replace(word, o.of(string(word)), nil)
	}
	return replace(word, nil, nil)
}

// escape matches an escape, however often it is escaped itself. What follows another
// backslash is a letter as any other.
var escape = regexp.MustCompile(`^\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|["'/bfnrt]?)`)

// escaped returns what replaces an escape: that of an a if it is of a letter.
func escaped(text []byte) []byte {
	with := bytes.Clone(text)
	digits := bytes.TrimLeft(with, `\`)
	number, err := strconv.ParseUint(string(digits[min(1, len(digits)):]), 16, 31)
	if err == nil && len(digits) > 2 && classOf(rune(number)) >= 0 {
		copy(digits[1:], "00000061"[8-(len(digits)-1):])
	}
	return with
}

// Package jsongrammar is the grammar of JSON as a table: texts of RFC 8259, and texts that
// violate one of its productions each.
package jsongrammar

import (
	"fmt"
	"strings"
)

// Case is a text and what the grammar says of it.
type Case struct {
	Name   string // unique, in lower-case letters, digits and hyphens: the production, then what is tried
	Text   string // any bytes
	Reason string // why it is not JSON; "" if it is, or if the grammar leaves it open
	Choice string // what this linter does where the RFC leaves it open; "" elsewhere
}

// Accepted is the choice of a reader that reads the text without a finding.
const Accepted = "accepted"

// Choices about texts that the RFC leaves open, by the problem that is reported.
const (
	invalidUTF8   = "invalid-utf8"
	loneSurrogate = "lone-surrogate"
	byteOrderMark = "bom"
)

// Cases returns the table, in the order of the RFC.
func Cases() []Case {
	var t table
	t.texts()
	t.whitespace()
	t.literals()
	t.objects()
	t.arrays()
	t.numbers()
	t.strings()
	t.escapes()
	t.encoding()
	t.limits()
	return t.cases
}

type table struct {
	section string
	cases   []Case
}

func (t *table) add(name, text, reason, choice string) {
	t.cases = append(t.cases, Case{Name: t.section + "-" + name, Text: text, Reason: reason, Choice: choice})
}

// valid adds texts that are JSON: name, text, name, text.
func (t *table) valid(rows ...string) {
	for i := 0; i < len(rows); i += 2 {
		t.add(rows[i], rows[i+1], "", "")
	}
}

// invalid adds texts that are not JSON for one reason.
func (t *table) invalid(reason string, rows ...string) {
	for i := 0; i < len(rows); i += 2 {
		t.add(rows[i], rows[i+1], reason, "")
	}
}

// open adds texts that the RFC leaves to the reader.
func (t *table) open(choice string, rows ...string) {
	for i := 0; i < len(rows); i += 2 {
		t.add(rows[i], rows[i+1], "", choice)
	}
}

// texts are those of section 2: JSON-text = ws value ws.
func (t *table) texts() {
	t.section = "text"
	t.valid(
		"object", `{}`, "array", `[]`, "number", `42`, "negative", `-0.5`, "string", `"Hi"`, "empty-string", `""`,
		"true", `true`, "false", `false`, "null", `null`, "line-end", "{\"a\": 1}\n", "crlf", "{\"a\": 1}\r\n",
	)
	t.invalid("a text has a value",
		"empty", "", "space", " ", "lines", "\n\n\n", "tab", "\t", "comma", ",", "colon", ":", "mark-only", "\ufeff",
	)
	t.invalid("a text has one value",
		"two-arrays", `[][]`, "array-then-number", `[1]2`, "array-then-string", `[1]"a"`, "object-then-number", `{"a": 1} 2`,
		"array-then-word", `[1]x`, "object-then-word", `{"a": 1} end`, "object-then-hash", `{"a": 1}#`, "array-then-comma", `[1],`,
		"object-then-comma", `{"a": 1},`, "object-then-semicolon", `{"a": 1};`, "array-then-colon", `[1]:`,
	)
	t.invalid("a value begins with one of {[\"-0123456789tfn",
		"word", `value`, "accent", "\u00e9", "star", `*`, "slash", `/`, "backslash", `\`, "escape", `\u0041`, "dollar", `$`, "at", `@`,
		"angle", `<null>`, "parenthesis", `(1)`, "tilde", `~`, "question", `?`, "emoji", "\U0001f600", "percent", `%`, "ampersand", `&null`,
		"plus", `+`, "dot", `.`, "underscore", `_`, "pipe", `|`, "equals", `=1`, "hash", `#`, "exclamation", `!`,
	)
}

// whitespace are the four characters of ws, where it may stand and where not.
func (t *table) whitespace() {
	t.section = "ws"
	for _, c := range []struct{ name, text string }{{"space", " "}, {"tab", "\t"}, {"lf", "\n"}, {"cr", "\r"}, {"all", " \t\r\n \t\r\n"}} {
		t.valid(
			c.name+"-in-object", strings.ReplaceAll(`_{_"a"_:_1_,_"b"_:_[_]_}_`, "_", c.text),
			c.name+"-in-array", strings.ReplaceAll(`_[_1_,_true_,_"x"_,_{_}_]_`, "_", c.text),
		)
	}
	for _, c := range []struct{ name, text string }{
		{"vertical-tab", "\v"},
		{"form-feed", "\f"},
		{"nul", "\x00"},
		{"backspace", "\b"},
		{"delete", "\x7f"},
		{"escape", "\x1b"},
		{"no-break", "\u00a0"},
		{"next-line", "\u0085"},
		{"line-separator", "\u2028"},
		{"em-space", "\u2003"},
		{"ideographic", "\u3000"},
		{"zero-width", "\u200b"},
		{"word-joiner", "\u2060"},
		{"mark-inside", "\ufeff"},
		{"escaped", `\n`},
		{"unicode-escaped", `\u0020`},
	} {
		t.invalid("white space is space, tab, line feed and carriage return",
			c.name+"-before", "[1,"+c.text+"2]", c.name+"-after", "[1"+c.text+",2]",
		)
	}
	t.invalid("a comment is not white space",
		"line-comment", "{\"a\": 1} // one\n", "line-comment-inside", "{\"a\": // one\n1}", "block-comment", `{"a": 1 /* one */}`,
		"block-comment-after", `{"a": 1}/**/`, "block-comment-open", `{"a": 1}/*`, "slash-after", `{"a": 1}/`, "hash-comment", "[1 # one\n]",
		"html-comment", `[1 <!-- one --> ]`, "sql-comment", "[1 -- one\n]", "semicolon-comment", "[1 ; one\n]",
	)
	t.invalid("white space does not divide a token",
		"in-true", `[tr ue]`, "in-null", "[nu\nll]", "in-number", `[1 2]`, "after-minus", `[- 1]`, "before-dot", `[1 .5]`, "after-dot", `[1. 5]`,
		"before-exponent", `[1 e5]`, "in-exponent", `[1e 5]`, "after-sign", `[1e+ 5]`, "in-escape", `["\ u0041"]`, "in-hexadecimal", `["\u00 41"]`,
	)
}

// literals are those of section 3: false, null and true in lower case.
func (t *table) literals() {
	t.section = "literal"
	t.valid("array", `[true, false, null]`, "member", `{"a": null, "b": true, "c": false}`)
	reason := "the literals are false, null and true, in lower case"
	for i, word := range []string{
		"True", "TRUE", "tRue", "tru", "truee", "t", "true1", "true_", "False", "FALSE", "fals", "falsee", "f", "Null", "NULL", "nul", "nulll", "n",
		"nil", "None", "undefined", "yes", "no", "on", "off", "truefalse", "nullnull", "not", "-true", "+null", "NaN", "-NaN", "nan", "Infinity",
		"-Infinity", "+Infinity", "Inf", "inf", "-inf", "INF", "1.#INF", "\uff54rue", "tr\u00fce",
	} {
		t.invalid(reason, fmt.Sprintf("word-%02d", i+1), "["+word+"]")
	}
	t.invalid(reason, "cut-true", `tru`, "cut-false", `[fals`, "cut-null", `{"a": nu`, "two", `[true false]`)
}

// objects are those of section 4.
func (t *table) objects() {
	t.section = "object"
	t.valid(
		"empty", `{ }`, "one", `{"a": 1}`, "two", `{"a": 1, "b": 2}`, "nested", `{"a": {"b": {"c": {}}}}`, "array-inside", `{"a": [{"b": []}]}`,
		"empty-name", `{"": 0}`, "space-name", `{" ": 0}`, "escaped-name", `{"\u0061\n\"": 0}`, "nul-name", `{"a\u0000b": 0}`, "unicode-name", "{\"\u00e9\U0001f600\": 0}",
		"long-name", `{"`+strings.Repeat("n", 1000)+`": 0}`, "duplicate", `{"a": 1, "a": 2}`, "duplicate-same", `{"a": 1, "a": 1}`,
		"case-of-name", `{"a": 1, "A": 2}`, "number-name", `{"1": 1}`, "literal-name", `{"null": null}`, "many", `{`+members(300)+`}`,
	)
	t.invalid("an object is closed",
		"open", `{`, "open-name", `{"a"`, "open-colon", `{"a":`, "open-value", `{"a": 1`, "open-comma", `{"a": 1,`, "open-string", `{"a": "b`,
		"open-in-name", `{"a`, "open-nested", `{"a": {"b": 1}`, "open-twice", `{{`, "open-array", `{[`, "line-end", "{\"a\": 1\n", "by-bracket", `{"a": 1]`,
		"by-parenthesis", `{"a": 1)`, "open-array-inside", `{"a": [1, 2}`,
	)
	t.invalid("what is closed was opened", "close-only", `}`, "close-twice", `{"a": 1}}`, "close-bracket", `{"a": 1}]`, "close-first", `}{`)
	t.invalid("a name is a string",
		"bare-name", `{a: 1}`, "single-quotes", `{'a': 1}`, "back-quotes", "{`a`: 1}", "number", `{1: 1}`, "null", `{null: 1}`, "true", `{true: 1}`, "array", `{[]: 1}`,
		"object", `{{}: 1}`, "name-of-digits", `{1e2: 1}`, "dollar-name", `{$a: 1}`, "emoji-name", "{\U0001f600: 1}", "curly-quotes", "{\u201ca\u201d: 1}", "brackets", `{["a"]: 1}`,
		"no-name", `{: 1}`, "two-names", `{"a" "b": 1}`,
	)
	t.invalid("a colon is between name and value",
		"no-colon", `{"a" 1}`, "no-value", `{"a"}`, "equals", `{"a" = 1}`, "arrow", `{"a" => 1}`, "comma", `{"a", 1}`, "semicolon", `{"a"; 1}`, "two-colons", `{"a":: 1}`,
		"colon-later", `{"a": 1: 2}`, "full-width", "{\"a\"\uff1a 1}", "joined", `{"a""b"}`, "value-missing", `{"a":}`, "value-missing-comma", `{"a":, "b": 1}`,
	)
	t.invalid("a comma is between members",
		"no-comma", `{"a": 1 "b": 2}`, "no-comma-line", "{\"a\": 1\n\"b\": 2}", "semicolon-between", `{"a": 1; "b": 2}`, "two-commas", `{"a": 1,, "b": 2}`, "comma-first", `{, "a": 1}`,
		"comma-last", `{"a": 1,}`, "comma-last-space", `{"a": 1, }`, "commas-last", `{"a": 1,,,}`, "comma-only", `{,}`, "value-only", `{"a": 1, 2}`, "name-last", `{"a": 1, "b"}`,
		"colon-last", `{"a": 1, "b":}`, "two-values", `{"a": 1 2}`, "dots", `{"a": 1, ...}`,
	)
}

func members(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"key%d": %d`, i, i)
	}
	return strings.Join(list, ", ")
}

// arrays are those of section 5.
func (t *table) arrays() {
	t.section = "array"
	t.valid(
		"empty", `[ ]`, "one", `[1]`, "several", `[1, "a", null, true, {}, []]`, "nested", `[[[[]]]]`, "objects", `[{"a": 1}, {"b": [2]}]`, "nulls", `[null, null, null]`,
		"empty-string", `[""]`, "long", `[`+strings.Repeat("0, ", 500)+`0]`, "same", `[1, 1, 1]`, "lines", "[\n1\n,\n2\n]\n",
	)
	t.invalid("an array is closed",
		"open", `[`, "open-value", `[1`, "open-comma", `[1,`, "open-string", `["a`, "open-quote", `["a"`, "open-nested", `[[1]`, "open-object", `[{`, "open-object-value", `[{"a": 1`,
		"open-lines", "[1,\n2,\n", "open-literal", `[true`, "open-number", `[-1`, "by-brace", `[1}`, "by-parenthesis", `[1)`, "by-angle", `[1>`, "open-thrice", `[[[`, "open-apostrophe", `['`,
	)
	t.invalid("what is closed was opened", "close-only", `]`, "close-twice", `[1]]`, "close-brace", `[1]}`, "close-first", `][`, "close-value", `1]`)
	t.invalid("a comma is between values",
		"no-comma", `[1 true]`, "no-comma-strings", `["a" "b"]`, "joined", `["a""b"]`, "no-comma-arrays", `[[1][2]]`, "no-comma-objects", `[{}{}]`, "colon", `["a": 1]`, "semicolon", `[1; 2]`,
		"two-commas", `[1,, 2]`, "comma-first", `[, 1]`, "comma-last", `[1,]`, "comma-last-space", `[1, ]`, "commas-last", `[1,,]`, "comma-only", `[,]`, "comma-after-string", `["a",]`,
		"full-width", "[1\uff0c 2]", "dots", `[1, ..., 3]`, "slash", `[1 / 2]`, "pipe", `[1 | 2]`, "star", `[*]`, "bare-word", `[a]`, "range", `[1..3]`,
	)
}

// numbers are those of section 6: [ minus ] int [ frac ] [ exp ].
func (t *table) numbers() {
	t.section = "number"
	for i, n := range []string{
		"0", "-0", "1", "-1", "9", "10", "123", "-987654321", "0.0", "-0.0", "0.5", "1.25", "10.01", "0e0", "0E0", "0e+0", "0e-0", "1e2", "1E2", "1e+2", "1E+2", "1e-2",
		"1E-2", "1e05", "1e00", "1.5e3", "-1.5e-3", "0.1e1", "12.34E+56", "123456789012345678901234567890", "0.12345678901234567890123456789", "1e-7", "1.7976931348623157e308",
		"9007199254740993", "-9223372036854775809", "18446744073709551616",
	} {
		t.valid(fmt.Sprintf("valid-%02d", i+1), "["+n+"]")
	}
	for _, row := range []struct {
		name, reason, numbers string
	}{
		{"leading-zero", "the integer part has no leading zero", "00 01 -00 -01 012 -012 00.5 01.5 -01.5 01e1 000 0123456789"},
		{"no-integer", "a number has an integer part", "- -. .5 -.5 .0 .e1 -e1 -x .1e-3 --1 ---1 -+1"},
		{"plus", "a number has no plus sign", "+1 +0 +1.5 ++1 +-1 +.5"},
		{"no-fraction", "digits follow the point", "1. 0. -1. 1.e1 0.e+1 1.-5 1.+5 1.x 1..5 1.. 2.E-3"},
		{"no-exponent", "digits follow the exponent", "1e 1E 1e+ 1e- 1E+ 1E- 0e 0e+ 1.5e 1.0e+ 1e.5 1ex 1ee5 1eE5 1e++5 1e+-5 1e--5"},
		{"second-part", "a number has one point and one exponent", "1.2.3 0.1.2 1e5.5 1e5e5 1.5.e5 1e1.0 192.168.0.1"},
		{"digits", "a number is of decimal digits", "0x10 0X1F 0b101 0o17 1F 1f 1L 1n 1d 1u 1_000 1'000 1a 12ab 1.5f 1e5f 0xZ 1% 1\u00b2 \uff11 \u0661 1\uff12 \u2460 1\u00bd 1e\u0665"},
		{"expression", "a number is not an expression", "1+1 1-1 1*2 1/2 2^8 1-- 1- 1+ 5! (5) 1=1 1: 1e5-"},
		{"date", "a number is not a date or time", "2026-11-28 12:30 2026-11-28T12:30:00Z"},
	} {
		for i, n := range strings.Fields(row.numbers) {
			t.invalid(row.reason, fmt.Sprintf("%s-%02d", row.name, i+1), "["+n+"]")
		}
	}
	t.invalid("the integer part has no leading zero", "member-leading-zero", `{"a": 01}`, "alone-leading-zero", `01`)
	t.invalid("a number is of decimal digits", "after-nul", "[1\x00]", "bytes-after", "[1\xff]", "bytes-in-exponent", "[1e1\xe5]", "bytes-after-zero", "[0\xe5]\n")
	t.open(Accepted,
		"huge-exponent", `{"v": 1e400}`, "huge-negative", `{"v": -1e400}`, "tiny", `{"v": 1e-400}`, "exponent-of-many-digits", `{"v": 0.4e00669999999999999999999}`,
		"many-digits", `{"v": `+strings.Repeat("9", 400)+`}`, "many-negative-digits", `{"v": -`+strings.Repeat("9", 400)+`}`, "many-decimals", `{"v": 0.`+strings.Repeat("3", 400)+`}`,
	)
}

// strings are those of section 7, but for escapes.
func (t *table) strings() {
	t.section = "string"
	t.valid(
		"ascii", `["Hi there"]`, "all-ascii", `[" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"]`, "slash", `["a/b"]`, "apostrophe", `["it's"]`,
		"delete", "[\"\x7f\"]", "two-bytes", "[\"\u00e9\u0080\u07ff\"]", "three-bytes", "[\"\u0800\u20ac\uffff\"]", "four-bytes", "[\"\U00010000\U0001f600\U0010ffff\"]",
		"line-separator", "[\"\u2028\u2029\"]", "no-break", "[\"\u00a0\"]", "zero-width", "[\"\u200b\u2060\"]", "mark", "[\"\ufeff\"]", "noncharacters", "[\"\ufffe\uffff\ufdd0\U0001fffe\"]",
		"private", "[\"\ue000\U000f0000\"]", "combining", "[\"e\u0301\"]", "right-to-left", "[\"\u05d0\u202e\"]", "comment", `["/* a */ // b # c"]`, "json", `["{\"a\": [1]}"]`,
		"long", `["`+strings.Repeat("x", 5000)+`"]`, "c1-controls", "[\"\u0081\u009f\"]",
	)
	for c := range ' ' {
		t.invalid("a control character in a string is escaped", fmt.Sprintf("control-%02x", c), "[\"a"+string(c)+"b\"]")
	}
	t.invalid("a control character in a string is escaped", "crlf", "[\"a\r\nb\"]", "name-tab", "{\"a\tb\": 1}", "name-line", "{\"a\nb\": 1}", "continued-line", "[\"a\\\nb\"]")
	t.invalid("a string is closed", "open", `"`, "open-text", `"a`, "open-in-array", `["a]`, "open-escaped", `["a\"]`, "open-backslash", `["a\`, "open-object", `{"a": "b}`, "open-line", "[\"a\n]")
	t.invalid("a string is between quotation marks",
		"bare", `[abc]`, "single", `['a']`, "single-alone", `'a'`, "back", "[`a`]", "curly", "[\u201ca\u201d]", "low", "[\u201ea\u201c]", "guillemets", "[\u00aba\u00bb]", "triple", `["""a"""]`,
		"double-single", `[''a'']`, "half-single", `["a']`, "half-double", `['a"]`, "prefix", `[r"a"]`, "suffix", `["a"s]`, "bytes-prefix", `[b"a"]`, "plus", `["a" + "b"]`, "escaped-quotes", `[\"a\"]`,
		"entity", `[&quot;a&quot;]`, "bare-accent", "[\u00e9]",
	)
}

// escapes are those of section 7.
func (t *table) escapes() {
	t.section = "escape"
	t.valid(
		"quote", `["\""]`, "backslash", `["\\"]`, "slash", `["\/"]`, "backspace", `["\b"]`, "form-feed", `["\f"]`, "line-feed", `["\n"]`, "return", `["\r"]`, "tab", `["\t"]`,
		"all", `["\"\\\/\b\f\n\r\t"]`, "hex-lower", `["\u00e9"]`, "hex-upper", `["\u00E9"]`, "hex-mixed", `["\uaBcD"]`, "nul", `["\u0000"]`, "controls", `["\u0001\u001f\u007f"]`,
		"highest", `["\uffff"]`, "noncharacter", `["\ufdd0\ufffe"]`, "pair", `["\ud83d\ude00"]`, "pair-upper", `["\uD83D\uDE00"]`, "pairs", `["\ud800\udc00\udbff\udfff"]`,
		"pair-and-text", `["a\ud83d\ude00b"]`, "no-escape", `["\\u0041"]`, "no-escape-n", `["\\n"]`, "quote-after-backslash", `["\\\""]`, "six-backslashes", `["\\\\\\"]`, "separator", `["\u2028"]`,
		"then-digits", `["\u00411"]`, "many", `["`+strings.Repeat(`\u0041`, 500)+`"]`,
	)
	for c := '!'; c <= '~'; c++ {
		if !strings.ContainsRune(`"\/bfnrtu`, c) {
			t.invalid("no other escapes", fmt.Sprintf("other-%02x", c), `["\`+string(c)+`"]`)
		}
	}
	t.invalid("no other escapes", "other-space", `["\ "]`, "other-nul", "[\"\\\x00\"]", "other-tab", "[\"\\\t\"]", "other-accent", "[\"\\\u00e9\"]", "other-emoji", "[\"\\\U0001f600\"]", "other-byte", "[\"\\\xe5\"]", "three-backslashes", `["\\\"]`, "x41", `["\x41"]`, "octal", `["\101"]`, "capital-u", `["\U0041"]`, "named", `["\N{BULLET}"]`)
	reason := "four hexadecimal digits follow \\u"
	for i, digits := range []string{"", "0", "00", "004", "x041", "004g", "g041", "00 1", " 041", "+041", "-041", "0x41", "{41}", "00_1", "\u0664\u0661", "00\xff1", "d83", "\\u0041", "00\\n", "."} {
		t.invalid(reason, fmt.Sprintf("short-%02d", i+1), `["\u`+digits+`"]`)
	}
	t.invalid(reason, "open-after-u", `["\u`, "open-after-digits", `["\u00`, "second-short", `["\ud83d\ude"]`, "second-empty", `["\ud83d\u"]`, "second-cut", `["\ud83d\`, "second-bad", `["\ud83d\udexx"]`, "second-other", `["\ud83d\x"]`)
	t.open(loneSurrogate,
		"lone-high", `{"v": "\ud83d"}`, "lone-low", `{"v": "\ude00"}`, "lone-high-text", `{"v": "\ud83dabc"}`, "two-highs", `{"v": "\ud83d\ud83d"}`, "low-high", `{"v": "\ude00\ud83d"}`,
		"high-escape", `{"v": "\ud83d\n"}`, "high-letter", `{"v": "\ud83d\u0041"}`, "high-pair", `{"v": "\ud83d\ud83d\ude00"}`, "low-in-name", `{"\udead": 1}`, "high-upper", `{"v": "\uDADA"}`,
	)
}

// encoding is section 8.1: texts are UTF-8 without a byte order mark, which a reader
// may ignore. It says nothing of a reader of other bytes.
func (t *table) encoding() {
	t.section = "encoding"
	t.open(byteOrderMark, "mark-object", "\ufeff{}", "mark-member", "\ufeff{\"a\": 1}")
	t.open(invalidUTF8,
		"latin-1", "{\"v\": \"\xe9\"}", "continuation", "{\"v\": \"\x81\"}", "two-continuations", "{\"v\": \"\x80\xbf\"}", "cut-two", "{\"v\": \"\xc3\"}", "cut-three", "{\"v\": \"\xe2\x82\"}",
		"cut-four", "{\"v\": \"\xf0\x9f\x98\"}", "overlong-two", "{\"v\": \"\xc0\xaf\"}", "overlong-nul", "{\"v\": \"\xc0\x80\"}", "overlong-three", "{\"v\": \"\xe0\x80\xaf\"}",
		"overlong-four", "{\"v\": \"\xf0\x80\x80\xaf\"}", "surrogate", "{\"v\": \"\xed\xa0\x80\"}", "surrogate-pair", "{\"v\": \"\xed\xa0\xbd\xed\xb8\x80\"}", "too-high", "{\"v\": \"\xf4\x90\x80\x80\"}",
		"five-bytes", "{\"v\": \"\xf8\x88\x80\x80\x80\"}", "six-bytes", "{\"v\": \"\xfc\x84\x80\x80\x80\x80\"}", "fe", "{\"v\": \"\xfe\"}", "ff", "{\"v\": \"\xff\"}", "bad-lead-two", "{\"v\": \"\xc3(\"}",
		"bad-lead-three", "{\"v\": \"\xe2(\xa1\"}", "bad-lead-four", "{\"v\": \"\xf0(\x8c\xbc\"}", "in-name", "{\"\xe9\": 1}",
		"utf-16le-mark", "\xff\xfe"+wide(`["e"]`, 0), "utf-16be", wide(`["e"]`, 1), "utf-16le", wide(`["e"]`, 0),
	)
	t.invalid("bytes outside strings are ASCII", "byte-alone", "\xe5", "byte-in-array", "[\xff]", "byte-after-number", "[1,\xe5]", "cut-mark", "\xef\xbb{}", "half-mark", "\xef{}", "byte-as-name", "{\xb9: 1}", "byte-after-value", "{\"a\": 1\xb9}")
	t.invalid("four hexadecimal digits follow \\u", "byte-in-escape", "[\"\\u\xe5\"]")
}

// wide writes ASCII in units of two bytes, the character at one of them.
func wide(text string, at int) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		unit := make([]byte, 2)
		unit[at] = c
		b.Write(unit)
	}
	return b.String()
}

// limits are section 9: a reader may limit depth and size.
func (t *table) limits() {
	t.section = "limit"
	t.open(Accepted, "depth-100", `{"v": `+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`, "depth-500", `{"v": `+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`}`)
	t.invalid("an array is closed", "open-100000", strings.Repeat("[", 100_000))
	t.invalid("an object is closed", "open-objects-50000", strings.Repeat(`[{"":`, 50_000))
}

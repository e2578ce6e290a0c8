package source_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source"
)

// What is wrong inside one record of JSON Lines, which is on line 2.
func TestInvalidJSON(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"single quotes", `{'a': 1}`, "2-3 invalid-json: found `'`, expected a string in double quotes: this is a Python literal, not JSON"},
		{"single-quoted value", `{"a": 'b'}`, "7-8 invalid-json: found `'`, expected a string in double quotes: this is a Python literal, not JSON"},
		{"Python True", `{"b": null, "a": True}`, "18-22 invalid-json: found a Python literal: `True` is Python, JSON writes `true`"},
		{"Python False", `{"b": null, "a": False}`, "18-23 invalid-json: found a Python literal: `False` is Python, JSON writes `false`"},
		{"Python None", `{"b": null, "a": None}`, "18-22 invalid-json: found a Python literal: `None` is Python, JSON writes `null`"},
		{"upper case", `{"a": TRUE}`, "7-11 invalid-json: found `TRUE`, JSON writes `true`"},
		{"undefined", `{"a": undefined}`, "7-16 invalid-json: found `undefined`, JSON writes `null`"},
		{"NaN", `{"a": NaN}`, "7-10 invalid-json: found `NaN`: JSON has no such number"},
		{"Infinity", `{"a": Infinity}`, "7-15 invalid-json: found `Infinity`: JSON has no such number"},
		{"minus Infinity", `{"a": -Infinity}`, "7-16 invalid-json: found `-Infinity`: JSON has no such number"},
		{"word", `{"a": abc}`, "7-10 invalid-json: found `abc`, expected a value; text needs double quotes"},
		{"half a word", `{"a": tru}`, "7-10 invalid-json: found `tru`, expected a value; text needs double quotes"},

		{"trailing comma in an object", `{"a": 1, }`, "8-9 invalid-json: found a trailing comma before `}`"},
		{"trailing comma in an array", `{"a": [1,]}`, "9-10 invalid-json: found a trailing comma before `]`"},
		{"two commas", `{"a": 1,, "b": 2}`, "9-10 invalid-json: found `,`, expected a name in double quotes"},
		{"missing comma in an object", `{"a": 1 "b": 2}`, "9-10 invalid-json: found a string, expected a comma or `}`"},
		{"missing comma in an array", `{"a": [1 2]}`, "10-11 invalid-json: found `2`, expected a comma or `]`"},
		{"missing colon", `{"a" 1}`, "6-7 invalid-json: found `1`, expected a colon after the name"},
		{"missing value", `{"a": }`, "7-8 invalid-json: found `}`, expected a value"},
		{"missing name", `{: 1}`, "2-3 invalid-json: found `:`, expected a name in double quotes or `}`"},
		{"unquoted name", `{role: "user"}`, "2-6 invalid-json: found the name `role` without quotes, expected a string in double quotes"},
		{"missing quote before a name", `{role": "user"}`, "2-6 invalid-json: found the name `role` without quotes, expected a string in double quotes"},
		{"missing quote behind a name", `{"role: "user"}`, "10-14 invalid-json: found `user`, expected a colon after the name"},
		{"missing bracket before", `"role": "user"}`, "1-7 invalid-json: found the name `\"role\"` outside an object, expected `{` before it"},
		{"wrong closing bracket", `{"a": [1}`, "9-10 invalid-json: found `}`, expected a comma or `]`"},
		{"comment inside", `{/* x */"a": 1}`, "2-3 invalid-json: found a comment (not allowed in JSON), expected a name in double quotes or `}`"},
		{"typographic quotes", `{“a”: 1}`, "2-3 invalid-json: found `“` (no JSON quote), expected a name in double quotes or `}`"},
		{"no-break space", "{\u00a0\"a\": 1}", "2-3 invalid-json: found the character U+00A0, expected a name in double quotes or `}`"},
		{"byte order mark inside", "{\ufeff\"a\": 1}", "2-3 invalid-json: found a byte order mark (U+FEFF), expected a name in double quotes or `}`"},
		{"NUL", "{\x00}", "2-3 invalid-json: found the character U+0000, expected a name in double quotes or `}`"},

		{"leading zero", `{"a": 01}`, "7-9 invalid-json: found `01`, a number with a leading zero"},
		{"negative leading zero", `{"a": -00}`, "7-10 invalid-json: found `-00`, a number with a leading zero"},
		{"plus", `{"a": +1}`, "7-8 invalid-json: found `+`, expected a value"},
		{"bare point", `{"a": .5}`, "7-8 invalid-json: found `.`, expected a value"},
		{"no digit behind the point", `{"a": 1.}`, "7-9 invalid-json: found `1.`, expected a digit after the point"},
		{"no digit in the exponent", `{"a": 1e+}`, "7-10 invalid-json: found `1e+`, expected a digit in the exponent"},
		{"no digit behind the sign", `{"a": -}`, "7-8 invalid-json: found `-`, expected a digit after the minus sign"},
		{"hexadecimal", `{"a": 0x10}`, "7-11 invalid-json: found `0x10`, which is not a JSON number"},

		{"tab in a string", "{\"a\": \"x\ty\"}", "9-10 invalid-json: found the control character U+0009 inside a string, expected it as `\\u0009`"},
		{"carriage return in a string", "{\"a\": \"x\ry\"}", "9-9 invalid-json: found a line break inside a string, expected `\"` or `\\n` (2:7)"},
		{"unknown escape", `{"a": "C:\x"}`, "10-12 invalid-json: found `\\x`, which is not a JSON escape; a backslash is written `\\\\`"},
		{"short escape", `{"a": "\u12"}`, "8-13 invalid-json: found `\\u12\"`, expected 4 hexadecimal digits after `\\u`"},
		{"open string", `{"a": "x}`, "10-10 invalid-json: the record ends before it is closed (2:7)"},
		{"missing bracket behind", `{"a": {"b": 1}`, "15-15 invalid-json: the record ends before it is closed"},
		{"half an escape", `{"a": "\u12`, "12-12 invalid-json: the record ends before it is closed (2:7)"},

		{"byte that is not UTF-8", "{\"a\": \"é\xff\"}", "9-10 invalid-utf8: found the byte 0xFF, which is not UTF-8"},
		{"surrogate in UTF-8", "{\"a\": \"\xed\xa0\x80\"}", "8-9 invalid-utf8: found the byte 0xED, which is not UTF-8"},
		{"overlong", "{\"a\": \"\xc0\xaf\"}", "8-9 invalid-utf8: found the byte 0xC0, which is not UTF-8"},
		{"UTF-8 cut off", "{\"a\": \"\xe2\x82", "8-9 invalid-utf8: found the byte 0xE2, which is not UTF-8"},
		{"not UTF-8 outside strings", "{\xff}", "2-3 invalid-utf8: found the byte 0xFF, which is not UTF-8"},
		{"the first fault counts", "{\"a\": tru, \"b\": \"\xff\"}", "7-10 invalid-json: found `tru`, expected a value; text needs double quotes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reader := readLine(t, test.line)
			requireProblems(t, reader, test.want)
		})
	}
}

func TestProblemsThatLeaveAValue(t *testing.T) {
	tests := []struct {
		name, line string
		want       []string
	}{
		{"key twice", `{"a":1, "a":2}`, []string{"9-12 duplicate-key: the key `a` occurs twice in one object (2:2)"}},
		{"key twice, escaped", `{"a":1, "\u0061":2}`, []string{"9-17 duplicate-key: the key `a` occurs twice in one object (2:2)"}},
		{"key three times", `{"a":1, "a":2, "a":3}`, []string{"9-12 duplicate-key: the key `a` occurs twice in one object (2:2)"}},
		{"two keys twice", `{"a":1,"b":1,"b":2,"a":2}`, []string{
			"14-17 duplicate-key: the key `b` occurs twice in one object (2:8)",
			"20-23 duplicate-key: the key `a` occurs twice in one object (2:2)",
		}},
		{"key twice inside", `{"a":[{"b":1,"b":2}],"b":3}`, []string{"14-17 duplicate-key: the key `b` occurs twice in one object (2:8)"}},
		{
			"key twice among many", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"b":2,"b":3}`,
			[]string{"56-59 duplicate-key: the key `b` occurs twice in one object (2:8)"},
		},
		{"different lone surrogates", `{"\ud800":1,"\ud801":2}`, []string{
			"3-9 lone-surrogate: found `\\ud800`, half of a surrogate pair without its other half",
			"14-20 lone-surrogate: found `\\ud801`, half of a surrogate pair without its other half",
		}},
		{"lone surrogate", `{"a":"x\ud83cy\ud83c"}`, []string{"8-14 lone-surrogate: found `\\ud83c`, half of a surrogate pair without its other half"}},
		{"pair the wrong way round", `{"a":"\udf89\ud83c"}`, []string{"7-13 lone-surrogate: found `\\udf89`, half of a surrogate pair without its other half"}},
		{"half before a pair", `{"a":"\ud83c\ud83c\udf89"}`, []string{"7-13 lone-surrogate: found `\\ud83c`, half of a surrogate pair without its other half"}},
		{"pair", `{"a":"\ud83c\udf89"}`, nil},
		{"array", ` [1]`, []string{"2-5 not-an-object: found an array, expected an object"}},
		{"string", `"a"`, []string{"1-4 not-an-object: found a string, expected an object"}},
		{"number", `-1.5e3`, []string{"1-7 not-an-object: found a number, expected an object"}},
		{"true", `true`, []string{"1-5 not-an-object: found a boolean, expected an object"}},
		{"null", `null`, []string{"1-5 not-an-object: found null, expected an object"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rec := readLine(t, test.line)
			requireProblems(t, rec, test.want...)
			requireRoot(t, rec)
		})
	}
}

func TestByteOrderMark(t *testing.T) {
	requireOutcome(t, "\ufeff{\"a\":1}\n", auto, source.FormJSONL,
		"1:1 (\ufeff)", "  1:1-1:2 bom: found a byte order mark (U+FEFF), which JSON does without", `0 1:2 {"a":1}`)
	requireOutcome(t, "\ufeff[{}]\n[{}]", auto, source.FormJSONL,
		"0/1:1 (\ufeff)", "  1:1-1:2 bom: found a byte order mark (U+FEFF), which JSON does without", `0/0/0 1:3 {}`, `1/0/0 2:2 {}`)
}

func TestForeignEncoding(t *testing.T) {
	for name, input := range map[string]string{
		"UTF-16": "\xff\xfe{\x00}\x00", "UTF-16 ": "\xfe\xff\x00{\x00}", "UTF-16  ": "{\x00\"\x00a\x00", "UTF-16   ": "\x00{\x00\"\x00a",
		"UTF-32": "\xff\xfe\x00\x00{\x00\x00\x00", "UTF-32 ": "\x00\x00\xfe\xff\x00\x00\x00{", "UTF-32  ": "{\x00\x00\x00", "UTF-32   ": "\x00\x00\x00{",
	} {
		requireOutcome(t, input, auto, source.FormJSONL, "1:1 ("+input[:2]+")",
			"  1:1-1:"+end(input)+" invalid-utf8: the input is "+name[:6]+", expected UTF-8; nothing of it was read")
	}
}

// end is the column after two bytes.
func end(input string) string {
	if len([]rune(input[:2])) == 2 {
		return "3"
	}
	return "2"
}

func TestTruncated(t *testing.T) {
	const inside = "truncated: the input ends before the record is closed"
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"in a record", `{"a":1, "b`, source.FormJSONL, []string{`0 1:1 !{"a":1, "b`, "  1:11-1:11 " + inside}},
		{"newline behind", "{\"x\":1}\n{\"a\":tr\n\n", source.FormJSONL, []string{`0 1:1 {"x":1}`, `1 2:1 !{"a":tr`, "  2:8-2:8 " + inside}},
		{"in a code point", "{\"a\":\"\xe2\x82", source.FormJSONL, []string{"0 1:1 !{\"a\":\"\xe2\x82", "  1:9-1:9 " + inside}},
		{"in a value over lines", "{\n\"a\":1,\n", source.FormJSON, []string{"0 1:1 !{\n\"a\":1,", "  2:7-2:7 " + inside}},
		{"in an element", `[{"a":1}, {"b`, source.FormJSON, []string{`0/0 1:2 {"a":1}`, `1/1 1:11 !{"b`, "  1:14-1:14 " + inside}},
		{"behind a comma", "[{},\n", source.FormJSON, []string{"0/0 1:2 {}", "1:5 ()", "  1:5-1:5 truncated: the input ends before the array is closed"}},
		{"before the bracket", "[{}\n\n", source.FormJSON, []string{"0/0 1:2 {}", "1:4 ()", "  1:4-1:4 truncated: the input ends before the array is closed"}},
		{"behind the list", `{"messages":[{}], "x`, source.FormJSON, []string{"0/messages/0 1:14 {}", `1:17 (, "x)`, "  1:21-1:21 " + inside}},
		{
			"in the last of several conversations", "[{}]\n[{}, {\"a", source.FormJSONL,
			[]string{"0/0/0 1:2 {}", "1/0/0 2:2 {}", `1/1/1 2:6 !{"a`, "  2:9-2:9 " + inside},
		},
		{
			"in one of several conversations", "[{}]\n[{}, {\"a\n[{}]", source.FormJSONL,
			[]string{"0/0/0 1:2 {}", "1/0/0 2:2 {}", `1/1/1 2:6 !{"a`, "  2:9-2:9 invalid-json: the record ends before it is closed (2:7)", "2/0/0 3:2 {}"},
		},
		{
			"before the bracket of a line", "[{}]\n[{}\n[{}]", source.FormJSONL,
			[]string{"0/0/0 1:2 {}", "1/0/0 2:2 {}", "1/2:4 ()", "  2:4-2:4 invalid-json: the line ends before the array is closed", "2/0/0 3:2 {}"},
		},
		{
			"before the bracket of the first line", "[{}\n[{}]", source.FormJSONL,
			[]string{"0/0/0 1:2 {}", "0/1:4 ()", "  1:4-1:4 invalid-json: the line ends before the array is closed", "1/0/0 2:2 {}"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, test.form, test.want...)
		})
	}
}

// Package hostile has inputs that make a reader, a rule or a command work hard, in every
// form. It is for tests only. Each input is one part over and over, so that a test can
// double it and compare the work.
package hostile

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Input is an input of any size.
type Input struct {
	Name string // what it consists of, and the form
	File string // the name of a file with it, which decides how it is read
	Make func(size int) []byte
}

// Part is a text that an input, or what a peer sends, has over and over.
type Part struct{ Name, Text string }

// Parts are pieces of records, and what is between them.
func Parts() []Part {
	return []Part{
		{"a valid chunk", `{"role": "assistant", "type": "message", "content": "Hi."}`},
		{"an object that is not closed", `{"role":"assistant",`},
		{"a string that is not closed", `{"role":"assistant","type":"message","content":"`},
		{"a Python string that is not closed", `{'role': 'assistant', 'type': 'message', 'content': '`},
		{"a value that cannot be read", `{"role":x},`},
		{"a record without its last brace", `{"role":"assistant","type":"message","content":"Hi."`},
		{"a Python record without its last brace", `{'role': 'assistant', 'type': 'message', 'start': True`},
		{"half a frame", `{"dir":"recv","frame":{"role":"assistant",`},
		{"a frame without its last braces", `{"dir":"recv","frame":{"role":"assistant","type":"message","content":"Hi."`},
		{"a nested object", `{"role":`},
		{"a nested list", `[`},
		{"a nested list of objects", `[{"role":[`},
		{"an envelope that is not closed", `{"messages":[`},
		{"an envelope", `{"messages":[{"role":"user","type":"message","content":"Hi."}]}`},
		{"a list", `[{"role":"user","type":"message","content":"Hi."}]`},
		{"an object without a member", `{}`},
		{"an empty list", `[]`},
		{"a record without a type", `{"role": "user"}`},
		{"an unknown type", `{"role":"assistant","type":"mesage","content":"Hi."}`},
		{"a start", `{"role":"assistant","type":"message","start":true}`},
		{"an end", `{"role":"assistant","type":"message","end":true}`},
		{"a confirmation", `{"role":"computer","type":"confirmation","format":"execution","content":{"type":"code","format":"python","content":"1"}}`},
		{"a line of text and an unknown type", "x y\n" + `{"role":"assistant","type":"mesage","content":"Hi."}`},
		{"another record", `{"level":"info","message":"x"}`},
		{"an opening brace", "{"},
		{"a closing brace", "}"},
		{"a closing bracket", "]"},
		{"a comma", ","},
		{"a quote", `"`},
		{"an apostrophe", "'"},
		{"a backslash", `\`},
		{"a colon", ":"},
		{"a digit", "0"},
		{"a letter", "x"},
		{"an empty line", ""},
		{"a space", " "},
		{"a number sign", "#"},
		{"a comment that is not closed", "/*"},
		{"a code fence", "```"},
		{"an arrow", "> "},
		{"a field", "data:"},
		{"the name of an event", "event: x"},
		{"a byte that is not UTF-8", "\xff"},
		{"a character of three bytes", "漢"},
	}
}

// contents are what a content is made of, as JSON: each may make a rule, a
// reader or a fix look at the whole content for each part of it.
var contents = []Part{
	{"an escape character", `\u001b`},
	{"an escape sequence", `\u001b[`},
	{"a colored word", `\u001b[31mred\u001b[0m\n`},
	{"a control sequence", "\u009b31m"},
	{"an active line", `##active_line1##`},
	{"a line feed", `\n`},
	{"an escaped quote", `\"`},
	{"half a surrogate pair", `\ud800`},
	{"a zero", `\u0000`},
	{"an opening brace", `{`},
	{"a Python object", `{'`},
	{"an object", `{\"a\":`},
	{"a code span", "`py` "},
	{"a letter", "A"},
	{"an image", "iVBORw0KGgo="},
}

// records are records with a part over and over: what precedes it, the part, and what
// follows. A number in the part differs each time.
var records = []struct{ name, before, part, after string }{
	{"keys", `{"role":"assistant","type":"message","content":"Hi."`, `,"key%d":1`, `}`},
	{"the same key", `{"role":"assistant","type":"message"`, `,"content":"Hi."`, `}`},
	{"flags", `{"role":"assistant","type":"message"`, `,"start":false,"k%d":1,"end":false`, `,"content":"Hi."}`},
	{"values in the content", `{"role":"computer","type":"confirmation","format":"execution","content":[0`, `,{"a":1}`, `]}`},
	{"Python values", `{'role': 'assistant', 'type': 'message', 'content': 'Hi.'`, `, 'key%d': None`, `}`},
	{"adjacent strings", `{'role': 'assistant', 'type': 'message', 'content': ''`, ` 'a'`, `}`},
}

// forms are how parts become an input.
var forms = []struct {
	name, file string
	whole      func(part string, n int) string
}{
	{"JSON Lines", "input.jsonl", func(p string, n int) string { return strings.Repeat(p+"\n", n) }},
	{"JSON Lines after a valid record", "input.jsonl", func(p string, n int) string { return startOfBlock + "\n" + strings.Repeat(p+"\n", n) }},
	{"one line", "input.jsonl", strings.Repeat},
	{"a list without commas", "input.json", func(p string, n int) string { return "[" + strings.Repeat(p+"\n", n) + "]" }},
	{"a list", "input.json", func(p string, n int) string { return "[" + startOfBlock + strings.Repeat(",\n"+p, n) + "]" }},
	{"an envelope", "input.json", func(p string, n int) string {
		return `{"title":"x","messages":[` + firstMessage + strings.Repeat(",\n"+p, n) + `],"chunks":[` + p + `]}`
	}},
	{"wrapped records", "input.jsonl", func(p string, n int) string {
		return `{"seq":0,"chunk":` + startOfBlock + "}\n" + strings.Repeat(`{"seq":1,"chunk":`+p+"}\n", n)
	}},
	{"Python literals", "input.ndjson", func(p string, n int) string {
		return "{'role': 'assistant', 'type': 'message', 'start': True}\n" + strings.Repeat(asPython.Replace(p)+"\n", n)
	}},
	{"an event of many lines", "input.sse", func(p string, n int) string {
		return "data: " + startOfBlock + "\n\n" + strings.Repeat("data: "+p+"\n", n) + "\n"
	}},
	{"events", "input.sse", func(p string, n int) string {
		return "data: " + startOfBlock + "\n\n" + strings.Repeat("data: "+p+"\n\n", n)
	}},
	{"events with carriage returns", "input.sse", func(p string, n int) string {
		return "data: " + startOfBlock + "\r\r" + strings.Repeat("data: "+p+"\rdata: "+p+"\r\r", n)
	}},
	{"lines of events without a field", "input.sse", func(p string, n int) string { return "data: " + startOfBlock + "\n\n" + strings.Repeat(p+"\n", n) }},
	{"a session log", "session.ndjson", func(p string, n int) string { return firstFrame + strings.Repeat(`{"dir":"recv","frame":`+p+"}\n", n) }},
	{"frames of text", "session.ndjson", func(p string, n int) string {
		return firstFrame + strings.Repeat(`{"dir":"recv","text":`+quoted(p)+"}\n", n)
	}},
	{"a frame of text", "session.ndjson", func(p string, n int) string {
		return firstFrame + `{"dir":"recv","text":` + quoted(strings.Repeat(p+"\n", n)) + "}\n"
	}},
	{"frames of a browser", "input.har", func(p string, n int) string {
		frame := `{"type":"receive","time":1.5,"opcode":1,"data":` + quoted(p) + "},\n"
		return har(`"_webSocketMessages":[`+`{"type":"receive","time":1.5,"opcode":1,"data":`+quoted(startOfBlock)+"},\n"+strings.Repeat(frame, n)) + `{}]}]}}`
	}},
	{"a body of events", "input.har", func(p string, n int) string {
		return har(body("data: "+startOfBlock+"\n\n"+strings.Repeat("data: "+p+"\n", n)+"\n")) + "}]}}"
	}},
	{"a body of lines", "input.har", func(p string, n int) string {
		return har(body(startOfBlock+"\n"+strings.Repeat(p+"\n", n))) + "}]}}"
	}},
	{"bodies", "input.har", func(p string, n int) string {
		return har(body(startOfBlock)) + strings.Repeat("},\n{"+body(startOfBlock+"\n"+p), n) + "}]}}"
	}},
	{"a log", "input.log", func(p string, n int) string {
		return "12:00:00 " + startOfBlock + "\n" + strings.Repeat("12:00:00 "+p+"\n", n)
	}},
	{"lines of a text", "input.log", func(p string, n int) string { return strings.Repeat(p+"\n", n) }},
	{"a line of a text", "input.log", func(p string, n int) string { return strings.Repeat(p+" ", n) + "\n" }},
	{"a document", "input.md", func(p string, n int) string {
		return "# Title\n\n```json\n" + startOfBlock + "\n```\n" + strings.Repeat("text "+p+"\n"+p+"\n\n", n)
	}},
	{"output of a notebook", "input.ipynb", func(p string, n int) string {
		return notebook(quoted(startOfBlock+"\n") + strings.Repeat(",\n"+quoted(p+"\n"), n))
	}},
	{"a line of output of a notebook", "input.ipynb", func(p string, n int) string {
		return notebook(quoted(startOfBlock + "\n" + strings.Repeat(p, n)))
	}},
}

const (
	firstMessage = `{"role":"user","type":"message","content":"Hi."}`
	startOfBlock = `{"role":"assistant","type":"message","start":true}`
	firstFrame   = `{"dir":"recv","frame":` + startOfBlock + "}\n"
)

// asPython makes a Python literal of JSON without words in its strings.
var asPython = strings.NewReplacer(`"`, "'", "true", "True", "false", "False", "null", "None")

// quoted returns a text as a JSON string, with bytes that are not UTF-8.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string has JSON
	}
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), `\ufffd`, "\xff")
}

func har(entry string) string { return `{"log":{"version":"1.2","entries":[{` + entry }

func body(text string) string {
	return `"response":{"content":{"mimeType":"text/event-stream","text":` + quoted(text) + `}}`
}

func notebook(outputs string) string {
	return `{"nbformat":4,"metadata":{},"cells":[{"cell_type":"code","outputs":[{"output_type":"stream","text":[` + outputs + `]}]}]}`
}

// Inputs returns each of the parts in the first form, then in the second one, and so on.
func Inputs() (all []Input) {
	for _, form := range forms {
		for _, part := range Parts() {
			each := max(1, len(form.whole(part.Text, 3))-len(form.whole(part.Text, 2)))
			all = append(all, Input{part.Name + " in " + form.name, form.file, func(size int) []byte {
				return []byte(form.whole(part.Text, 1+size/each))
			}})
		}
	}
	return all
}

// Records returns records that have a part over and over.
func Records() (all []Input) {
	for _, record := range records {
		all = append(all, Input{"a record of many " + record.name, "input.jsonl", func(size int) []byte {
			out := []byte(record.before)
			for n := 0; len(out) < size; n++ {
				out = append(out, strings.ReplaceAll(record.part, "%d", strconv.Itoa(n))...)
			}
			return append(out, record.after+"\n"...)
		}})
	}
	return all
}

// Contents returns single records with a content of any size.
func Contents() (all []Input) {
	for _, content := range contents {
		for _, of := range []struct{ name, before string }{
			{"the console", `{"role":"computer","type":"console","format":"output","content":"`},
			{"a message", `{"role":"assistant","type":"message","content":"`},
			{"code", `{"role":"assistant","type":"code","format":"python","content":"`},
			{"an image", `{"role":"computer","type":"image","format":"base64.png","content":"`},
		} {
			all = append(all, Input{content.Name + " as the content of " + of.name, "input.jsonl", func(size int) []byte {
				return []byte(of.before + strings.Repeat(content.Text, 1+size/len(content.Text)) + "\"}\n")
			}})
		}
	}
	return all
}

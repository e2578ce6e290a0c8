package mutation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// reading returns the mistakes in the text of records and inputs: invalid JSON
// and UTF-8, duplicate keys, truncation.
func reading() []Kind {
	kinds := slices.Concat(lineText(), wholeText())
	for _, t := range texts() {
		kinds = append(kinds, t.in(false))
		if !t.streamOnly {
			kinds = append(kinds, t.in(true))
		}
	}
	return kinds
}

// textMistake is a kind of mistake in the text of one record.
type textMistake struct {
	name       string
	change     func(line []byte, d dice) [][]byte // returns nil if it does not apply
	last       string                             // the rule for the last record of a stream, if different
	streamOnly bool
	want       []string
}

// in returns the kind for streams or for transcripts.
func (t textMistake) in(transcript bool) Kind {
	name := t.name
	if transcript {
		name += " in transcript"
	}
	return Kind{Name: name, Rules: t.want, Transcripts: transcript, seed: func(r *Recording, d dice) *edit {
		if r.array != transcript || len(r.lines) < 4 {
			return nil
		}
		// The first record stays valid: the form of the input is detected from it.
		i := 1 + d.IntN(len(r.lines)-1)
		if len(r.lines[i]) < leastText {
			return nil
		}
		lines := t.change(r.lines[i], d)
		if lines == nil {
			return nil
		}
		e := at(r.replaceLine(i, lines...), i)
		switch {
		case transcript:
			e.at = append(e.at, i+1)
		case t.last != "" && i == len(r.lines)-1:
			e.want = []string{t.last}
		}
		return e
	}}
}

// leastText is the length in bytes of the shortest record whose text is changed.
const leastText = 24

// replaced replaces the first occurrence of a text in a line.
func replaced(from, to string) func([]byte, dice) [][]byte {
	return func(line []byte, _ dice) [][]byte {
		if !bytes.Contains(line, []byte(from)) {
			return nil
		}
		return [][]byte{bytes.Replace(line, []byte(from), []byte(to), 1)}
	}
}

// inText inserts one of the texts at the start of a message or of console output.
// It skips code, which would then also differ from its confirmation.
func inText(texts ...string) func([]byte, dice) [][]byte {
	return func(line []byte, d dice) [][]byte {
		const content = `"content": "`
		if !bytes.Contains(line, []byte(`"type": "message"`)) && !bytes.Contains(line, []byte(`"format": "output"`)) {
			return nil
		}
		return replaced(content, content+pick(d, texts...))(line, d)
	}
}

func texts() []textMistake {
	one := func(change func(line string) string) func([]byte, dice) [][]byte {
		return func(line []byte, _ dice) [][]byte { return [][]byte{[]byte(change(string(line)))} }
	}
	notJSON := []string{"LMC001"}
	return []textMistake{
		{name: "no closing brace", change: one(func(l string) string { return l[:len(l)-1] }), last: "LMC005", want: notJSON},
		{name: "no opening brace", change: one(func(l string) string { return l[1:] }), want: []string{"LMC001", "LMC004"}},
		{name: "no quote before a key", change: replaced(`"role"`, `role"`), want: notJSON},
		{name: "no quote after a key", change: replaced(`"role"`, `"role`), want: notJSON},
		{name: "no quote before a value", change: replaced(`"type": "`, `"type": `), want: notJSON},
		{name: "no comma", change: replaced(`, "type"`, ` "type"`), want: notJSON},
		{name: "no colon", change: replaced(`"type":`, `"type"`), want: notJSON},
		{name: "equals sign", change: replaced(`"type":`, `"type"=`), want: notJSON},
		{name: "two commas", change: replaced(`, "type"`, `,, "type"`), want: notJSON},
		{name: "comma before the brace", change: one(func(l string) string { return l[:len(l)-1] + ",}" }), want: notJSON},
		{name: "Python's True", change: replaced(": true}", ": True}"), want: notJSON, streamOnly: true},
		{name: "NUL byte", change: one(func(l string) string { return l[:10] + "\x00" + l[10:] }), want: notJSON},
		{name: "control character", change: replaced(`"type": "`, "\"type\": \"\x01"), want: notJSON},
		{name: "tab in a string", change: inText("\t"), want: notJSON},
		{name: "wrong escape", change: inText(`\x41`, `\q`), want: notJSON},
		{name: "wrong unicode escape", change: inText(`\u12G4`), want: notJSON},
		{name: "NaN", change: replaced("true}", "NaN}"), want: notJSON, streamOnly: true},
		{name: "comment", change: one(func(l string) string { return l + " // comment" }), want: notJSON, streamOnly: true},
		{name: "text before", change: one(func(l string) string { return "oops, " + l }), want: notJSON},
		{name: "extra brace", change: one(func(l string) string { return l + "}" }), want: notJSON, streamOnly: true},
		{name: "half of itself before", change: one(func(l string) string { return l[:len(l)/2] + l }), want: notJSON, streamOnly: true},
		{name: "byte order mark", change: one(func(l string) string { return "\ufeff" + l }), want: notJSON, streamOnly: true},
		{name: "no-break space", change: replaced(", ", ",\u00a0"), want: notJSON},
		{name: "key twice", change: one(func(l string) string { return l[:len(l)-1] + `, "role": "assistant"}` }), want: []string{"LMC003"}},
		{name: "key twice, once escaped", change: one(func(l string) string { return l[:len(l)-1] + `, "r\u006fle": "assistant"}` }), want: []string{"LMC003"}},
		{name: "invalid UTF-8", change: inText("\xff", "\xc3", "\xed\xa0\x80", "\xc0\xaf", "caf\xe9 "), want: []string{"LMC002"}},
		{name: "lone surrogate", change: inText(`\ud83c `, `\udf89 `), want: []string{"LMC007"}},
		{name: "deep nesting", change: one(func(l string) string {
			return fmt.Sprintf(`%s, "id": %s%s}`, l[:len(l)-1], strings.Repeat("[", 600), strings.Repeat("]", 600))
		}), want: []string{"LMC010"}},
		{name: "text instead", change: func(_ []byte, d dice) [][]byte {
			return [][]byte{[]byte(pick(d, "oops", "this is not json", "@@@ not json @@@"))}
		}, want: notJSON},
		{name: "null instead", change: func(_ []byte, d dice) [][]byte {
			return [][]byte{[]byte(pick(d, "null", "1", `"text"`, "true", "[]"))}
		}, want: []string{"LMC004"}},
	}
}

// lineText returns the mistakes that only occur with one record per line.
func lineText() []Kind {
	line := func(name string, change func([]byte, dice) [][]byte, want ...string) Kind {
		return textMistake{name: name, change: change, want: want, streamOnly: true}.in(false)
	}
	return []Kind{
		line("comma after the line", func(l []byte, _ dice) [][]byte { return [][]byte{append(bytes.Clone(l), ',')} }, "LMC001"),
		line("traceback between", func(l []byte, d dice) [][]byte {
			return [][]byte{[]byte(pick(d, "Traceback (most recent call last):", "hello", "<html>", "---", "}")), l}
		}, "LMC001"),
		line("log prefix", func(l []byte, _ dice) [][]byte { return [][]byte{append([]byte("INFO: "), l...)} }, "LMC001"),
		line("event stream's prefix", func(l []byte, _ dice) [][]byte { return [][]byte{append([]byte("data: "), l...)} }, "LMC001"),
		line("record in a list", func(l []byte, _ dice) [][]byte { return [][]byte{slices.Concat([]byte("["), l, []byte("]"))} }, "LMC004"),
		line("record as a string", func(l []byte, _ dice) [][]byte { return [][]byte{encode(string(l))} }, "LMC004"),
		onStream("line cut", []string{"LMC001", "LMC002"}, func(r *Recording, d dice) *edit {
			if r.array || len(r.lines) < 4 {
				return nil
			}
			i := d.IntN(len(r.lines) - 1)
			if len(r.lines[i]) < leastText {
				return nil
			}
			return at(r.replaceLine(i, bytes.Clone(r.lines[i][:8+d.IntN(len(r.lines[i])-9)])), i)
		}),
		onStream("comma in place of a line feed", []string{"LMC001"}, func(r *Recording, d dice) *edit {
			if r.array || len(r.lines) < 4 {
				return nil
			}
			i := d.IntN(len(r.lines) - 1)
			joined := slices.Concat(r.lines[i], []byte(", "), r.lines[i+1])
			return at(slices.Concat(r.lines[:i], [][]byte{joined}, r.lines[i+2:]), i)
		}),
	}
}

// wholeText returns the mistakes in the text of a whole input.
func wholeText() []Kind {
	// The function change gets the text up to the end of the last record, and the
	// text after it. It returns the changed text, and where in it the mistake is
	// found, at the latest.
	whole := func(name string, transcript bool, change func(records, tail string, d dice) (string, int), want ...string) Kind {
		return Kind{Name: name, Rules: want, Transcripts: transcript, seed: func(r *Recording, d dice) *edit {
			last := len(r.lines) - 1
			if r.array != transcript || last < 1 || len(r.lines[last]) < leastText {
				return nil
			}
			data := string(r.Data())
			_, _, tail := r.around()
			changed, offset := change(strings.TrimSuffix(data, tail), tail, d)
			line := strings.Count(changed[:offset], "\n")
			return &edit{data: []byte(changed), at: []int{line, line + 1}}
		}}
	}
	cut := func(data string) (string, int) { return data, len(strings.TrimRight(data, " \t\r\n")) }
	return []Kind{
		whole("byte order mark at the start", false, func(records, tail string, _ dice) (string, int) {
			return "\ufeff" + strings.TrimPrefix(records, "\ufeff") + tail, 0
		}, "LMC008"),
		onStream("last record cut", []string{"LMC005"}, func(r *Recording, d dice) *edit {
			i := len(r.lines) - 1
			if r.array || len(r.lines[i]) < leastText {
				return nil
			}
			data := bytes.TrimSuffix(r.Data(), []byte{'\n'})
			data = data[:len(data)-2-d.IntN(len(r.lines[i])-7)]
			return &edit{data: data, at: []int{bytes.Count(data, []byte{'\n'})}}
		}),
		whole("array not closed", true, func(records, tail string, _ dice) (string, int) {
			return cut(records + tail[:strings.LastIndexByte(tail, ']')])
		}, "LMC005"),
		whole("array cut", true, func(records, tail string, d dice) (string, int) {
			data := records + tail
			return cut(data[:len(data)/3+d.IntN(len(data)/2)])
		}, "LMC005"),
		whole("comma after the last element", true, func(records, tail string, _ dice) (string, int) {
			return records + "," + tail, len(records)
		}, "LMC001"),
		whole("text after the array", true, func(records, tail string, d dice) (string, int) {
			return records + tail + pick(d, "]\n", "garbage\n", "}\n"), len(records + tail)
		}, "LMC001"),
		onTranscript("no comma between elements", []string{"LMC001"}, func(r *Recording, d dice) *edit {
			if !r.array || len(r.lines) < 2 {
				return nil
			}
			i := d.IntN(len(r.lines) - 1)
			return at(r.replaceLine(i, slices.Concat(r.lines[i], []byte("\n"), r.lines[i])), i, i+1)
		}),
		onTranscript("two commas between elements", []string{"LMC001"}, func(r *Recording, d dice) *edit {
			if !r.array || len(r.lines) < 2 {
				return nil
			}
			i := d.IntN(len(r.lines) - 1)
			return at(r.replaceLine(i, append(bytes.Clone(r.lines[i]), ',')), i, i+1)
		}),
	}
}

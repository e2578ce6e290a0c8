package mutation

import (
	"encoding/base64"
	"slices"
	"strings"
)

// shape returns the mistakes in the keys and values of one record.
func shape() []Kind {
	var kinds []Kind
	for _, part := range []string{"start", "content", "end"} {
		kinds = append(kinds, everyRecord(part)...)
	}
	return append(kinds, someRecords()...)
}

// change returns a record with a mistake.
type change func(o object, d dice) object

// with sets a key to one of some values.
func with(key string, values ...any) change {
	return func(o object, d dice) object { return o.with(key, pick(d, values...)) }
}

// without removes a key.
func without(key string) change {
	return func(o object, _ dice) object { return o.without(key) }
}

// renamed renames a key to one of some names.
func renamed(key string, names ...string) change {
	return func(o object, d dice) object { return o.renamed(key, pick(d, names...)) }
}

// otherLanguage sets the format to another language.
func otherLanguage(o object, _ dice) object {
	if o.text("format") == "shell" {
		return o.with("format", "python")
	}
	return o.with("format", "shell")
}

// inPart is inRecord with the part in the name of the kind.
func inPart(name, part string, fit blockFilter, change change, want ...string) Kind {
	return inRecord(name+" on "+part, part, fit, change, want...)
}

// inRecord returns a kind of mistake in one part of a block: start, content or end.
func inRecord(name, part string, fit blockFilter, change change, want ...string) Kind {
	return in(name, fit, func(r *Recording, b *block, d dice) *edit {
		i := pick(d, b.contents...)
		switch part {
		case "start":
			i = b.start
		case "end":
			i = b.end
		}
		return at(r.set(i, change(r.records[i], d)), i)
	}, want...)
}

// partKey returns the key that marks the record's part in its block.
func (o object) partKey() string {
	for _, key := range []string{"start", "end", "stop"} {
		if o.has(key) {
			return key
		}
	}
	return "content"
}

func everyRecord(part string) []Kind {
	formatted := of(1, "code", "image", "review")
	if part == "content" {
		formatted = of(1, "code", "image", "review", "console")
	}
	kinds := []Kind{
		inPart("unknown role", part, anyBlock, with("role", "asistant", "Assistant", "bot", "comptuer"), "LMC102"),
		inPart("unknown type", part, anyBlock, with("type", "mesage", "text", "Console", "tool"), "LMC104"),
		inPart("no role", part, anyBlock, without("role"), "LMC101"),
		inPart("no type", part, anyBlock, without("type"), "LMC103"),
		inPart("no format", part, formatted, without("format"), "LMC105"),
		inPart("misspelled role key", part, anyBlock, renamed("role", "Role", "rol", "roles"), "LMC101", "LMC110"),
		inPart("misspelled type key", part, anyBlock, renamed("type", "Type", "tpye", "kind"), "LMC103", "LMC110"),
		inPart("empty format", part, formatted, with("format", ""), "LMC105"),
		inPart("misspelled format key", part, formatted, renamed("format", "fromat", "language", "Format"), "LMC105", "LMC110"),
		inPart("misspelled flag or content key", part, anyBlock, func(o object, _ dice) object {
			key := o.partKey()
			return o.renamed(key, key[:1]+key[2:3]+key[1:2]+key[3:])
		}, "LMC108"),
		inPart("no flag and no content", part, anyBlock, func(o object, _ dice) object { return o.without(o.partKey()) }, "LMC108"),
		inPart("format of a message", part, of(1, "message"), with("format", "markdown", "text", "plain"), "LMC107"),
		inPart("unknown key", part, anyBlock, func(o object, d dice) object {
			return o.with(pick(d, "lang", "text", "recipent", "model"), "x")
		}, "LMC110"),
		inPart("role no string", part, anyBlock, with("role", 1, nil, true, []string{"assistant"}), "LMC101", "LMC102"),
		inPart("type no string", part, anyBlock, with("type", 1, nil, true, []string{"message"}), "LMC103", "LMC104"),
	}
	if part != "content" {
		kinds = append(kinds,
			inPart("flag not true", part, anyBlock, func(o object, d dice) object {
				return o.with(o.partKey(), pick[any](d, false, "true", 1, nil, "True"))
			}, "LMC111", "LMC108"),
			inPart("recipient", part, anyBlock, with("recipient", "user"), "LMC121"),
		)
	}
	return kinds
}

func someRecords() []Kind {
	return []Kind{
		in("start with content", of(2, "message"), func(r *Recording, b *block, _ dice) *edit {
			return r.joined(b.start, b.contents[0])
		}, "LMC112"),
		in("end with content", of(2, "message"), func(r *Recording, b *block, _ dice) *edit {
			return r.joined(b.end, b.last())
		}, "LMC112"),
		inPart("start as well", "content", of(2, "message", "code"), with("start", true), "LMC112"),
		in("end as well on content", of(2, "message", "code"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents...)
			return at(r.set(i, r.records[i].with(r.endKey, true)), i)
		}, "LMC112"),
		in("start and end", anyBlock, func(r *Recording, b *block, _ dice) *edit {
			return at(r.set(b.start, r.records[b.start].with(r.endKey, true)), b.start)
		}, "LMC112"),
		in("both flags false on content", of(2, "message"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents...)
			return at(r.set(i, r.records[i].with("start", false).with(r.endKey, false)), i)
		}, "LMC112", "LMC111"),
		inRecord("end of another epoch", "end", anyBlock, func(o object, _ dice) object {
			if o.has("stop") {
				return o.renamed("stop", "end")
			}
			return o.renamed("end", "stop")
		}, "LMC120", "LMC108", "LMC110"),
		inPart("unknown recipient", "content", of(1, "console", "message"), with("recipient", "computer", "User", 1, nil), "LMC115", "LMC125"),
		inPart("text no string", "content", of(2, "message", "code"), with("content", 5, nil, true, []string{"x"}, map[string]int{"a": 1}, 1.5), "LMC109"),
		inPart("unknown console format", "content", of(1, "console"), with("format", "stdout", "outptu", "activeline"), "LMC106"),
		inPart("unknown image format", "content", of(1, "image"), with("format", "base64.gif", "png", "base64.pgn"), "LMC106"),
		inPart("unknown review format", "content", of(1, "review"), with("format", "danger"), "LMC106"),
		in("server frame among chunks", of(1, "message"), func(r *Recording, b *block, _ dice) *edit {
			frame := object(nil).with("role", "server").with("type", "status").with("content", "complete")
			return at(r.insertBefore(b.start, frame.line()), b.start)
		}, "LMC102", "LMC104", "LMC106"),
		in("typeless message among chunks", of(1, "message"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.insertBefore(b.start, object(nil).with("role", "assistant").with("content", "Hello").line()), b.start)
		}, "LMC103"),
		in("record from before LMC", of(1, "message"), func(r *Recording, b *block, d dice) *edit {
			old := pick(d, `{"start_of_message": true}`, `{"message": "Hi"}`, `{"executing": {"code": "x", "language": "python"}}`, `{"end_of_execution": true}`)
			return at(r.insertBefore(b.start, []byte(old)), b.start)
		}, "LMC117"),
		in("message by the computer", of(1, "message"), func(r *Recording, b *block, _ dice) *edit {
			return r.everywhere(b, "role", "computer")
		}, "LMC116"),
		in("misspelled language", func(b *block) bool { return b.isCode() && b.format == "python" }, func(r *Recording, b *block, d dice) *edit {
			return r.everywhere(b, "format", pick(d, "pyt", "pyhton", "phyton"))
		}, "LMC118"),
		in("other spelling of a language", func(b *block) bool { return b.isCode() && b.format == "python" }, func(r *Recording, b *block, d dice) *edit {
			return r.everywhere(b, "format", pick(d, "Python", "py", "python "))
		}, "LMC119"),
	}
}

// everywhere sets a key in all records of a block. A new language is set in the
// confirmation, too.
func (r *Recording) everywhere(b *block, key, value string) *edit {
	lines := slices.Clone(r.lines)
	for i := b.start; i <= b.end; i++ {
		lines[i] = r.records[i].with(key, value).line()
	}
	if c := b.confirmation; c >= 0 && key == "format" {
		code := r.records[c].confirmedCode().with("format", strings.ToLower(strings.TrimSpace(value)))
		lines[c] = r.records[c].with("content", code).line()
	}
	return at(lines, b.start)
}

// joined moves the content of an adjacent chunk into a flag.
func (r *Recording) joined(flag, content int) *edit {
	lines := slices.Clone(r.lines)
	lines[flag] = r.records[flag].with("content", r.records[content].raw("content")).line()
	return at(slices.Delete(lines, content, content+1), min(flag, content+1)-flag/(content+1))
}

// content returns the mistakes in images and reviews.
func content() []Kind {
	kinds := []Kind{
		in("image in two chunks", of(1, "image"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.repeatLine(b.contents[0]), b.contents[0]+1)
		}, "LMC404"),
		in("image of another format", of(1, "image"), func(r *Recording, b *block, _ dice) *edit {
			other := map[string]string{"base64.png": "base64.jpeg", "base64.jpeg": "base64.png"}[b.format]
			if other == "" {
				return nil
			}
			e := r.everywhere(b, "format", other)
			e.at = b.contents[:1]
			return e
		}, "LMC402"),
		in("review with the rest of a tag", of(1, "review"), func(r *Recording, b *block, d dice) *edit {
			i := b.last()
			o := r.records[i].with("content", r.records[i].text("content")+pick(d, "</", "</warn", "</warning"))
			return at(r.set(i, o), span(b.start, b.end+1)...)
		}, "LMC408"),
		in("review with the end of a tag", of(1, "review"), func(r *Recording, b *block, _ dice) *edit {
			i := b.contents[0]
			o := r.records[i].with("content", ">"+r.records[i].text("content"))
			return at(r.set(i, o), span(b.start, b.end+1)...)
		}, "LMC408"),
	}
	mark := func(o object, d dice) object {
		return o.with("content", o.text("content")+pick(d, "##active_line1##\n", "##active_line12##"))
	}
	kinds = append(kinds,
		inPart("output with a marker", "content", of(1, "console"), func(o object, d dice) object {
			if o.text("format") == "output" {
				return mark(o, d)
			}
			return record("computer", "console", "output").with("content", "##active_line3##\n")
		}, "LMC412"),
		inMessage("output with a marker", ofType("console"), mark, "LMC412"))
	for _, p := range imageMistakes() {
		change := func(o object, d dice) object { return o.with("content", p.change(o.text("content"), d)) }
		kinds = append(kinds, inPart("image "+p.name, "content", longImage, change, p.want), inMessage("image "+p.name, isImage, change, p.want))
	}
	return kinds
}

// longImage accepts blocks with an image in base64.
func longImage(b *block) bool {
	return b.kind == "image" && len(b.contents) == 1 && len(b.texts[0]) >= leastImage && strings.HasPrefix(b.format, "base64")
}

type imageMistake struct {
	name, want string
	change     func(text string, d dice) string
}

func imageMistakes() []imageMistake {
	return []imageMistake{
		{"with a wrong character", "LMC401", func(s string, d dice) string {
			i := 40 + d.IntN(len(s)-60)
			return s[:i] + pick(d, "!", "*", ".", " ", "é", "-", "_") + s[i+1:]
		}},
		{"cut", "LMC401", func(s string, d dice) string {
			s = strings.TrimSpace(s)
			return s[:len(s)/4*4-pick(d, 3, 5, 6)]
		}},
		{"without its end", "LMC410", func(s string, d dice) string {
			s = strings.TrimSpace(s)
			return s[:len(s)/4*4-pick(d, 8, 12, 40)]
		}},
		{"as data URL", "LMC401", func(s string, _ dice) string { return "data:image/png;base64," + s }},
		{"joined to another", "LMC403", func(s string, _ dice) string { return strings.TrimSpace(s) + s }},
		{"with text after", "LMC403", func(s string, _ dice) string { return s + "after\n" }},
		{"with bytes after", "LMC403", func(s string, _ dice) string {
			data, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
			return base64.StdEncoding.EncodeToString(append(data, "some text"...))
		}},
		{"that is text", "LMC402", func(string, dice) string {
			return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("This is no image, but text. ", 4)))
		}},
		{"that is a GIF", "LMC402", func(string, dice) string {
			return base64.StdEncoding.EncodeToString(append([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"), make([]byte, 40)...))
		}},
	}
}

// leastImage is the length of the shortest base64 whose text is changed.
const leastImage = 80

// isImage accepts messages with an image in base64.
func isImage(o object) bool {
	return o.text("type") == "image" && slices.Contains([]string{"base64", "base64.png", "base64.jpeg"}, o.text("format")) &&
		len(o.text("content")) >= leastImage
}

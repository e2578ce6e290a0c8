package mutation

import (
	"encoding/json"
	"slices"
	"strings"
)

// execution returns the mistakes in confirmations and executions.
func execution() []Kind {
	return []Kind{
		// around confirmations
		in("confirmation dropped", runAtOnce, func(r *Recording, b *block, _ dice) *edit {
			return r.whereConfirmed(at(r.replaceLine(b.confirmation), b.confirmation))
		}, "LMC301"),
		in("confirmation twice", confirmed, func(r *Recording, b *block, _ dice) *edit {
			return at(r.repeatLine(b.confirmation), b.confirmation+1)
		}, "LMC305"),
		in("confirmation before its code", confirmedAtOnce, func(r *Recording, b *block, _ dice) *edit {
			lines := slices.Insert(r.replaceLine(b.confirmation), b.start, r.lines[b.confirmation])
			return at(lines, b.start, b.confirmation+1)
		}, "LMC302", "LMC301"),
		in("confirmation after the run", both(confirmedAtOnce, runAtOnce), func(r *Recording, b *block, _ dice) *edit {
			end := b.runs[len(b.runs)-1].end
			lines := slices.Insert(r.replaceLine(b.confirmation), end, r.lines[b.confirmation])
			return r.whereConfirmed(at(lines, b.confirmation))
		}, "LMC301"),
		in("confirmation inside its code", both(confirmedAtOnce, code(2)), func(r *Recording, b *block, _ dice) *edit {
			lines := slices.Insert(r.replaceLine(b.confirmation), b.last(), r.lines[b.confirmation])
			return at(lines, b.last())
		}, "LMC202"),
		in("confirmation before the code's end", confirmedAtOnce, func(r *Recording, b *block, _ dice) *edit {
			return at(r.swapWithNext(b.end), b.end)
		}, "LMC202"),
		in("confirmed code dropped", confirmedAtOnce, func(r *Recording, b *block, _ dice) *edit {
			return at(r.deleteLines(b.start, b.end+1), b.start)
		}, "LMC302"),
		in("part of confirmed code dropped", both(confirmed, both(code(3), notBlank)), func(r *Recording, b *block, d dice) *edit {
			return at(r.replaceLine(b.visibleContent(d)), b.confirmation-1)
		}, "LMC304"),
		in("part of confirmed code twice", both(confirmed, both(code(3), notBlank)), func(r *Recording, b *block, d dice) *edit {
			return at(r.repeatLine(b.visibleContent(d)), b.confirmation+1)
		}, "LMC304"),
		in("code that never runs", of(1, "message"), func(r *Recording, b *block, _ dice) *edit {
			head := object(nil).with("role", "assistant").with("type", "code").with("format", "python")
			lines := r.insertBefore(b.start, head.with("start", true).line(), head.with("content", "print(1)").line(), head.with(r.endKey, true).line())
			return at(lines, span(b.start, b.start+4)...)
		}, "LMC311"),

		// inside confirmations
		inConfirmedCode("documents' shape", func(o object, _ dice) object {
			return object(nil).with("type", "code").with("language", o.raw("format")).with("code", o.raw("content"))
		}, "LMC114"),
		confirmation("code alone", func(o, code object, _ dice) object { return o.with("content", code.raw("content")) }, "LMC113"),
		confirmation("no object", func(o, _ object, d dice) object { return o.with("content", pick[any](d, true, nil, 1, []int{})) }, "LMC113"),
		inConfirmedCode("key missing", func(o object, d dice) object { return o.without(pick(d, "type", "format", "content")) }, "LMC113"),
		inConfirmedCode("key misspelled", func(o object, d dice) object { return o.renamed(pick(d, "type", "format", "content"), "contnet") }, "LMC113"),
		inConfirmedCode("other type", with("type", "message"), "LMC113"),
		inConfirmedCode("code no string", with("content", 5), "LMC113"),
		inConfirmedCode("other code", func(o object, _ dice) object { return o.with("content", o.text("content")+"\nimport os") }, "LMC304"),
		inConfirmedCode("other language", otherLanguage, "LMC304"),
		confirmation("no format", func(o, _ object, _ dice) object { return o.without("format") }, "LMC105"),
		confirmation("unknown format", func(o, _ object, _ dice) object { return o.with("format", "exec") }, "LMC106"),
		confirmation("unknown type", func(o, _ object, _ dice) object { return o.with("type", "confirm") }, "LMC104"),
		confirmation("no content", func(o, _ object, _ dice) object { return o.without("content") }, "LMC108"),
		confirmation("start flag", func(o, _ object, _ dice) object { return o.with("start", true) }, "LMC112", "LMC111"),
		confirmation("unknown key", func(o, _ object, _ dice) object { return o.with("approved", true) }, "LMC110"),

		// active lines and output
		in("final line dropped", endsInNull, func(r *Recording, b *block, _ dice) *edit {
			if len(b.contents) < 2 {
				return nil
			}
			return at(r.replaceLine(b.last()), span(b.start, b.end)...)
		}, "LMC310"),
		in("output after the final line", endsInNull, func(r *Recording, b *block, _ dice) *edit {
			return at(r.insertBefore(b.end, output("late\n").line()), b.end)
		}, "LMC309"),
		onStream("output as line", []string{"LMC307"}, inConsole("output", func(o object, _ dice) object {
			if strings.Trim(o.text("content"), " \n0123456789") == "" {
				return nil
			}
			return o.with("format", "active_line")
		})),
		onStream("output no string", []string{"LMC109"}, inConsole("output", with("content", 5, nil, true, []string{"x"}))),
		onStream("terminal escape", []string{"LMC407"}, inConsole("output", func(o object, _ dice) object {
			if strings.Contains(o.text("content"), "\x1b") {
				return nil
			}
			return o.with("content", "\x1b[31mred\x1b[0m\n")
		})),
		onStream("line as output", []string{"LMC109"}, inConsole("active_line", with("format", "output"))),
		onStream("line as digits", []string{"LMC307"}, inConsole("active_line", with("content", "1", "2"))),
		onStream("line no line", []string{"LMC307"}, inConsole("active_line", with("content", "one", "", " 1", 0, -1, 1.5, true, []int{1}))),
		onStream("line far beyond the code", []string{"LMC308"}, inConsole("active_line", with("content", json.RawMessage("1000000"), json.RawMessage("1000000000000000000000000000000")))),
		in("line after the last", func(b *block) bool { return b.code != nil && b.code.isCode() }, func(r *Recording, b *block, _ dice) *edit {
			i := b.contents[0]
			if r.records[i].text("format") != "active_line" || string(r.records[i].raw("content")) == "null" {
				return nil
			}
			return at(r.set(i, r.records[i].with("content", strings.Count(b.code.text(), "\n")+2)), i)
		}, "LMC308"),
		onStream("console without code", []string{"LMC306"}, func(r *Recording, _ dice) *edit {
			if len(r.blocks) == 0 || r.blocks[0].kind != "message" {
				return nil
			}
			head := object(nil).with("role", "computer").with("type", "console")
			lines := [][]byte{head.with("start", true).line(), output("x\n").line()}
			if r.endKey == "end" {
				lines = append(lines, head.with("format", "active_line").with("content", nil).line())
			}
			return at(r.insertBefore(0, append(lines, head.with(r.endKey, true).line())...), 0)
		}),
	}
}

// whereConfirmed returns the edit, or nil if the recording needs no confirmations.
func (r *Recording) whereConfirmed(e *edit) *edit {
	if r.Unconfirmed {
		return nil
	}
	return e
}

// confirmedCode returns the object in a confirmation's content.
func (o object) confirmedCode() object {
	code, _ := parse(o.raw("content"))
	return code
}

// confirmation returns a kind of mistake in a confirmation. The function change
// gets the record and the object in its content.
func confirmation(name string, change func(o, code object, d dice) object, want ...string) Kind {
	return onStream(name+" in confirmation", want, func(r *Recording, d dice) *edit {
		if len(r.confirm) == 0 {
			return nil
		}
		i := pick(d, r.confirm...)
		return at(r.set(i, change(r.records[i], r.records[i].confirmedCode(), d)), i)
	})
}

// inConfirmedCode returns a kind of mistake in the object in a confirmation's
// content.
func inConfirmedCode(name string, change func(code object, d dice) object, want ...string) Kind {
	return confirmation(name, func(o, code object, d dice) object {
		return o.with("content", change(code, d))
	}, want...)
}

func endsInNull(b *block) bool {
	return b.kind == "console" && len(b.contents) > 0 && b.final
}

// inConsole changes a random console content of the format that is not null.
func inConsole(format string, change change) func(*Recording, dice) *edit {
	return func(r *Recording, d dice) *edit {
		var from []int
		for _, b := range r.blocks {
			for _, i := range b.contents {
				if o := r.records[i]; b.kind == "console" && o.text("format") == format && string(o.raw("content")) != "null" {
					from = append(from, i)
				}
			}
		}
		if len(from) == 0 {
			return nil
		}
		i := pick(d, from...)
		changed := change(r.records[i], d)
		if changed == nil {
			return nil
		}
		return at(r.set(i, changed), i)
	}
}

package mutation

import "slices"

// framing returns the mistakes in flags and in the order of records.
func framing() []Kind {
	late := func(r *Recording, b *block, _ dice) *edit { return at(r.swapWithNext(b.start), b.start) }
	early := func(r *Recording, b *block, _ dice) *edit { return at(r.swapWithNext(b.end-1), b.end) }
	return []Kind{
		// the start and the end of a block
		in("lost start", anyBlock, func(r *Recording, b *block, _ dice) *edit { return at(r.replaceLine(b.start), b.start) }, "LMC201"),
		in("lost end", anyBlock, func(r *Recording, b *block, _ dice) *edit {
			lines := r.replaceLine(b.end)
			if b.end == len(lines) {
				return &edit{lines: lines, at: []int{b.end - 1}, want: []string{"LMC203"}}
			}
			return at(lines, b.end)
		}, "LMC202"),
		in("start twice", anyBlock, func(r *Recording, b *block, _ dice) *edit { return at(r.repeatLine(b.start), b.start+1) }, "LMC202"),
		in("end twice", anyBlock, func(r *Recording, b *block, _ dice) *edit { return at(r.repeatLine(b.end), b.end+1) }, "LMC204"),
		in("only content dropped", both(of(1, "message", "console", "image", "code"), single), func(r *Recording, b *block, _ dice) *edit {
			return at(r.replaceLine(b.contents[0]), b.start)
		}, "LMC207"),
		in("all contents dropped", of(2, "message"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.deleteLines(b.start+1, b.end), b.start)
		}, "LMC207"),
		in("content before start", of(2, "message", "code"), late, "LMC201"),
		in("only content before start", single, late, "LMC201"),
		in("content after end", of(2, "message"), early, "LMC201"),
		in("only content after end", single, early, "LMC201"),
		onStream("next start before end", []string{"LMC202"}, func(r *Recording, d dice) *edit {
			var ends []int
			for k := 1; k < len(r.blocks); k++ {
				if before, b := r.blocks[k-1], r.blocks[k]; before.end == b.start-1 && !before.same(b) {
					ends = append(ends, before.end)
				}
			}
			if len(ends) == 0 {
				return nil
			}
			i := pick(d, ends...)
			return at(r.swapWithNext(i), i)
		}),

		// misplaced records
		in("start inside block", of(2, "message"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents[1:]...)
			return at(r.insertBefore(i, r.lines[b.start]), i)
		}, "LMC202"),
		in("end too early", of(3, "message"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents[1:]...)
			return at(slices.Concat(r.lines[:i], r.lines[b.end:b.end+1], r.lines[i:b.end], r.lines[b.end+1:]), i+1)
		}, "LMC201"),
		in("block inside block", of(3, "message"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents[1:]...)
			return at(r.insertBefore(i, r.message("Other")...), i)
		}, "LMC202"),
		onStream("contents without block", []string{"LMC201"}, func(r *Recording, d dice) *edit {
			places := []int{len(r.lines)}
			for _, b := range r.blocks {
				if b.kind == "message" {
					places = append(places, b.start)
				}
			}
			i := pick(d, places...)
			return at(r.insertBefore(i, r.message("one", " two", " three")[1:4]...), i)
		}),
		in("output without block", of(1, "console"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.insertBefore(b.end+1, output("one\n").line(), output("two\n").line()), b.end+1)
		}, "LMC201"),
		onStream("cut inside the last block", []string{"LMC203"}, func(r *Recording, d dice) *edit {
			if len(r.blocks) == 0 {
				return nil
			}
			b := r.blocks[len(r.blocks)-1]
			if b.end != len(r.lines)-1 {
				return nil
			}
			i := pick(d, b.contents...)
			return at(r.lines[:i+1], i)
		}),
		in("cut after a start", anyBlock, func(r *Recording, b *block, _ dice) *edit {
			return at(r.lines[:b.start+1], b.start)
		}, "LMC203"),

		// records that differ from their block
		inRecord("end of another role", "end", of(1, "message", "code", "console"), func(o object, _ dice) object {
			if o.text("role") == "assistant" {
				return o.with("role", "computer")
			}
			return o.with("role", "assistant")
		}, "LMC205"),
		inRecord("end of another type", "end", of(1, "message"), with("type", "console"), "LMC205"),
		inRecord("end of another language", "end", of(1, "code"), otherLanguage, "LMC205"),
		in("start of another role", both(of(1, "message", "code"), byAssistant), func(r *Recording, b *block, _ dice) *edit {
			return at(r.set(b.start, r.records[b.start].with("role", "computer")), b.start, b.start+1)
		}, "LMC206", "LMC116"),
		in("start of another language", of(1, "code"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.set(b.start, otherLanguage(r.records[b.start], dice{})), b.start, b.start+1)
		}, "LMC206"),
		inRecord("content of another role", "content", both(of(1, "message", "code"), byAssistant), with("role", "computer"), "LMC206"),
		inRecord("content of another language", "content", code(2), otherLanguage, "LMC206"),
		in("output inside message", of(2, "message"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents...)
			return at(r.insertBefore(i, output("x\n").line()), i)
		}, "LMC206", "LMC201"),
		in("run of another role", of(3, "message"), func(r *Recording, b *block, _ dice) *edit {
			lines := slices.Clone(r.lines)
			for _, i := range b.contents[1:] {
				lines[i] = r.records[i].with("role", "user").line()
			}
			return at(lines, b.contents[1])
		}, "LMC206"),
		in("empty chunk", of(1, "message", "code"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.contents...)
			return at(r.insertBefore(i, r.records[i].with("content", "").line()), i)
		}, "LMC208"),
		in("format on console flag", of(1, "console"), func(r *Recording, b *block, d dice) *edit {
			i := pick(d, b.start, b.end)
			return at(r.set(i, r.records[i].with("format", "output")), i)
		}, "LMC209"),
		in("text doubled", both(of(3, "message", "code"), byAssistant), func(r *Recording, b *block, _ dice) *edit {
			rest := 0
			for _, text := range b.texts[1:] {
				rest += len([]rune(text))
			}
			if rest < 4 {
				return nil
			}
			i := b.contents[0]
			return at(r.set(i, r.records[i].with("content", b.text())), i, b.start)
		}, "LMC210"),
	}
}

// message returns the lines of a message block with one chunk per text.
func (r *Recording) message(texts ...string) [][]byte {
	head := object(nil).with("role", "assistant").with("type", "message")
	lines := [][]byte{head.with("start", true).line()}
	for _, text := range texts {
		lines = append(lines, head.with("content", text).line())
	}
	return append(lines, head.with(r.endKey, true).line())
}

func output(text string) object {
	return object(nil).with("role", "computer").with("type", "console").with("format", "output").with("content", text)
}

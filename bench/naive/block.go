package main

// block is the block that is open in a stream.
type block struct {
	open              bool
	role, typ, format any
}

// step follows one valid record and says what is wrong with its place.
func (b *block) step(r map[string]any) string {
	_, start := r["start"]
	_, end := r["end"]
	same := b.open && r["role"] == b.role && r["type"] == b.typ && (r["format"] == b.format || r["type"] == "console")
	wasOpen := b.open
	switch {
	case start:
		*b = block{true, r["role"], r["type"], r["format"]}
		if wasOpen {
			return "start while a block is open"
		}
	case end:
		b.open = false
		if !same {
			return "end does not match"
		}
	case r["type"] == "confirmation":
		if wasOpen {
			return "confirmation inside a block"
		}
	case !same:
		return "content outside its block"
	}
	return ""
}

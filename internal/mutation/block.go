package mutation

import "strings"

// block is a block of a healthy stream. Numbers are those of records, from 0.
type block struct {
	role, kind, format string
	start, end         int
	contents           []int
	texts              []string // of contents; "" for what is no string
	final              bool     // the last content is a null
	confirmation       int      // that confirms it, or -1
	code               *block   // of a computer's block: what it runs
	runs               []*block // of code: what the computer did
}

func (b *block) text() string { return strings.Join(b.texts, "") }

// isCode reports whether the block is code that the assistant wrote.
func (b *block) isCode() bool { return b.role == "assistant" && b.kind == "code" }

// same reports whether two blocks can be told apart by nothing but their place.
func (b *block) same(o *block) bool {
	return b.role == o.role && b.kind == o.kind && b.format == o.format
}

// findBlocks finds the blocks of a healthy stream, and what belongs together.
func (r *Recording) findBlocks() {
	var open, code *block
	for i, record := range r.records {
		switch {
		case record.text("type") == "confirmation":
			r.confirm = append(r.confirm, i)
			if code != nil && code.confirmation < 0 {
				code.confirmation = i
			}
		case record.has("start"):
			open = &block{
				role: record.text("role"), kind: record.text("type"), format: record.text("format"),
				start: i, confirmation: -1,
			}
			r.blocks = append(r.blocks, open)
			code = open.follows(code)
		case record.has("end"), record.has("stop"):
			if record.has("stop") {
				r.endKey = "stop"
			}
			open.end = i
		default:
			open.contents = append(open.contents, i)
			open.texts = append(open.texts, record.text("content"))
			open.final = string(record.raw("content")) == "null"
		}
	}
}

// follows notes what code a new block belongs to, and returns the code that
// the next one may belong to.
func (b *block) follows(code *block) *block {
	switch {
	case b.isCode():
		return b
	case b.role == "computer" && code != nil:
		b.code = code
		code.runs = append(code.runs, b)
	case b.kind == "message":
		return nil
	}
	return code
}

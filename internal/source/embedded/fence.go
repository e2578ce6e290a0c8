package embedded

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// fence is a code block of a Markdown document. It is read like a log once a
// record follows a prefix on one of its lines.
type fence struct {
	isOpen    bool
	isEdge    bool         // the current line opens or closes the block
	isProgram bool         // the block is marked as source code, whose other lines are not missed
	isLog     bool         // a record of the block follows a prefix
	skipped   skippedLines // of the block, before isLog is set
}

// programFence matches the line that opens a code block of a programming language.
var programFence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:```+|~~~+) *(?i:python3?|py|js|javascript|jsx|ts|typescript|tsx|go|rust|rs|java|kotlin|swift|ruby|rb|php|c|cpp|csharp)\\b")
})

// eventField matches the lines of a server-sent event that contain no record.
var eventField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(event|id|retry):|^:`) })

// beginLine inspects the start of a line of the document.
func (f *fence) beginLine(line []byte) {
	text := bytes.TrimLeft(line, " \t")
	f.isEdge = isFence(text)
	if f.isEdge {
		*f = fence{isOpen: !f.isOpen, isEdge: true, isProgram: !f.isOpen && programFence().Match(text)}
	}
}

// begin makes the reader treat the block, if one is open, like a log. The lines
// that were skipped in it count as skipped in the document, unless it is source
// code.
func (f *fence) begin(total *skippedLines) {
	if f.isLog || !f.isOpen {
		return
	}
	f.isLog = true
	switch {
	case f.isProgram:
	case total.lines > 0:
		total.lines += f.skipped.lines
	default:
		*total = f.skipped
		total.cause = value.InCodeBlock
	}
}

// seekAfterWords moves to the first object on a line of a code block if what is
// before it is like the prefix of a log, and reports whether it is.
func (a *embeddedReader) seekAfterWords() bool {
	if a.line.searched || !a.fence.isOpen {
		return false
	}
	a.line.searched = true
	if a.beginSocketFrame() || a.beginLiteral() {
		a.line.isLogLine = true
		return true
	}
	in := &a.cur.In
	line := in.Load(maxLogPrefix + openingWindow)
	size, ok := prefixSize(line)
	if a.line.isLogLine = ok && endsLogPrefix(line[:size]); !a.line.isLogLine {
		a.line.hasRejected = ok && a.isRecordText(line[size:])
		return false
	}
	a.prefix.setNext(line[:size])
	a.sender = source.Undirected
	in.Skip(size)
	return true
}

// beginMarkedFrame starts to read a frame with an arrow on a line of a code block.
// A line with the arrow of a quotation is one if it is what a client sends, or if
// the document has shown a frame.
func (a *embeddedReader) beginMarkedFrame() bool {
	in := &a.cur.In
	if !a.fence.isOpen || a.fence.isEdge {
		return false
	}
	line := in.Load(maxLogPrefix + openingWindow)
	size, ok := prefixSize(line)
	if !ok || line[size] != '{' {
		return false
	}
	direction := directionOfMark(line[:size])
	if direction == source.Undirected || direction == source.Sent && a.conversations.connection == 0 && !sentByUser().Match(in.Load(source.PrefixBytes)[size:]) {
		return false
	}
	in.Skip(size)
	in.LineBound = true
	index := a.cur.Index
	rec, err := a.cur.LineRecord(a.readValue())
	a.cur.Index = index
	if err != nil {
		return false
	}
	if a.conversations.connection == 0 || a.followsOtherText && direction == source.Sent {
		a.conversations.connection = a.conversations.newNumber() // a block that begins with the client shows another one
		rec.FollowsOtherText = true
	}
	a.followsOtherText = false
	a.fence.begin(&a.skipped)
	a.line.hasRecord = true
	a.beginFrame(&singleRecord{rec.Clone()}, direction)
	return true
}

// isRecordText reports whether text starts with a whole record, not with a part of
// a program.
func (a *embeddedReader) isRecordText(text []byte) bool {
	scan := value.Scanner{MaxDepth: a.cur.Options.MaxDepth, Python: opensPython(text)}
	v := scan.Scan(text, true)
	return v.Root != nil && a.cur.Options.Accepts(&source.Record{Data: text[:v.End], Root: v.Root})
}

// endsLogPrefix reports whether text before an object is like the prefix of a
// log, unlike the code of a program or the name of a member.
func endsLogPrefix(text []byte) bool {
	words := bytes.TrimSpace(text)
	if len(words) == 0 || bytes.IndexByte([]byte(`"'{[(`), words[0]) >= 0 && !isLogPrefix(text) {
		return false
	}
	return bytes.IndexByte([]byte(`:>|]-`), words[len(words)-1]) >= 0 || value.IsSpace(text[len(text)-1]) && (isLogPrefix(text) || label().Match(words))
}

// label matches words that end with a capitalized word or a number, as in
// `Payload {…}`. Programs have small letters there: `return {…}`.
var label = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s:])(?:[A-Z][A-Za-z]*|#?\d+)$`)
})

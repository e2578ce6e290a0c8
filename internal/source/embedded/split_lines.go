package embedded

import (
	"regexp"
	"sync"
)

// A container runtime splits what a program wrote on one line, usually after 16
// KiB, and marks each part in the file that the kubelet reads:
//
//	2025-02-15T12:00:01.000000000Z stdout P {"role": "computer", "type": "ima
//	2025-02-15T12:00:01.000000000Z stdout F ge", …}
//
// P is a part that continues on the next line, F the last one. The parts are
// read as the one line that they were, which has the mark F.

// partMark matches the start of a part: the stream and the mark.
var partMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9][0-9T:.Z+-]{18,40} (stdout|stderr) ([PF])(?::[^ ]*)? `)
})

// maxPartMark is how many bytes may contain what partMark matches.
const maxPartMark = 128

// part is what is before a part of a line.
type part struct {
	size      int    // in bytes, 0 for a line that is not a part
	mark      int    // the index of P or F
	stream    string // stdout or stderr
	continues bool   // another part follows
}

func partOf(line []byte) part {
	line = line[:min(len(line), maxPartMark)]
	found := partMark().FindSubmatchIndex(line)
	if found == nil {
		return part{}
	}
	return part{found[1], found[4], string(line[found[2]:found[3]]), line[found[4]] == 'P'}
}

// partUnits are the units of the parts of a line: the text of a part, and a line
// end with the prefix of the next part, which count for nothing.
func partUnits(raw []byte) (written, decoded int) {
	return prefixedUnits(raw, func(line []byte) int { return partOf(line).size }, 0)
}

// beginParts starts to read the records of a line that was split, if one begins
// here.
func (a *embeddedReader) beginParts() bool {
	in := &a.cur.In
	if a.cur.Origin != nil || in.Pos.Offset < a.partsFailed || !partOf(in.Load(maxPartMark)).continues {
		return false
	}
	text, end := a.joinedParts()
	if text == nil {
		a.partsFailed = in.Pos.Offset + int64(end)
		return false
	}
	a.beginText(a.unreadText(text, 0, end, partUnits), "", false)
	in.Skip(end)
	return true
}

// joinedParts returns the text of the parts that begin here, and the offset of
// their end. Text is nil if they cannot be joined: at the offset, a line of another
// stream or program is between them, the last part is missing, or they are larger
// than a record may be.
func (a *embeddedReader) joinedParts() (text []byte, end int) {
	in, limit := &a.cur.In, int(a.cur.Options.MaxRecordBytes)
	in.LineBound = false
	defer func() { in.LineBound = true }()
	var first part
	for next := 0; ; {
		lineEnd, after, ok := in.LineFrom(next, limit)
		line := in.Unread()[next:lineEnd]
		p := partOf(line)
		switch {
		case !ok || p.size == 0 || next > 0 && p.stream != first.stream || len(text)+len(line) > limit:
			return nil, next
		case next == 0:
			first, text = p, append(text, line...)
			text[p.mark] = 'F'
		default:
			text = append(text, line[p.size:]...)
		}
		switch {
		case !p.continues:
			return text, lineEnd
		case after == lineEnd:
			return nil, after
		}
		next = after
	}
}

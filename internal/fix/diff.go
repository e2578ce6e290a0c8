package fix

import (
	"bytes"
	"fmt"
	"slices"
)

// contextLines is how many unchanged lines a diff shows around a change.
const contextLines = 3

// Diff returns the unified diff of two texts, "" if they are equal. It matches
// the lines that each text has once, in their longest common order, and what is
// equal around them: no shorter diff may exist, but it takes linear memory.
func Diff(name string, old, changed []byte) []byte {
	if bytes.Equal(old, changed) {
		return nil
	}
	x, y := linesOf(old), linesOf(changed)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	var h hunk
	doneX, doneY := 0, 0
	for _, m := range anchors(x, y) {
		if m.x < doneX {
			continue // inside the last run of equal lines
		}
		start := m
		for start.x > doneX && start.y > doneY && bytes.Equal(x[start.x-1], y[start.y-1]) {
			start.x, start.y = start.x-1, start.y-1
		}
		end := m
		for end.x < len(x) && end.y < len(y) && bytes.Equal(x[end.x], y[end.y]) {
			end.x, end.y = end.x+1, end.y+1
		}
		h.change(x[doneX:start.x], y[doneY:start.y])
		isLast := end.x == len(x) && end.y == len(y)
		if equal := x[start.x:end.x]; h.changed && !isLast && len(equal) <= 2*contextLines {
			h.equal(equal)
		} else {
			h.equal(equal[:min(len(equal), contextLines)])
			h.write(&out)
			kept := min(len(equal), contextLines)
			h = hunk{x: end.x - kept, y: end.y - kept}
			h.equal(equal[len(equal)-kept:])
		}
		doneX, doneY = end.x, end.y
	}
	h.write(&out)
	return out.Bytes()
}

// linesOf splits a text after each line feed.
func linesOf(text []byte) [][]byte { return slices.Collect(bytes.Lines(text)) }

// match is a line of one text that is equal to one of the other.
type match struct{ x, y int }

// anchors returns the longest sequence of lines that each text has once, in the
// order of both, between the starts and the ends of the texts.
func anchors(x, y [][]byte) []match {
	type places struct{ inX, inY, x, y int }
	of := map[string]*places{}
	at := func(line []byte) *places {
		p := of[string(line)]
		if p == nil {
			p = &places{}
			of[string(line)] = p
		}
		return p
	}
	for i, line := range x {
		p := at(line)
		p.inX, p.x = p.inX+1, i
	}
	for i, line := range y {
		p := at(line)
		p.inY, p.y = p.inY+1, i
	}
	var once []match // in the order of x
	for i, line := range x {
		if p := of[string(line)]; p.inX == 1 && p.inY == 1 {
			once = append(once, match{i, p.y})
		}
	}
	return slices.Concat([]match{{0, 0}}, increasing(once), []match{{len(x), len(y)}})
}

// increasing returns the longest part of matches whose lines of y increase.
func increasing(matches []match) []match {
	var tails []int // for each length, the match that ends the best sequence
	before := make([]int, len(matches))
	for i, m := range matches {
		n, _ := slices.BinarySearchFunc(tails, m.y, func(j, y int) int { return matches[j].y - y })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	sequence := make([]match, len(tails))
	for i, n := tails[len(tails)-1], len(tails)-1; i >= 0; i, n = before[i], n-1 {
		sequence[n] = matches[i]
	}
	return sequence
}

// hunk is a part of a diff.
type hunk struct {
	x, y           int // the lines that it begins at
	removed, added int // lines of either text in it
	changed        bool
	text           bytes.Buffer
}

func (h *hunk) equal(lines [][]byte) {
	for _, line := range lines {
		h.line(' ', line)
	}
	h.removed, h.added = h.removed+len(lines), h.added+len(lines)
}

func (h *hunk) change(old, changed [][]byte) {
	for _, line := range old {
		h.line('-', line)
	}
	for _, line := range changed {
		h.line('+', line)
	}
	h.removed, h.added = h.removed+len(old), h.added+len(changed)
	h.changed = h.changed || len(old)+len(changed) > 0
}

func (h *hunk) line(mark byte, line []byte) {
	h.text.WriteByte(mark)
	h.text.Write(line)
	if !bytes.HasSuffix(line, []byte("\n")) {
		h.text.WriteString("\n\\ No newline at end of file\n")
	}
}

// write writes the hunk, unless nothing changes in it.
func (h *hunk) write(out *bytes.Buffer) {
	if !h.changed {
		return
	}
	out.WriteString("@@ -" + lineRange(h.x, h.removed) + " +" + lineRange(h.y, h.added) + " @@\n")
	out.Write(h.text.Bytes())
}

// lineRange returns the lines of a hunk as diff writes them.
func lineRange(from, count int) string {
	if count > 0 {
		from++
	}
	if count == 1 {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d,%d", from, count)
}

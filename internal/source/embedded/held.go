package embedded

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// maxHeld is how many objects above the first record are kept.
const maxHeld = 64

// heldObjects are the objects of a log above its first record that are records
// if the first one turns out to be like them. Chunks of old releases, and those
// that lack keys, show what they are only beside others.
type heldObjects struct {
	objects  []heldObject
	released []*source.Record // the records among them, and the first record
}

// heldObject is an object, and the line that it is on.
type heldObject struct {
	record     *source.Record
	prefix     string
	connection string        // id, or ""
	line       source.Record // the start of its line, as in skippedLines
}

// hold keeps an object that may be a record. Its line has not been skipped then.
func (a *embeddedReader) hold(rec *source.Record) {
	if !a.isLog && !a.hasPreamble || a.hasMarks || a.cur.Index > 0 || a.cur.Origin != nil || len(a.held.objects) == maxHeld {
		return
	}
	if rec.AlignedWithRecords, rec.Neighbor = true, namesOf(rec); !a.cur.Options.Accepts(rec) {
		return
	}
	rec.FollowsOtherText = a.followsOtherText && !a.isLog
	a.held.objects = append(a.held.objects, heldObject{rec.Clone(), a.prefix.next, a.prefix.connection, a.skipped.first})
	a.followsOtherText, a.line.hasRecord = false, true
}

// release returns the first of the held objects that are records like rec, the
// first record, or nil if there are none. The others count as skipped.
func (a *embeddedReader) release(rec *source.Record) *source.Record {
	var connections []string
	held := a.held.objects
	a.held.objects = nil
	for _, h := range held {
		h.record.Neighbor = a.neighbor
		if h.prefix == a.prefix.last && a.cur.Options.Accepts(h.record) {
			a.held.released, connections = append(a.held.released, h.record), append(connections, h.connection)
		} else {
			a.skipped.addHeld(h)
		}
	}
	if len(a.held.released) == 0 {
		return nil
	}
	a.held.released, connections = append(a.held.released, rec.Clone()), append(connections, a.prefix.connection)
	a.cur.Index = 0
	showsPython := false
	for i, r := range a.held.released {
		if a.line.isLogLine {
			a.conversations.setStage(r, a.prefix.last, connections[i])
		}
		if !r.IsAssigned() {
			r.SetIndex(a.cur.Index)
			a.cur.Index++
		}
		isPython := func(p source.Problem) bool { return p.Kind == source.PythonLiteral }
		if showsPython {
			r.Problems = slices.DeleteFunc(r.Problems, isPython)
		}
		showsPython = showsPython || slices.ContainsFunc(r.Problems, isPython)
	}
	return a.nextReleased()
}

// addHeld counts the line of a held object.
func (s *skippedLines) addHeld(h heldObject) {
	if s.lines == 0 || h.line.Start.Offset < s.first.Start.Offset {
		s.first = h.line
	}
	s.add()
}

// nextReleased returns the next released record, or nil if there is none.
func (a *embeddedReader) nextReleased() *source.Record {
	if len(a.held.released) == 0 {
		return nil
	}
	rec := a.held.released[0]
	a.held.released = a.held.released[1:]
	return rec
}

// namesOf returns the names of the members of a record.
func namesOf(rec *source.Record) (names []string) {
	if rec.Root == nil {
		return nil
	}
	for i := range rec.Root.Children {
		names = append(names, rec.Root.Children[i].Name)
	}
	return names
}

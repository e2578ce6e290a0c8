package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// ListFollower decides which lists of records are parts of one stream, for a caller
// that has no session.
type ListFollower struct {
	tracker  *lmc.Tracker
	dialect  *schema.Dialect
	sawFlags bool // only a stream has them
}

// NewListFollower returns a follower of the first of several lists. A role or type that
// the dialect lacks counts as misspelled; nil is the first of [schema.Names].
func NewListFollower(d *schema.Dialect) *ListFollower {
	if d == nil {
		d, _ = schema.Lookup(schema.Names()[0])
	}
	isNote := func(language string) bool { return slices.Contains(d.NoteFormats, language) }
	return &ListFollower{tracker: lmc.NewTracker(isNote, func(*lmc.Event) {}), dialect: d}
}

// Add adds a record to the lists.
func (f *ListFollower) Add(src *source.Record) {
	if !isObject(src) {
		return
	}
	r := lmc.NewRecord(src)
	f.sawFlags = f.sawFlags || r.Flag() && r.Content == nil
	f.tracker.Step(r)
}

// Continues reports whether another list, which begins with a record, is a part of
// the same stream.
func (f *ListFollower) Continues(src *source.Record) bool {
	return f.sawFlags && isObject(src) && continuesList(f.tracker, f.dialect, src)
}

// continuesList reports whether the first record of a list, an object, continues the
// block that the list before left open, even if its role or type is misspelled, or the
// execution of its code.
func continuesList(t *lmc.Tracker, d *schema.Dialect, src *source.Record) bool {
	r := lmc.NewRecord(src)
	b := t.Started()
	if b == nil {
		return t.Continues(r) || t.ContinuesExecution(r)
	}
	isType := func(name string) bool { _, ok := d.Type(name); return ok }
	return !r.Start && (r.Content != nil || r.End) &&
		(r.Role == b.Role || !d.HasRole(r.Role) || !d.HasRole(b.Role)) && (r.Type == b.Type || !isType(r.Type) || !isType(b.Type))
}

package embedded

import (
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// wrappedList is the lists of an envelope under names that the plain forms do not
// know, such as {"history": […]}, or of records that are members beside others.
type wrappedList struct {
	of     *source.Record // the envelope; valid until the next one is read
	rest   []value.Node   // elements of the current list that have not been returned
	next   [][]value.Node // the lists after it
	number int            // of the next conversation

	isLast    bool // no other envelope follows
	hasFrames bool // the elements of the current list are the frames of a session
	isBatch   bool // each envelope contains one record of the same conversation
}

// openList begins to read the lists of an envelope. It returns the problems outside
// of them, or nil if there are none.
func (w *wrapperDecoder) openList(rec *source.Record) *source.Record {
	if w.list.number == 0 && !w.cur.In.LineBound {
		rec = rec.Clone() // the search moves its data
		w.list.isLast = w.cur.In.IsBlankAfter(0)
	}
	if lists := listsIn(rec.Root); len(lists) > 0 {
		return w.beginLists(rec, lists)
	}
	switch list := rec.Root.Member(w.key); {
	case list == nil:
		return w.unwrap(w.cur, rec, envelopeFrame(rec.Root, w.key))
	case list.Kind == value.Array: // it is empty, or its first element is broken
		return w.beginLists(rec, []*value.Node{list})
	default:
		return w.unwrap(w.cur, rec, wrongFrame(frame{}, list, "found "+value.KindPhrase(list.Kind)+", expected a list of records"))
	}
}

// listOfArray returns an element of an array, which stays valid, and whether it is a
// conversation, as the elements before it are. The first ones may be empty.
func (w *wrapperDecoder) listOfArray(rec *source.Record) (same *source.Record, ok bool) {
	isEmpty := len(rec.Root.Children) == 0
	switch {
	case rec.Root.Kind != value.Array || rec.Pointer == "":
		return rec, false
	case w.kind == listWrapper && w.key == "":
		return rec, isEmpty || isListOfRecords(rec.Root)
	case w.kind != unknownWrapper:
		return rec, false
	case isEmpty:
		rec = rec.Clone() // loading moves its data
		return rec, listFollows().Match(w.cur.In.Load(source.ExcerptWidth))
	}
	return rec, isListOfRecords(rec.Root)
}

// listFollows matches the text between an element of an array and the next one, which
// is an array.
var listFollows = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*,\s*\[`) })

// beginLists begins to read lists in a record. It returns the problems outside of
// them, or nil if there are none.
func (w *wrapperDecoder) beginLists(rec *source.Record, lists []*value.Node) *source.Record {
	w.list.of = rec
	w.part.Begin(rec)
	for _, list := range lists {
		elements := list.Children
		if list.Kind == value.Object {
			elements = []value.Node{*list}
		}
		w.list.next = append(w.list.next, elements)
	}
	w.beginList()
	return rec.WithoutValues(lists...)
}

// beginList begins the next list of the envelope.
func (w *wrapperDecoder) beginList() {
	w.list.rest, w.list.next = w.list.next[0], w.list.next[1:]
	w.list.hasFrames = len(w.list.rest) > 0 && isSessionFrame(&w.list.rest[0])
	if !w.list.isBatch && (!w.list.isLast || w.list.number+len(w.list.next) > 0) {
		w.list.of.Conversation = w.list.number
	}
	w.list.number++
}

// nextOfList returns the next record of the current list, or nil if nextPending
// will return it.
func (w *wrapperDecoder) nextOfList() *source.Record {
	n := &w.list.rest[0]
	w.list.rest = w.list.rest[1:]
	f := frame{value: n}
	if w.list.hasFrames && n.Kind == value.Object {
		f = sessionFrame(n)
	} else if key := envelopeKey(n); key != "" {
		f = envelopeFrame(n, key)
	}
	switch {
	case f.wrong != nil:
		f.wrong.Start, f.wrong.End = f.wrong.Start-n.Start, f.wrong.End-n.Start
		return w.number(w.list.of.TakeElement(n, &w.part).SetUnreadable(f.wrong), &f)
	case f.value == nil:
		return nil // a note, or about the stream
	}
	rec := w.list.of.TakeElement(f.value, &w.part)
	switch {
	case f.binary:
		return w.number(rec.TakeBytes(rec.Root), &f)
	case f.value != n && f.value.Kind == value.String:
		w.text, w.frame = w.frameText(w.cur, rec.TextOf(rec.Root)), f
		return nil
	case rec.Root.Kind != value.Object:
		fault := source.RejectValue(rec.Root)
		rec.SetUnreadable(&fault)
	}
	return w.number(rec, &f)
}

// listsIn returns the members of an object without keys of a record that are lists
// of records, or of envelopes, or a few records. Without such a member, it returns
// the lists of whole records in the objects and lists below.
func listsIn(root *value.Node) (lists []*value.Node) {
	if hasRecordKey(root) {
		return nil
	}
	for i := range root.Children {
		if n := &root.Children[i]; isListOfRecords(n) || n.Kind == value.Object && isWholeRecord(n) {
			lists = append(lists, n)
		}
	}
	if len(lists) == 0 {
		lists = listsBelow(root, nil, maxListDepth)
	}
	return lists
}

// detectLists is listsIn for an object that may not be an envelope of lists.
func detectLists(root *value.Node) []*value.Node {
	lists, records := listsIn(root), 0
	for _, n := range lists {
		if n.Kind == value.Object {
			records++
		}
	}
	switch {
	case records >= minKeyed:
		return nil // the names are the keys of rows
	case !slices.ContainsFunc(lists, mayBeConversation):
		return nil // other objects have a role, a type and a start, too
	}
	return lists
}

// mayBeConversation reports whether a record, or one of the records in a list, has a
// role of the protocol.
func mayBeConversation(n *value.Node) bool {
	if first := firstElement(n); first == nil || !isWholeRecord(first) {
		return n.Kind != value.Object || hasKnownRole(n)
	}
	return slices.ContainsFunc(n.Children, func(n value.Node) bool { return hasKnownRole(&n) })
}

// maxListDepth is how many objects and lists may be around a list of records.
const maxListDepth = 4

// listsBelow appends the lists of whole records in a value.
func listsBelow(n *value.Node, lists []*value.Node, depth int) []*value.Node {
	for i := range n.Children {
		child := &n.Children[i]
		switch {
		case child.Kind != value.Object && child.Kind != value.Array:
		case firstElement(child) != nil && isWholeRecord(firstElement(child)):
			lists = append(lists, child)
		case depth > 1:
			lists = listsBelow(child, lists, depth-1)
		}
	}
	return lists
}

// isListOfRecords reports whether a value is a list whose first element is a record,
// the frame of a session or an envelope. An envelope of a text is a row.
func isListOfRecords(n *value.Node) bool {
	first := firstElement(n)
	if first == nil || isWholeRecord(first) || isSessionFrame(first) {
		return first != nil
	}
	key := envelopeKey(first)
	return key != "" && first.Member(key).Kind == value.Object
}

// firstElement returns the first element of a list if it is an object, else nil.
func firstElement(n *value.Node) *value.Node {
	if n.Kind != value.Array || len(n.Children) == 0 || n.Children[0].Kind != value.Object {
		return nil
	}
	return &n.Children[0]
}

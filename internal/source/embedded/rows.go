package embedded

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// rows reads the records in the answers and exports of databases and log stores,
// which have each, or its text, somewhere in a row or document. They are read as
// the lines of a log are: what is not a record, but where records are, is counted.
type rows struct {
	paths []rowPath
	of    *source.Record // the object that contains the rest; valid until the next one is read
	rest  []*value.Node  // values at the paths that have not been returned
}

// rowPath is where records are in an object: the name or index of each value around
// them, or anyStep.
type rowPath []string

// anyStep is a step to each element of a list, or each member of an object whose
// names are the keys of rows.
const anyStep = "*"

const (
	maxRowPaths = 16
	maxRowDepth = 8 // steps of a path
	minKeyed    = 3 // members with records, for their names to be keys of rows
)

// detect reports whether an object contains records in rows: at least half of the
// objects, and texts of objects, that are where records are. A single record among
// the elements of a list is an example, as in a collection of requests.
func (s *rows) detect(root *value.Node) bool {
	if countRecordKeys(root) > 1 {
		return false
	}
	s.learn(root, isRowRecord)
	objects, records := 0, 0
	for _, n := range valuesAt(root, s.paths, nil) {
		switch {
		case isRowRecord(n):
			objects, records = objects+1, records+1
		case n.Kind == value.Object, n.Kind == value.String && strings.HasPrefix(strings.TrimSpace(n.Text()), "{"):
			objects++
		}
	}
	isExample := func(p rowPath) bool { return slices.ContainsFunc(p, isIndex) }
	if records == 0 || 2*records < objects || records == 1 && slices.ContainsFunc(s.paths, isExample) {
		s.paths = nil
		return false
	}
	return true
}

// learn keeps the paths of the records in an object, and reports whether it could
// keep all of them.
func (s *rows) learn(root *value.Node, isRecord func(*value.Node) bool) (all bool) {
	for _, path := range pathsIn(root, isRecord, maxRowDepth) {
		switch {
		case slices.ContainsFunc(s.paths, func(p rowPath) bool { return slices.Equal(p, path) }):
		case len(s.paths) == maxRowPaths:
			return false
		default:
			s.paths = append(s.paths, path)
		}
	}
	return true
}

// openRows begins to read the rows of an object. It returns the problems outside of
// them, or nil if there are none.
func (w *wrapperDecoder) openRows(rec *source.Record) *source.Record {
	isRecord := func(n *value.Node) bool { return rowRecord(n) != nil } // its role may be misspelled
	if !w.rows.learn(rec.Root, isRecord) {
		w.lines.skipped.rememberRecord(rec)
		w.lines.skipped.add()
	}
	w.rows.of, w.rows.rest = rec, valuesAt(rec.Root, w.rows.paths, nil)
	w.part.Begin(rec)
	return rec.WithoutValues(w.rows.rest...)
}

// nextRow returns the record that is the next value at the paths, or nil if there is
// none, or if nextPending will return it.
func (w *wrapperDecoder) nextRow() *source.Record {
	n := w.rows.rest[0]
	w.rows.rest = w.rows.rest[1:]
	switch {
	case n.Kind == value.String:
		text := w.rows.of.TakeElement(n, &w.part)
		w.lines.skipped.rememberRecord(text)
		w.text, w.frame = w.lines.read(w, w.cur, text.TextOf(text.Root), false), frame{}
	case n.Kind == value.Object && hasRecordKey(n):
		return w.number(w.rows.of.TakeElement(n, &w.part), &frame{})
	case n.Kind == value.Object, n.Kind == value.Array:
		w.lines.skipped.rememberRecord(w.rows.of.TakeElement(n, &w.part))
		w.lines.skipped.add()
	}
	return nil
}

// pathsIn returns the paths of the records in a value that is not one itself.
func pathsIn(n *value.Node, isRecord func(*value.Node) bool, depth int) (paths []rowPath) {
	below := make(map[int][]rowPath) // by the index of the child
	for i := range n.Children {
		child := &n.Children[i]
		if isRecord(child) {
			below[i] = []rowPath{nil}
		} else if depth > 1 && len(child.Children) > 0 {
			if found := pathsIn(child, isRecord, depth-1); len(found) > 0 {
				below[i] = found
			}
		}
	}
	for i := range n.Children {
		for _, path := range below[i] {
			path = slices.Concat(rowPath{stepTo(n, i, len(below))}, path)
			if !slices.ContainsFunc(paths, func(p rowPath) bool { return slices.Equal(p, path) }) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// stepTo returns the step from a value to its child number i. Several of its children
// may contain records. The one element with a record in a list of several is that of
// a column; else the elements are rows.
func stepTo(n *value.Node, i, withRecords int) string {
	switch {
	case n.Kind == value.Object && withRecords < minKeyed:
		return n.Children[i].Name
	case n.Kind == value.Array && withRecords == 1 && len(n.Children) > 1:
		return strconv.Itoa(i)
	}
	return anyStep
}

// isIndex reports whether a step leads to one element of a list.
func isIndex(step string) bool { return step != "" && strings.Trim(step, "0123456789") == "" }

// valuesAt appends the values at paths in a value, in the order of the source.
func valuesAt(n *value.Node, paths []rowPath, values []*value.Node) []*value.Node {
	for i := range n.Children {
		child := &n.Children[i]
		step := child.Name
		if n.Kind == value.Array {
			step = strconv.Itoa(i)
		}
		var rest []rowPath
		isEnd := false
		for _, p := range paths {
			switch {
			case p[0] != anyStep && p[0] != step:
			case len(p) == 1:
				isEnd = true
			default:
				rest = append(rest, p[1:])
			}
		}
		switch {
		case isEnd && (len(rest) == 0 || isRecordValue(child)):
			values = append(values, child)
		case len(rest) > 0:
			values = valuesAt(child, rest, values)
		}
	}
	return values
}

package validate

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lmclint/lmclint/internal/source"
)

// definition is one of the schema definitions that values are validated with.
type definition struct {
	document  *document
	name      string // in $defs, or "" for the whole schema
	known     func() *knowledge
	translate func(value *source.Node, leaves []leaf) ([]Violation, error)
}

// validate returns the verdict of the schema.
func (d *definition) validate(value *source.Node) ([]Violation, error) {
	leaves, err := d.document.validate(d.name, shortenNumbers(value.Value()))
	if err != nil || len(leaves) == 0 {
		return nil, err
	}
	return d.translate(value, leaves)
}

// maxVerdicts is the number of verdicts in a memo. Most inputs need few.
const maxVerdicts = 4096

// memo caches verdicts. Programs repeat themselves in their mistakes as well,
// and a cached verdict costs about a hundredth of one by jsonschema/v5. Its
// invariants:
//
//   - The key of a verdict is the definition and the [shape] of the value, and
//     equal shapes have equal verdicts: a shape contains everything that the
//     schema and the translation of its errors look at.
//   - What a violation quotes from the value is not part of the verdict; it is
//     filled in for each value.
//   - A verdict never changes once it is stored, so readers share it.
//
// A memo is safe for concurrent use.
type memo struct {
	mu       sync.RWMutex // guards verdicts
	verdicts map[memoKey]*verdict
}

type memoKey struct {
	by    *definition
	shape string
}

func newMemo() *memo { return &memo{verdicts: map[memoKey]*verdict{}} }

// check appends the violations of a value to a list.
func (m *memo) check(list []Violation, value *source.Node, by *definition) ([]Violation, error) {
	var form shape
	known := by.known()
	shaped := form.add(known.relevance, value)
	if shaped {
		if cached := m.find(by, form.bytes()); cached != nil {
			return cached.append(list, value), nil
		}
		if known.isValid(form.bytes(), value) {
			m.add(by, form.bytes(), value, nil)
			return list, nil
		}
	}
	found, err := by.validate(value)
	if shaped && err == nil {
		m.add(by, form.bytes(), value, found)
	}
	return append(list, found...), err
}

func (m *memo) find(by *definition, shape []byte) *verdict {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.verdicts[memoKey{by, string(shape)}]
}

// add stores the verdict on the values of a shape, if the memo has capacity and
// the shape determines the verdict.
func (m *memo) add(by *definition, shape []byte, value *source.Node, found []Violation) {
	v, ok := newVerdict(by, value, found)
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.verdicts) < maxVerdicts {
		m.verdicts[memoKey{by, string(shape)}] = v
	}
}

// verdict has the violations of the values of one shape, none if they are
// valid.
type verdict []*cachedViolation

// cachedViolation is a violation without the value that has it.
type cachedViolation struct {
	violation Violation
	path      []int // from the value to the violation's node, as indexes of children
	quotes    bool  // Found and Nearest depend on more than the shape
	instead   int   // the index of the child of the node that Instead names, or -1

	latest atomic.Pointer[quotation] // values often have the same mistake as the one before
}

// quotation is what a violation says about a string.
type quotation struct{ found, nearest string }

// newVerdict reports false if the shape does not determine where a violation
// is.
func newVerdict(by *definition, value *source.Node, found []Violation) (*verdict, bool) {
	var all verdict
	for _, v := range found {
		path, at, ok := by.known().relevance.find(value, v.Node)
		if !ok {
			return nil, false
		}
		cached := &cachedViolation{
			path:    path,
			quotes:  v.origin == fromName || v.origin != fromKeys && !at.decides(v.Node),
			instead: -1,
		}
		if v.Instead != "" {
			cached.instead = slices.IndexFunc(v.Node.Children, func(n source.Node) bool { return n.Name == v.Instead })
		}
		v.Node, v.Expected = nil, slices.Clone(v.Expected)
		cached.violation = v
		all = append(all, cached)
	}
	return &all, true
}

// append appends the violations of a value of the shape to a list.
func (v *verdict) append(list []Violation, value *source.Node) []Violation {
	for _, c := range *v {
		list = append(list, c.violation)
		c.fill(&list[len(list)-1], value)
	}
	return list
}

// fill completes a copy of the violation for a value.
func (c *cachedViolation) fill(v *Violation, value *source.Node) {
	v.Node = value
	for _, child := range c.path {
		v.Node = &v.Node.Children[child]
	}
	if c.instead >= 0 {
		v.Instead = v.Node.Children[c.instead].Name
	}
	if c.quotes {
		c.quote(v)
	}
}

// quote sets what depends on the node's key or value, from the latest quotation
// if that was of the same string.
func (c *cachedViolation) quote(v *Violation) {
	if v.origin == fromName || v.Node.Kind != source.String {
		v.describe(v.origin)
		return
	}
	text := textOf(v.Node)
	if last := c.latest.Load(); last != nil && last.found[1:len(last.found)-1] == string(text) {
		v.Found, v.Nearest = last.found, last.nearest
		return
	}
	v.describe(v.origin)
	if v.Found[1:len(v.Found)-1] == string(text) { // neither truncated nor escaped
		c.latest.Store(&quotation{v.Found, v.Nearest})
	}
}

// find returns the path from a value to a node in it, and the relevance of the
// node. It fails where shapes do not say which members there are.
func (l *relevanceNode) find(from, node *source.Node) (path []int, at *relevanceNode, ok bool) {
	if from == node {
		return nil, l, true
	}
	if l == nil || l.Members == nil || from.Kind != source.Object {
		return nil, nil, false
	}
	for i := range from.Children {
		child := &from.Children[i]
		if path, at, ok := l.Members[child.Name].find(child, node); ok {
			return append([]int{i}, path...), at, true
		}
	}
	return nil, nil, false
}

// decides reports whether the shape of a value determines what a violation says
// about it.
func (l *relevanceNode) decides(n *source.Node) bool {
	switch {
	case !isScalar(n.Kind):
		return true
	case l == nil:
		return false
	case n.Kind == source.String:
		return slices.Contains(l.Texts, n.Text())
	}
	return l.Exact
}

// longNumber is the length, in bytes, above which numbers are shortened, as are
// those with an exponent: jsonschema/v5 computes with them exactly, in time that
// is not linear.
const longNumber = 64

// maxDigits is the number of digits of the largest bound in a schema, 1.8e308.
const maxDigits = 309

// shortenNumbers shortens the long numbers in a value, and returns the value.
func shortenNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if len(v) > longNumber || strings.ContainsAny(string(v), "eE") {
			return shortenNumber(v)
		}
	case map[string]any:
		for key, member := range v {
			v[key] = shortenNumbers(member)
		}
	case []any:
		for i := range v {
			v[i] = shortenNumbers(v[i])
		}
	}
	return value
}

// shortenNumber returns a short number that the schemas do not distinguish from
// a long one: the same integer up to maxDigits digits, one with more digits for
// a larger one, and 0.5 for a fraction, each with its sign.
func shortenNumber(number json.Number) json.Number {
	text, negative := strings.CutPrefix(string(number), "-")
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:]) // the nearest int if out of range
		exponent = min(max(exponent, -1<<40), 1<<40)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	zeros := exponent - len(fraction) + len(digits) - len(significant) // that follow the significant digits
	var short string
	switch {
	case significant == "":
		short = "0"
	case zeros < 0:
		short = "0.5"
	case zeros > maxDigits || len(significant)+zeros > maxDigits:
		short = "1" + strings.Repeat("0", maxDigits)
	default:
		short = significant + strings.Repeat("0", zeros)
	}
	if negative {
		short = "-" + short
	}
	return json.Number(short)
}

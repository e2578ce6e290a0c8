package validate

import (
	"encoding/binary"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// maxVerdicts is the number of verdicts in a memo. Most inputs need few.
const maxVerdicts = 4096

// maxKey is the size in bytes that the key of a value may have.
const maxKey = 512

// memo caches the verdicts of a document's definitions. Programs repeat
// themselves, in their mistakes as well, and a cached verdict costs about a
// hundredth of one by jsonschema/v5. Its invariants:
//
//   - The key of a verdict is the definition and all that its schema can see of
//     the value ([visible.appendKey]), so equal keys have equal verdicts.
//   - A verdict is what jsonschema/v5 answered, before it is translated: what a
//     violation says of the value is never cached.
//   - A verdict never changes once it is stored, so readers share it.
//
// A memo is safe for concurrent use.
type memo struct {
	document *document
	mu       sync.RWMutex // guards verdicts
	verdicts map[memoKey][]leaf
}

type memoKey struct{ definition, value string }

func newMemo(d *document) *memo { return &memo{document: d, verdicts: map[memoKey][]leaf{}} }

// check returns what violates a definition in a value, or nothing. The result
// is shared and must not be changed.
func (m *memo) check(definition string, value *source.Node) ([]leaf, error) {
	compiled, err := m.document.definition(definition)
	if err != nil {
		return nil, err
	}
	var space [maxKey]byte
	key := compiled.visible.appendKey(space[:0], value)
	if len(key) > maxKey {
		return m.document.validate(definition, compiled.visible.valueOf(value))
	}
	m.mu.RLock()
	leaves, ok := m.verdicts[memoKey{definition, string(key)}]
	m.mu.RUnlock()
	if ok {
		return leaves, nil
	}
	leaves, err = m.document.validate(definition, compiled.visible.valueOf(value))
	if err == nil {
		m.add(memoKey{definition, string(key)}, leaves)
	}
	return leaves, err
}

// add stores a verdict. A full memo forgets another one for it.
func (m *memo) add(key memoKey, leaves []leaf) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.verdicts) >= maxVerdicts {
		for other := range m.verdicts {
			delete(m.verdicts, other)
			break
		}
	}
	m.verdicts[key] = leaves
}

// appendKey appends all that the schema can see of a value: kinds and booleans
// always, of names, strings and numbers what [visible] says. Anything of
// variable length is preceded by its length, so different keys never look
// alike. A key that becomes longer than maxKey is cut somewhere.
func (v *visible) appendKey(key []byte, n *source.Node) []byte {
	key = append(key, byte(n.Kind))
	switch n.Kind {
	case source.Object, source.Array:
		key = binary.AppendUvarint(key, uint64(len(n.Children)))
		for i := 0; i < len(n.Children) && len(key) <= maxKey; i++ {
			child := &n.Children[i]
			if n.Kind == source.Object {
				key = v.appendName(key, child.Name)
			}
			key = v.appendKey(key, child)
		}
	case source.String:
		if v.isLongOther(n) {
			return append(key, textOther)
		}
		text := n.Bytes()
		if v.exact || v.texts[string(text)] {
			return appendExact(key, text)
		}
		return append(key, classOf(text))
	case source.Number:
		return v.appendNumber(key, n)
	case source.Bool:
		return append(key, n.Raw()[0]|0x20) // True in Python
	}
	return key
}

// appendName appends a name, or for one that the schema does not know that there is one.
func (v *visible) appendName(key []byte, name string) []byte {
	if !v.exact && !v.names[name] {
		return append(key, 0)
	}
	return append(binary.AppendUvarint(key, 1+uint64(len(name))), name...)
}

// What a key contains instead of a string or number that the schema sees only in part.
const (
	textEmpty = iota
	textZeros
	textDigits
	textOther
	isFraction
	isInteger
	isExact // its text follows
)

// appendExact appends a text with its length.
func appendExact(key, text []byte) []byte {
	key = binary.AppendUvarint(append(key, isExact), uint64(len(text)))
	return append(key, text[:min(len(text), maxKey)]...)
}

func classOf(text []byte) byte {
	class := byte(min(len(text), textZeros))
	for _, c := range text {
		switch {
		case c < '0' || c > '9':
			return textOther
		case c != '0':
			class = textDigits
		}
	}
	return class
}

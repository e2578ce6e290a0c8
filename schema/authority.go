package schema

import (
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// authority judges the records of one part by asking jsonschema/v5, and
// remembers the verdicts. Some are known before.
type recordValidator struct {
	dialect *Dialect
	part    Part
	schemas *compiled

	types                      []*definition // in the order of the dialect's types
	other, auth, ack, typeless *definition

	healthy func() []byte // published records that are valid
	memo    *memo
}

func newAuthority(d *Dialect, part Part) *recordValidator {
	a := &recordValidator{
		dialect: d,
		part:    part,
		schemas: newCompiled(d.ID(part.String()), func() []byte { return d.recordSchema(part).text() }),
		healthy: sync.OnceValue(func() []byte { return validSamples(d, part) }),
		memo:    newMemo(),
	}
	for i := range d.Types {
		a.types = append(a.types, a.definition(d.Types[i].Name, &d.Types[i]))
	}
	a.other = a.definition(defOther, nil)
	a.auth = a.definition(defAuth, nil)
	a.ack = a.definition(defAck, nil)
	a.typeless = a.definition(defTypeless, nil)
	return a
}

// judge has the schemas' verdict on a record.
func (a *recordValidator) judge(root *source.Node, by *definition) ([]Violation, error) {
	record := root.Value()
	reduceContent(record)
	failed, err := a.schemas.validate(by.name, record)
	if err != nil || failed == nil {
		return nil, err
	}
	return a.translate(root, by.typ, failed)
}

// recall appends the same verdict to a list, from memory where a record of that
// shape was judged before or is known to be valid.
func (a *recordValidator) cachedVerdict(list []Violation, root *source.Node, by *definition) ([]Violation, error) {
	var form shape
	known := by.known()
	shaped := form.add(known.relevance, root)
	if shaped {
		if remembered := a.memo.find(by, form.bytes()); remembered != nil {
			return remembered.append(list, root), nil
		}
		if known.isValid(form.bytes()) || known.isValidSorted(root) {
			a.memo.add(by, form.bytes(), root, nil)
			return list, nil
		}
	}
	found, err := a.judge(root, by)
	if shaped && err == nil {
		a.memo.add(by, form.bytes(), root, found)
	}
	return append(list, found...), err
}

package source

// Limits of the table of names; a protocol has a few dozen.
const (
	maxNames     = 512
	maxNameBytes = 64
)

// nameTable keeps the names that recur in every record, so that each is made
// a string only once.
type nameTable struct{ known map[string]string }

func (t *nameTable) get(raw []byte, escaped bool) string {
	if escaped {
		return decodeText(raw, false)
	}
	if name, ok := t.known[string(raw)]; ok {
		return name
	}
	name := string(raw)
	if len(raw) <= maxNameBytes && len(t.known) < maxNames {
		if t.known == nil {
			t.known = map[string]string{}
		}
		t.known[name] = name
	}
	return name
}

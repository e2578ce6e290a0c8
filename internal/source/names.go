package source

// Limits of the table of names; a protocol has a few dozen.
const (
	maxNames     = 512
	maxNameBytes = 64
)

// nameTable keeps the names that recur in every record, so that each is made
// a string only once.
type nameTable struct {
	known  map[string]string
	latest [32]string // of those that spot gives a place, the last one
}

// spot is the place of a name among the latest. Few names of a protocol share one.
func spot(raw []byte) int {
	if len(raw) == 0 {
		return 0
	}
	return (len(raw) + 3*int(raw[0]) + 5*int(raw[len(raw)-1])) % len(nameTable{}.latest)
}

func (t *nameTable) get(raw []byte, escaped bool) string {
	if escaped {
		return decodeText(raw, false)
	}
	latest := &t.latest[spot(raw)]
	if *latest == string(raw) {
		return *latest
	}
	if name, ok := t.known[string(raw)]; ok {
		*latest = name
		return name
	}
	name := string(raw)
	if len(raw) <= maxNameBytes && len(t.known) < maxNames {
		if t.known == nil {
			t.known = map[string]string{}
		}
		t.known[name] = name
		*latest = name
	}
	return name
}

package plugin

// Coverage is what occurred in an input. It is collected only with Settings.Coverage.
type Coverage struct {
	Records  map[RecordKind]int // how often records of each kind occurred; those above MaxRecordKinds are one kind without names
	Events   map[string]int     // how often something happened, by a plural: "blocks"
	Facts    map[string]bool    // what occurred, in the words of internal/coverage
	Inputs   Inputs             // the kinds of input
	Dialects map[string]bool    // in effect at the end of a conversation; published ones
	Touched  map[string]bool    // ids of requirements whose rules had a finding
}

// RecordKind is a kind of record.
type RecordKind struct{ Role, Type, Format string }

// MaxRecordKinds is how many kinds of record are counted apart.
const MaxRecordKinds = 256

// NewCoverage returns a coverage of nothing.
func NewCoverage() *Coverage {
	return &Coverage{
		Records: map[RecordKind]int{}, Events: map[string]int{}, Facts: map[string]bool{},
		Dialects: map[string]bool{}, Touched: map[string]bool{},
	}
}

// Count counts records of a kind.
func (c *Coverage) Count(k RecordKind, records int) {
	if _, known := c.Records[k]; !known && len(c.Records) >= MaxRecordKinds {
		k = RecordKind{}
	}
	c.Records[k] += records
}

// Add adds what occurred in another input or conversation, nil for nothing.
func (c *Coverage) Add(other *Coverage) {
	if other == nil {
		return
	}
	for k, n := range other.Records {
		c.Count(k, n)
	}
	for event, n := range other.Events {
		c.Events[event] += n
	}
	for _, set := range [][2]map[string]bool{{c.Facts, other.Facts}, {c.Dialects, other.Dialects}, {c.Touched, other.Touched}} {
		for word := range set[1] {
			set[0][word] = true
		}
	}
	c.Inputs |= other.Inputs
}

package plugin

import "maps"

// Coverage is what occurred in an input. It is collected only with Settings.Coverage.
type Coverage struct {
	Records  map[RecordKind]int // how often records of each kind occurred; those above maxRecordKinds are one kind without words
	Events   map[string]int     // how often something happened, by a plural: "blocks"
	Dialects map[string]bool    // in effect at the end of a conversation; published ones
	Touched  map[string]bool    // ids of requirements whose rules had a finding
}

// RecordKind is a kind of record. Words are what else decides which requirements apply to
// it: the kind of input, start, end or content, text, and keys.
type RecordKind struct{ Role, Type, Format, Words string }

// maxRecordKinds is how many kinds of record are counted apart.
const maxRecordKinds = 512

// NewCoverage returns a coverage of nothing.
func NewCoverage() *Coverage {
	return &Coverage{map[RecordKind]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}}
}

// Count counts records of a kind.
func (c *Coverage) Count(k RecordKind, records int) {
	if _, known := c.Records[k]; !known && len(c.Records) >= maxRecordKinds {
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
	maps.Copy(c.Dialects, other.Dialects)
	maps.Copy(c.Touched, other.Touched)
}

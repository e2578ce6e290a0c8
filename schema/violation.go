package schema

import "github.com/lmclint/lmclint/source"

// Violation is one way in which a record breaks its schema. It holds facts;
// the words are the rules' own.
type Violation struct {
	Rule     string       // the rule's id: LMC101 to LMC115, LMC120 or LMC307
	Node     *source.Node // the value that is wrong, or the object that lacks a key
	AtKey    bool         // the place is Node's key, not its value
	Key      string       // the key that is missing or wrong
	Found    string       // the offending value as text, shortened; "" for a missing key
	Expected []string     // what would be right: values, or JSON types
	Nearest  string       // the known value nearest to Found, or ""
	Type     string       // the record's type, where the expectation depends on it
}

// Part says which of a dialect's schemas judges a record.
type Part uint8

// The published schemas.
const (
	Message Part = iota + 1 // a whole message of a transcript
	Chunk                   // a record of a stream or of a session
)

// Validator judges records by the schemas of one dialect. It is safe for
// concurrent use; a schema is compiled when the first record needs it.
type Validator struct{ dialect *Dialect }

// NewValidator makes a validator for a dialect.
func NewValidator(d *Dialect) *Validator { return &Validator{dialect: d} }

// Check returns the violations of a record, in source order; none if it is
// valid. Root must be an object without duplicate keys.
func (v *Validator) Check(root *source.Node, part Part) ([]Violation, error) { return nil, nil }

// Lookup returns the dialect of that name.
func Lookup(name string) (*Dialect, bool) { return nil, false }

// Names returns the names of all dialects, the default first.
func Names() []string { return nil }

// Nearest returns the known word that a misspelled one probably meant.
func Nearest(word string, known []string) (string, bool) { return "", false }

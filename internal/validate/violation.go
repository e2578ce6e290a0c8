package validate

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/spelling"
)

// Violation is one way in which a record breaks its schema. It holds facts;
// the words are the rules' own.
type Violation struct {
	Rule     string       // the rule's id: LMC101 to LMC115, LMC120 or LMC307
	Node     *source.Node // the value that is wrong, or the object that lacks a key
	AtKey    bool         // the place is Node's key, not its value
	Key      string       // the key that is missing or wrong
	Found    string       // the offending value for people, as [Describe] has it; "" for a missing key
	Expected []string     // what would be right: values, or JSON types; for LMC112 the keys of which one may stand
	Nearest  string       // the known value nearest to Found, or for LMC110 the known key nearest to Key; or ""
	Instead  string       // for a missing key: the unknown key that was probably meant for it, or ""
	Type     string       // the record's type, where the expectation depends on it

	origin origin
}

// origin says what Found and Nearest of a violation are made of.
type origin uint8

const (
	fromKeys  origin = iota // what keys the record has
	fromName                // Key and Found are Node's own key
	fromValue               // Found is made of Node's value
	fromWord                // Nearest is too
)

// describe fills in what is made of Node's key or value.
func (v *Violation) describe(from origin) {
	v.origin = from
	switch from {
	case fromKeys:
		return
	case fromName:
		v.Key, v.Found = v.Node.Name, value.Quoted(v.Node.Name)
		return
	}
	if v.Node.Kind != source.String {
		v.Found = describe(v.Node)
		return
	}
	text := v.Node.Text()
	v.Found = value.Quoted(text)
	if from == fromWord {
		v.Nearest, _ = spelling.Nearest(text, v.Expected)
	}
}

// maxNumber is how many bytes of a number are looked at to show it. It is more
// than what is shown.
const maxNumber = 64

// describe says for people what a value is: a string in quotes, escaped and
// cut; a number or boolean behind its JSON type; null, array and object by
// their names.
func describe(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return value.Quoted(n.Text())
	case source.Number, source.Bool:
		return n.Kind.String() + " " + value.Truncate(string(n.Raw()[:min(len(n.Raw()), maxNumber)]))
	}
	return n.Kind.String()
}

package text

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// shape is how a value contains records.
type shape uint8

const (
	foreign  shape = iota // not at all
	single                // it is a record, or an object around one
	list                  // it is a list of records
	envelope              // it is an object with such a list
)

// content is the records of a value.
type content struct {
	shape     shape
	isWeak    bool   // its objects are records only beside others
	isOld     bool   // it is a record of an old version of the protocol
	isRequest bool   // it is a request to a language model
	key       string // of the list in an envelope
	records   []*value.Node
}

// decideObject finds the records of an object.
func decideObject(n *value.Node, what source.Detector) content {
	switch m := what(n); m {
	case source.Foreign:
	case source.Other:
		return content{}
	default:
		return content{
			shape: single, isWeak: m == source.Weak || m == source.WeakOld, isOld: m == source.Old || m == source.WeakOld, records: []*value.Node{n},
		}
	}
	for i := range n.Children {
		if c := &n.Children[i]; c.Kind == value.Array && source.IsListName(c.Name) {
			if found := decideList(c, what); found.shape != foreign {
				found.shape, found.key = envelope, c.Name
				found.isRequest = found.isWeak && n.Member("model") != nil
				return found
			}
		}
	}
	inner, count := source.Inner(n, what)
	if count != 1 {
		return content{}
	}
	return content{shape: single, records: []*value.Node{inner}}
}

// decideList finds the records of a list. If one is certain, all objects are read.
func decideList(n *value.Node, what source.Detector) content {
	found := content{shape: list, isWeak: true}
	hasPlain, allWeak := false, true
	for i := range n.Children {
		c := &n.Children[i]
		if c.Kind != value.Object {
			return content{}
		}
		rec := c
		part := decideObject(c, what)
		if part.shape == single {
			rec = part.records[0]
			hasPlain = hasPlain || !part.isWeak
		}
		allWeak = allWeak && part.isWeak && !part.isRequest
		found.records = append(found.records, rec)
	}
	switch {
	case hasPlain:
		found.isWeak = false
	case !allWeak || len(n.Children) == 0:
		return content{}
	}
	return found
}

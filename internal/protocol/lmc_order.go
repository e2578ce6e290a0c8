package protocol

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// recordOrder is the order in which an input has the records of a stream.
type recordOrder int

const (
	anyOrder recordOrder = iota // more records decide
	oldestFirst
	newestFirst
)

// orderOf returns the order of a stream, by its first flags: the last record comes
// first if an end, content and a start of one block follow each other, and what
// follows the start is not content of its block. A stream that lost its first
// start goes on with the next one and its content. A response of the server does
// not begin with its status. A record without a role decides, too: the input may be
// of another protocol. If final is set, no records follow.
func orderOf(records []*source.Record, final bool) recordOrder {
	var end, content *lmc.Record
	for i, src := range records {
		r := lmc.NewRecord(src)
		switch {
		case r.Role == "":
			return oldestFirst
		case r.End && r.Content == nil && !r.Start:
			end, content = r, nil
		case end == nil && r.Start:
			return oldestFirst
		case r.Start && (content == nil || !isSameBlock(r, end) || !isSameBlock(r, content)):
			return oldestFirst
		case r.Start && i+1 == len(records) && !final:
			return anyOrder
		case r.Start:
			if i+1 < len(records) && goesOn(r, lmc.NewRecord(records[i+1])) {
				return oldestFirst
			}
			return newestFirst
		case r.Content != nil && end != nil && content == nil:
			content = r
		}
	}
	if end == nil && (len(records) == 0 || lmc.NewRecord(records[0]).Role != "server") {
		return oldestFirst
	}
	return anyOrder
}

// goesOn reports whether next continues the block that start begins.
func goesOn(start, next *lmc.Record) bool { return isSameBlock(start, next) && !next.End }

// isSameBlock reports whether two records can be of the same block.
func isSameBlock(a, b *lmc.Record) bool { return a.Role == b.Role && a.Type == b.Type }

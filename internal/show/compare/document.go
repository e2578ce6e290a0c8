package compare

import (
	"encoding/hex"
	"slices"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
)

// DocumentVersion is the version of the JSON report. It increases when a reader of
// the previous version would be misled.
const DocumentVersion = 1

// Document is the JSON report, which schema/diff.schema.json describes.
type Document struct {
	Version     int                  `json:"version"`
	Tool        jsonreport.Tool      `json:"tool"`
	Options     Options              `json:"options"`
	A           documentRecording    `json:"a"`
	B           documentRecording    `json:"b"`
	Differences []documentDifference `json:"differences"`
	Explained   []documentDifference `json:"explained"`
	Summary     documentSummary      `json:"summary"`
}

type documentRecording struct {
	*Recording
	Blocks      int `json:"blocks"`
	Unreadable  int `json:"unreadable"`
	NotCompared int `json:"notCompared"`
}

type documentDifference struct {
	Change       Change         `json:"change"`
	A            *documentBlock `json:"a,omitempty"`
	B            *documentBlock `json:"b,omitempty"`
	Fields       []Field        `json:"fields,omitempty"`
	Reason       Reason         `json:"reason,omitempty"`
	Lines        []string       `json:"lines,omitempty"`
	OmittedLines int            `json:"omittedLines,omitempty"`
}

type documentBlock struct {
	*Block
	Bytes        int64            `json:"bytes"`
	Hash         string           `json:"hash"`
	Line         int              `json:"line"`
	Column       int              `json:"column"`
	Offset       int64            `json:"offset"`
	Record       jsonreport.Index `json:"record,omitzero"`
	Records      int              `json:"records"`
	Conversation jsonreport.Index `json:"conversation,omitzero"`
	Pointer      string           `json:"pointer"`
}

type documentSummary struct {
	Equal        int  `json:"equal"`
	Changed      int  `json:"changed"`
	Removed      int  `json:"removed"`
	Added        int  `json:"added"`
	Moved        int  `json:"moved"`
	Explained    int  `json:"explained"`
	Approximated bool `json:"approximated"`
}

// NewDocument returns the JSON report of a comparison.
func NewDocument(tool jsonreport.Tool, a, b *Recording, o Options, r *Result) *Document {
	counts := r.Counts()
	return &Document{
		Version: DocumentVersion, Tool: tool, Options: o,
		A: documentRecording{a, len(a.Blocks), a.Unread, r.LeftOut[0]}, B: documentRecording{b, len(b.Blocks), b.Unread, r.LeftOut[1]},
		Differences: newDifferences(r.Differences), Explained: newDifferences(r.Explained),
		Summary: documentSummary{
			r.Equal, counts[Changed], counts[Removed], counts[Added], counts[Moved], len(r.Explained), r.Approximated,
		},
	}
}

func newDifferences(list []Difference) []documentDifference {
	made := make([]documentDifference, len(list))
	for i := range list {
		d := &list[i]
		made[i] = documentDifference{Change: d.Change, A: newBlock(d.A), B: newBlock(d.B), Fields: slices.Clone(d.Fields), Reason: d.Reason}
		lines, omitted := d.Lines()
		for _, line := range lines {
			made[i].Lines = append(made[i].Lines, string(line.Op)+line.Text)
		}
		made[i].OmittedLines = omitted
	}
	return made
}

func newBlock(b *Block) *documentBlock {
	if b == nil {
		return nil
	}
	at := &b.Place
	return &documentBlock{
		b, b.Text.Bytes, hex.EncodeToString(b.Text.Hash[:]), max(at.Start.Line, 1), max(at.Start.Column, 1), at.Start.Offset,
		jsonreport.Index(at.Record), b.Records, jsonreport.Index(at.Conversation), at.Pointer,
	}
}

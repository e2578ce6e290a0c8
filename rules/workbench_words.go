package rules

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

// Pages and sources that the evidence of several rules names.
const (
	pageTypes    = "page Message Types of Semantic Workbench"
	pageMetadata = "page Message Metadata of Semantic Workbench"
	modelOf      = "semanticworkbench, workbench_model.py: "
)

// asList reads the kinds of JSON that would be right for people.
func asList(kinds []string) string {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = ofKind(kind)
	}
	return anyOf(words)
}

// inMetadata reports whether a value stands in a message's metadata.
func inMetadata(m *workbench.Message, n *source.Node) bool {
	return m != nil && m.Metadata != nil && n.Start > m.Metadata.Start && n.End < m.Metadata.End
}

// Package schema defines which records are valid: the vocabulary of each LMC
// dialect as data, and the JSON Schemas (draft 2020-12) of LMC, of Semantic
// Workbench, of reports, of configuration files and of the manifest of the
// conformance suite. The schemas are published as files in this directory and
// embedded.
//
// The schemas of the LMC dialects are generated from the dialects; run
// go generate ./... after changing one. The others are written by hand.
package schema

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

//go:embed *.schema.json */*.schema.json
var files embed.FS

// SuiteID is the $id of the schema of the manifest of the conformance suite.
const SuiteID = "https://lmclint.github.io/lmclint/schema/suite.schema.json"

// WorkbenchProtocol is the directory of the schemas of Semantic Workbench.
const WorkbenchProtocol = "workbench"

// PublishedSchema describes a published schema of LMC or Semantic Workbench.
type PublishedSchema struct {
	Name     string `json:"-"` // "chunk"
	Protocol string `json:"-"` // "lmc" or [WorkbenchProtocol]
	Dialect  string `json:"-"` // of LMC, else ""
	Title    string `json:"title"`
	ID       string `json:"$id"` // absolute
}

// Folder returns the directory of the schema, as [Source] expects it.
func (p PublishedSchema) Folder() string { return cmp.Or(p.Dialect, p.Protocol) }

// PublishedNames returns the names of the schemas of an LMC dialect.
func PublishedNames() []string { return []string{"message", "chunk", "confirmation", "transcript"} }

// WorkbenchNames returns the names of the schemas of Semantic Workbench.
func WorkbenchNames() []string {
	return []string{
		"message", "new-message", "message-list", "participant", "event", "sse-data", "export-record", "metadata", "conversation", "debug-data", "file", "file-versions",
		"export-assistant", "export-conversation", "export-message", "export-message-debug",
		"export-user-participant", "export-assistant-participant", "export-file", "export-file-version",
	}
}

// Published lists the schemas of LMC, those of the default dialect first, and
// those of Semantic Workbench.
func Published() ([]PublishedSchema, error) {
	var list []PublishedSchema
	for _, dialect := range Names() {
		for _, name := range PublishedNames() {
			list = append(list, PublishedSchema{Name: name, Protocol: "lmc", Dialect: dialect})
		}
	}
	for _, name := range WorkbenchNames() {
		list = append(list, PublishedSchema{Name: name, Protocol: WorkbenchProtocol})
	}
	for i := range list {
		p := &list[i]
		text, err := Source(p.Name, p.Folder())
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, p); err != nil { // the title and the id
			return nil, fmt.Errorf("schema %s of %s: %w", p.Name, p.Folder(), err)
		}
	}
	return list, nil
}

// Source returns the text of a published schema. The folder is the name of an LMC
// dialect, [WorkbenchProtocol], or "" for what is of no protocol: a report, a diff, a
// config, a suite or a suite-report. It returns an error for an unknown schema.
func Source(name, folder string) ([]byte, error) {
	text, err := files.ReadFile(path.Join(folder, name+".schema.json"))
	if err != nil {
		return nil, fmt.Errorf("no published schema %s of %s", name, folder)
	}
	return text, nil
}

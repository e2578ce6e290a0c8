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
)

//go:embed *.schema.json */*.schema.json
var published embed.FS

// SuiteID is the $id of the schema of the manifest of the conformance suite.
const SuiteID = "https://lmclint.github.io/lmclint/schema/suite.schema.json"

// WorkbenchProtocol is the directory of the schemas of Semantic Workbench.
const WorkbenchProtocol = "workbench"

// PublishedSchema describes a published schema of LMC or Semantic Workbench.
type PublishedSchema struct {
	Name     string // "chunk"
	Protocol string // "lmc" or [WorkbenchProtocol]
	Dialect  string // of LMC, else ""
	Title    string
	ID       string // its absolute $id
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
		if err := list[i].readHead(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readHead reads the title and the id.
func (p *PublishedSchema) readHead() error {
	text, err := Source(p.Name, p.Folder())
	if err != nil {
		return err
	}
	var head struct {
		Title string `json:"title"`
		ID    string `json:"$id"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("schema %s of %s: %w", p.Name, p.Folder(), err)
	}
	p.Title, p.ID = head.Title, head.ID
	return nil
}

// Source returns the text of a published schema. The folder is the name of an
// LMC dialect or [WorkbenchProtocol]. It returns an error for an unknown schema.
func Source(name, folder string) ([]byte, error) {
	text, err := published.ReadFile(folder + "/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no published schema %s of %s", name, folder)
	}
	return text, nil
}

// Config returns the text of the published schema of configuration files.
func Config() []byte { return whole("config") }

// Report returns the text of the published schema of JSON reports.
func Report() []byte { return whole("report") }

// Diff returns the text of the published schema of the JSON reports of lmclint diff.
func Diff() []byte { return whole("diff") }

// Suite returns the text of the published schema of the conformance suite's
// manifest.
func Suite() []byte { return whole("suite") }

// SuiteReport returns the text of the published schema of what suite run
// reports as JSON.
func SuiteReport() []byte { return whole("suite-report") }

// whole returns the text of a published schema that belongs to no protocol.
func whole(name string) []byte {
	text, err := published.ReadFile(name + ".schema.json")
	if err != nil {
		panic("schema: " + err.Error()) // it is embedded
	}
	return text
}

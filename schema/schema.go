// Package schema says what a record may be: the vocabulary of each dialect of
// LMC, and of Semantic Workbench, as data, the JSON Schemas (draft 2020-12)
// that follow from it, published as they are in this folder and embedded, and
// the verdict on a record.
//
// jsonschema/v5 decides; its errors leave the package only as [Violation]s,
// which name a rule and the key or value that is wrong.
package schema

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed */*.schema.json
var published embed.FS

// PublishedSchema names one of the schemas in this folder.
type PublishedSchema struct {
	Name     string // "chunk"
	Protocol string // "lmc" or [WorkbenchProtocol]
	Dialect  string // of LMC, else ""
	Title    string
	ID       string // its absolute $id
}

// Folder is what [Source] calls the dialect or protocol of the schema.
func (p PublishedSchema) Folder() string { return cmp.Or(p.Dialect, p.Protocol) }

// PublishedNames returns the names that an LMC dialect's schemas have.
func PublishedNames() []string { return []string{"message", "chunk", "confirmation", "transcript"} }

// WorkbenchProtocol is the folder of the schemas of Semantic Workbench.
const WorkbenchProtocol = "workbench"

// WorkbenchNames returns the names of the schemas of Semantic Workbench.
func WorkbenchNames() []string {
	return []string{"message", "new-message", "message-list", "participant", "event", "sse-data", "export-record", "metadata"}
}

// Published lists the schemas in this folder, those of LMC's default dialect
// first, and those of Semantic Workbench last.
func Published() ([]PublishedSchema, error) {
	var list []PublishedSchema
	add := func(folder string, names []string) error {
		for _, name := range names {
			p, err := describePublished(name, folder)
			if err != nil {
				return err
			}
			list = append(list, p)
		}
		return nil
	}
	for _, dialect := range Names() {
		if err := add(dialect, PublishedNames()); err != nil {
			return nil, err
		}
	}
	if err := add(WorkbenchProtocol, WorkbenchNames()); err != nil {
		return nil, err
	}
	return list, nil
}

func describePublished(name, folder string) (PublishedSchema, error) {
	text, err := Source(name, folder)
	if err != nil {
		return PublishedSchema{}, err
	}
	var head struct {
		Title string `json:"title"`
		ID    string `json:"$id"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return PublishedSchema{}, fmt.Errorf("schema %s of %s: %w", name, folder, err)
	}
	p := PublishedSchema{Name: name, Protocol: "lmc", Dialect: folder, Title: head.Title, ID: head.ID}
	if folder == WorkbenchProtocol {
		p.Protocol, p.Dialect = folder, ""
	}
	return p, nil
}

// Source returns a schema of this folder as it is published. The folder is a
// dialect, or [WorkbenchProtocol]. It fails if there is none of that name.
func Source(name, dialect string) ([]byte, error) {
	text, err := published.ReadFile(dialect + "/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema %s of %s is published", name, dialect)
	}
	return text, nil
}

//go:embed report.schema.json
var report string

//go:embed config.schema.json
var config string

// Config returns the schema of a configuration file, as it is published.
func Config() []byte { return []byte(config) }

// Report returns the schema of the report that --format json writes, as it is
// published.
func Report() []byte { return []byte(report) }

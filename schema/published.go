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

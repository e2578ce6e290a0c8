package schema

import (
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed */*.schema.json
var published embed.FS

// PublishedSchema names one of the schemas in this folder.
type PublishedSchema struct {
	Name    string // "chunk"
	Dialect string
	Title   string
	ID      string // its absolute $id
}

// PublishedNames returns the names that a dialect's schemas have.
func PublishedNames() []string { return []string{"message", "chunk", "confirmation", "transcript"} }

// Published lists the schemas in this folder, those of the default dialect
// first.
func Published() ([]PublishedSchema, error) {
	var list []PublishedSchema
	for _, dialect := range Names() {
		for _, name := range PublishedNames() {
			text, err := Source(name, dialect)
			if err != nil {
				return nil, err
			}
			var head struct {
				Title string `json:"title"`
				ID    string `json:"$id"`
			}
			if err := json.Unmarshal(text, &head); err != nil {
				return nil, fmt.Errorf("schema %s of dialect %s: %w", name, dialect, err)
			}
			list = append(list, PublishedSchema{Name: name, Dialect: dialect, Title: head.Title, ID: head.ID})
		}
	}
	return list, nil
}

// Source returns a schema of this folder as it is published. It fails if the
// dialect or the name is not known.
func Source(name, dialect string) ([]byte, error) {
	text, err := published.ReadFile(dialect + "/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema %s of dialect %s is published", name, dialect)
	}
	return text, nil
}

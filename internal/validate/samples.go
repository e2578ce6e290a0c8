package validate

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/schema"
)

// samples has valid records of the published dialects. A record of the shape of a
// sample is valid without compiling a schema, which would take most of the time
// of a short run. A file has a section for each definition: a line with the
// definition's name and relevance, and valid records of different shapes.
// TestGeneratedSamples writes the files from the compiled schemas.
//
//go:embed samples/*.jsonl
var samples embed.FS

// samplesOf returns the samples of a published dialect, and nothing for a
// dialect that was changed in any way.
func samplesOf(d *schema.Dialect, part schema.Part) []byte {
	if !d.IsPublished() {
		return nil
	}
	text, err := samples.ReadFile("samples/" + d.Name + "." + part.String() + ".jsonl")
	if err != nil {
		return nil
	}
	return text
}

// knowledge is what is known about a definition before a value is validated.
type knowledge struct {
	relevance *relevanceNode         // what a verdict can depend on
	valid     map[string]bool        // shapes of valid records
	sorted    func() map[string]bool // their shapes with sorted members; nil if there are none
}

// isValid reports whether a record of that shape is known to be valid, in any
// order of its members, which the schemas ignore.
func (k *knowledge) isValid(form []byte, root *source.Node) bool {
	if k.valid[string(form)] {
		return true
	}
	sorted := shape{sorted: true}
	return k.sorted != nil && sorted.add(k.relevance, root) && k.sorted()[string(sorted.bytes())]
}

// sectionHead is the beginning of a section. No record begins like it.
const sectionHead = `{"definition": `

// readSection returns what the samples say about a definition, or nil if they
// say nothing or cannot be read. Then the schema is compiled.
func readSection(samples []byte, definition string) *knowledge {
	from := bytes.Index(samples, []byte(sectionHead+strconv.Quote(definition)+","))
	if from < 0 {
		return nil
	}
	section := samples[from:]
	if next := bytes.Index(section, []byte("\n"+sectionHead)); next >= 0 {
		section = section[:next+1]
	}
	known, err := parseSection(section)
	if err != nil {
		return nil
	}
	return known
}

func parseSection(section []byte) (*knowledge, error) {
	line, records, _ := bytes.Cut(section, []byte("\n"))
	var head struct {
		Definition string         `json:"definition"`
		Relevance  *relevanceNode `json:"relevance"`
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&head); err != nil {
		return nil, fmt.Errorf("read samples: %w", err)
	}
	if head.Relevance == nil {
		return nil, errors.New("samples have no relevance")
	}
	valid, err := shapesOf(records, head.Relevance, false)
	if err != nil {
		return nil, err
	}
	return &knowledge{relevance: head.Relevance, valid: valid, sorted: sync.OnceValue(func() map[string]bool {
		sorted, _ := shapesOf(records, head.Relevance, true)
		return sorted
	})}, nil
}

// shapesOf returns the shapes of records. Not every record has a shape with
// sorted members.
func shapesOf(records []byte, relevance *relevanceNode, sorted bool) (map[string]bool, error) {
	shapes := map[string]bool{}
	for root, err := range value.Values(records) {
		if err != nil {
			return nil, fmt.Errorf("read samples: %w", err)
		}
		form := shape{sorted: sorted}
		switch ok := form.add(relevance, root); {
		case ok:
			shapes[string(form.bytes())] = true
		case !sorted:
			return nil, errors.New("a sample has no shape")
		}
	}
	return shapes, nil
}

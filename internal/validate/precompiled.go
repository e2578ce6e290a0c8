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

// Every dialect's folder has the shapes of its healthy records, so that an
// input of nothing else compiles no schema. A file is written from the schemas
// by TestHealthyFollowsSchemas. For each definition it has a line with what a verdict can
// depend on, and behind it records that are valid, one of each shape.
//
//go:embed samples/*.jsonl
var healthyFiles embed.FS

// knowledge is what is known of a definition before a record is judged by it.
type precompiled struct {
	relevance *relevanceNode      // what a verdict can depend on
	valid     map[string]struct{} // shapes of valid records
	sorted    func() map[string]struct{}
}

// knowledgeOf reads what is published about a definition. It asks the schema
// where nothing is.
func (a *recordValidator) knowledgeOf(by *definition) *precompiled {
	if section := healthySection(a.healthy(), by.name); section != nil {
		if known, err := readKnowledge(section, false); err == nil {
			known.sorted = sync.OnceValue(func() map[string]struct{} {
				sorted, err := readKnowledge(section, true)
				if err != nil {
					return nil
				}
				return sorted.valid
			})
			return known
		}
	}
	return &precompiled{relevance: a.relevanceOf(by)}
}

// isValid reports whether records of a shape are known to be valid.
func (k *precompiled) isValid(shape []byte) bool {
	_, ok := k.valid[string(shape)]
	return ok
}

// isValidSorted reports whether a record is known to be valid whatever the order
// of its members, which is all the same to the schemas.
func (k *precompiled) isValidSorted(root *source.Node) bool {
	form := shape{sorted: true}
	if k.sorted == nil || !form.add(k.relevance, root) {
		return false
	}
	_, ok := k.sorted()[string(form.bytes())]
	return ok
}

// healthyText returns the healthy records of one of our own dialects, and
// nothing for a dialect that was changed in any way.
func validSamples(d *schema.Dialect, part schema.Part) []byte {
	if !d.IsPublished() {
		return nil
	}
	text, err := healthyFiles.ReadFile("samples/" + d.Name + "." + part.String() + ".jsonl")
	if err != nil {
		return nil
	}
	return text
}

// sectionHead is how the first line of a definition begins. No record begins
// like it.
const sectionHead = `{"definition": `

// healthySection returns the lines of a definition, nil if it has none.
func healthySection(text []byte, definition string) []byte {
	from := bytes.Index(text, []byte(sectionHead+strconv.Quote(definition)+","))
	if from < 0 {
		return nil
	}
	section := text[from:]
	if behind := bytes.Index(section, []byte("\n"+sectionHead)); behind >= 0 {
		section = section[:behind+1]
	}
	return section
}

// readKnowledge reads the lines of a definition. The shapes may be those of
// records with their members sorted, as far as there are such.
func readKnowledge(section []byte, sorted bool) (*precompiled, error) {
	line, records, _ := bytes.Cut(section, []byte("\n"))
	var head struct {
		Definition string         `json:"definition"`
		Relevance  *relevanceNode `json:"relevance"`
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&head); err != nil {
		return nil, fmt.Errorf("schema: healthy records: %w", err)
	}
	if head.Relevance == nil {
		return nil, errors.New("schema: healthy records without relevance")
	}
	known := &precompiled{relevance: head.Relevance, valid: map[string]struct{}{}}
	for root, err := range value.Values(records) {
		if err != nil {
			return nil, fmt.Errorf("schema: healthy records: %w", err)
		}
		if !known.add(root, sorted) && !sorted {
			return nil, errors.New("schema: a healthy record without a shape")
		}
	}
	return known, nil
}

// add adds the shape of a record, and reports whether it has one.
func (k *precompiled) add(root *source.Node, sorted bool) bool {
	form := shape{sorted: sorted}
	if !form.add(k.relevance, root) {
		return false
	}
	k.valid[string(form.bytes())] = struct{}{}
	return true
}

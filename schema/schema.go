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
	"math"
	"path"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/plainjson"
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

// Published generates the texts of the dialect's published schemas, by name.
func (d *Dialect) Published() map[string][]byte {
	texts := map[string][]byte{}
	publish := func(name string, schema object, definitions object) {
		texts[name] = []byte(layout(schema.with("$defs", definitions), "", lineWidth) + "\n")
	}
	for _, part := range []Part{Message, Chunk} {
		publish(part.String(), d.recordSchema(part).with("examples", d.examples(part)), d.definitions(part))
	}
	publish("transcript", d.head("transcript", "LMC transcript", "A conversation: a list of whole messages.").
		with("$comment", "LMC-TRN-1").
		with("type", "array").
		with("items", d.record(Message)).
		with("examples", []any{d.examples(Message)}), d.definitions(Message))
	if t, ok := d.Type("confirmation"); ok {
		schema := append(d.head("confirmation", "LMC confirmation", t.Summary), requirements("LMC-VOC-7"))
		schema = append(schema, d.typeBody(t, Chunk)...)
		publish("confirmation", schema.with("examples", d.typeExamples(t, Chunk)), d.confirmationDefinitions())
	}
	return texts
}

// examples returns records that satisfy the schema of a part.
func (d *Dialect) examples(part Part) []any {
	var examples []any
	for i := range d.Types {
		if t := &d.Types[i]; t.In(part) {
			examples = append(examples, d.typeExamples(t, part)...)
		}
	}
	if part == Chunk && d.ServerFrames {
		examples = append(examples,
			object{{"role", "user"}, {"start", true}},
			object{{"auth", "key"}},
			object{{"ack", "vytxeTZskVKR7C7WgdSP3d"}},
		)
	}
	return examples
}

// typeExamples returns a content of each format, between flags if the type has
// them.
func (d *Dialect) typeExamples(t *Type, part Part) []any {
	head := func(format string) object {
		record := object{{"role", slices.Concat(t.Roles, []string{"user"})[0]}, {"type", t.Name}}
		if format != "" {
			record = record.with("format", format)
		}
		return record
	}
	whole := func(record object) object {
		for _, key := range t.Keys {
			record = record.with(key, map[string]any{
				"paths": []string{"/home/me/plot.png"}, "path": "/home/me/notes.txt", "target": "/home/me/notes.txt", "name": "view_image", "tool_call_id": "call_1",
			}[key])
		}
		return record
	}
	if t.Bare {
		return []any{whole(head(""))}
	}
	format := "" // that a record of the type may have
	switch {
	case t.AnyCode:
		format = append(d.LanguageNames(), "text")[0]
	case len(t.Formats) > 0 && t.Options != FormatOptional:
		format = t.Formats[0].Name
	}
	var contents []any
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		for _, content := range d.contentExamples(t, f) {
			contents = append(contents, whole(head(name).with("content", content)))
		}
	}
	if len(contents) == 0 {
		contents = []any{whole(head(format).with("content", t.Example))}
	}
	if part != Chunk || !t.Flags {
		return contents
	}
	if t.Options == FormatOnContentOnly {
		format = ""
	}
	return slices.Concat([]any{head(format).with("start", true)}, contents, []any{head(format).with(d.EndKey, true)})
}

func (d *Dialect) contentExamples(t *Type, f *Format) []any {
	switch f.Content {
	case ContentLine:
		lines := []any{1}
		if d.DigitStrings {
			lines = append(lines, "1")
		}
		if d.NullLine {
			lines = append(lines, nil)
		}
		return lines
	case ContentConfirmation:
		examples := []any{object{{"type", "code"}, {"format", "python"}, {"content", "34 / 24"}}}
		if d.LegacyConfirm {
			examples = append(examples, object{{"type", "code"}, {"language", "python"}, {"code", "34 / 24"}})
		}
		return examples
	case ContentEdit:
		return []any{object{{"format", "sed"}, {"content", "s/a/b/"}, {"target", "/home/me/notes.txt"}}}
	}
	if f.Example != "" {
		return []any{f.Example}
	}
	return []any{t.Example}
}

// lineWidth is the length, in bytes, above which a line of a published schema is
// broken.
const lineWidth = 100

// layout formats a value as JSON: an object or a list on one line if that fits into a
// width, and a list of words in any case.
func layout(value any, indent string, width int) string {
	brackets, inner := "[]", indent+"  "
	var items []string
	switch value := value.(type) {
	case object:
		brackets = "{}"
		for _, m := range value {
			items = append(items, layout(m.name, "", width)+": "+layout(m.value, inner, width))
		}
	case []any:
		for _, element := range value {
			items = append(items, layout(element, inner, width))
		}
	case []string:
		width = math.MaxInt
		for _, word := range value {
			items = append(items, layout(word, "", width))
		}
	default: // a string, number, boolean or null
		text, err := plainjson.Marshal(value)
		if err != nil {
			panic(err) // a schema has only what JSON can write
		}
		return string(text)
	}
	if line := brackets[:1] + strings.Join(items, ", ") + brackets[1:]; len(indent)+len(line) <= width {
		return line
	}
	return brackets[:1] + "\n" + inner + strings.Join(items, ",\n"+inner) + "\n" + indent + brackets[1:]
}

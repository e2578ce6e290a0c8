package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// WriteSamples returns the file of a part's samples: of the records that the
// dialect's types allow and then of others, the valid ones of different shapes.
// The compiled schemas decide.
func WriteSamples(d *schema.Dialect, part schema.Part, others []string) (string, error) {
	a := newPartValidator(d, part)
	records, err := readRecords(append(sampleRecords(d, part), others...))
	if err != nil {
		return "", err
	}
	sections, order := map[*definition][]string{}, []*definition{}
	relevances := map[*definition]*relevanceNode{}
	shapes := map[string]bool{}
	for _, root := range records {
		by := a.definitionOf(root)
		if relevances[by] == nil {
			relevances[by] = a.relevanceOf(by.name, a.typeOf(by))
		}
		var form shape
		if !form.add(relevances[by], root) || shapes[by.name+string(form.bytes())] {
			continue
		}
		violations, err := by.validate(root)
		if err != nil {
			return "", err
		}
		if len(violations) > 0 {
			continue
		}
		shapes[by.name+string(form.bytes())] = true
		if sections[by] == nil {
			order = append(order, by)
		}
		sections[by] = append(sections[by], withoutTexts(root))
	}
	var text strings.Builder
	for _, by := range order {
		head, err := relevanceText(relevances[by])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "%s%q, \"relevance\": %s}\n", sectionHead, by.name, head)
		for _, record := range sections[by] {
			fmt.Fprintln(&text, record)
		}
	}
	return text.String(), nil
}

// typeOf returns the type of a definition, or nil.
func (p *partValidator) typeOf(by *definition) *schema.Type {
	if i := slices.Index(p.types, by); i >= 0 {
		return &p.dialect.Types[i]
	}
	return nil
}

// SampleRecords returns the records of a part's samples, one line each.
func SampleRecords(d *schema.Dialect, part schema.Part) []string {
	var records []string
	for line := range strings.Lines(string(samplesOf(d, part))) {
		if !strings.HasPrefix(line, sectionHead) {
			records = append(records, strings.TrimSuffix(line, "\n"))
		}
	}
	return records
}

// SampleRelevances returns the relevance of each definition in a part's
// samples, written again after it was read, and as the file has it.
func SampleRelevances(d *schema.Dialect, part schema.Part) (read, written []string, err error) {
	for line := range strings.Lines(string(samplesOf(d, part))) {
		if !strings.HasPrefix(line, sectionHead) {
			continue
		}
		known, err := parseSection([]byte(line))
		if err != nil {
			return nil, nil, err
		}
		text, err := relevanceText(known.relevance)
		if err != nil {
			return nil, nil, err
		}
		_, relevance, _ := strings.Cut(strings.TrimSuffix(line, "}\n"), `"relevance": `)
		read, written = append(read, text), append(written, relevance)
	}
	return read, written, nil
}

// ReadSamples reads the lines of a definition as a validator does.
func ReadSamples(section string) error {
	_, err := parseSection([]byte(section))
	return err
}

func readRecords(texts []string) ([]*source.Node, error) {
	reader := source.NewReader(strings.NewReader(strings.Join(texts, "\n")), source.Options{Form: source.FormJSONL})
	var roots []*source.Node
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return roots, nil
		}
		if err != nil {
			return nil, err
		}
		roots = append(roots, record.Clone().Root)
	}
}

// withoutTexts returns a record with its variable texts emptied.
func withoutTexts(n *source.Node) string {
	switch {
	case n.Kind == source.Object:
		var members record
		for i := range n.Children {
			child := &n.Children[i]
			members = append(members, jsonText(child.Name)+": "+withoutTexts(child))
		}
		return members.text()
	case n.Kind == source.String && slices.Contains([]string{"content", "code", "id"}, n.Name) && !digits.MatchString(n.Text()):
		return `""`
	}
	return jsonText(n.Value())
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// relevanceText returns a relevance as the samples have it.
func relevanceText(l *relevanceNode) (string, error) {
	l.sort()
	text, err := json.Marshal(l)
	return string(text), err
}

// sort sorts the lists whose order does not matter; schemas are walked through
// in the order of a map.
func (l *relevanceNode) sort() {
	slices.Sort(l.Texts)
	slices.Sort(l.Bounds)
	slices.SortFunc(l.Patterns, func(a, b *regexp.Regexp) int { return strings.Compare(a.String(), b.String()) })
	l.Patterns = slices.CompactFunc(l.Patterns, func(a, b *regexp.Regexp) bool { return a.String() == b.String() })
	for _, member := range l.Members {
		member.sort()
	}
}

// record is a JSON object as the texts of its members.
type record []string

func (r record) with(key string, value any) record {
	return append(r[:len(r):len(r)], jsonText(key)+": "+jsonText(value))
}

func (r record) text() string { return "{" + strings.Join(r, ", ") + "}" }

func jsonText(value any) string {
	if raw, ok := value.(record); ok {
		return raw.text()
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sampleRecords returns records of a dialect's types as Open Interpreter writes
// them, with the roles that commonly send them.
func sampleRecords(d *schema.Dialect, part schema.Part) []string {
	var records []record
	for i := range d.Types {
		if t := &d.Types[i]; t.In(part) {
			records = append(records, samplesOfType(d, t, part)...)
		}
	}
	if part == schema.Chunk && d.ServerFrames {
		user := record{}.with("role", "user")
		records = append(records, user.with("start", true), user.with(d.EndKey, true),
			record{}.with("auth", ""), record{}.with("auth", true), record{}.with("ack", ""))
	}
	var texts []string
	for _, record := range records {
		texts = append(texts, record.text())
	}
	return texts
}

func samplesOfType(d *schema.Dialect, t *schema.Type, part schema.Part) []record {
	var records []record
	for _, role := range t.Roles {
		for _, format := range sampleFormats(d, t) {
			head := record{}.with("role", role).with("type", t.Name)
			if format != "" {
				head = head.with("format", format)
			}
			records = append(records, sampleBlock(d, t, head, role, format, part)...)
		}
	}
	if part == schema.Message || !d.ServerFrames {
		return records
	}
	for _, r := range records { // the server numbers what it sends
		if r[0] != `"role": "user"` {
			records = append(records, r.with("id", ""))
		}
	}
	return records
}

// sampleFormats returns the formats of a type, "" where it may have none.
func sampleFormats(d *schema.Dialect, t *schema.Type) []string {
	var formats []string
	if t.Options != schema.FormatRequired {
		formats = append(formats, "")
	}
	if t.AnyCode {
		formats = append(formats, d.LanguageNames()...)
	}
	for i := range t.Formats {
		formats = append(formats, t.Formats[i].Name)
	}
	return formats
}

// sampleBlock returns a block of one format: its flags and contents.
func sampleBlock(d *schema.Dialect, t *schema.Type, head record, role, format string, part schema.Part) []record {
	var records []record
	if part == schema.Chunk && t.Flags && (format == "" || t.Options != schema.FormatOnContentOnly) {
		records = append(records, head.with("start", true), head.with(d.EndKey, true))
	}
	for _, content := range sampleContents(d, t, format) {
		r := withOwnKeys(head.with("content", content), t, role)
		if t.Bare {
			r = withOwnKeys(head, t, role)
		}
		records = append(records, r)
		if role != "computer" || content != "" || !d.Recipient {
			continue
		}
		for _, recipient := range schema.Recipients() {
			records = append(records, r.with("recipient", recipient))
		}
	}
	return records
}

// withOwnKeys adds the keys that a type or its role requires besides the common
// ones.
func withOwnKeys(r record, t *schema.Type, role string) record {
	for _, key := range append(slices.Clone(t.Keys), t.RoleKeys[role]...) {
		if key == "paths" {
			r = r.with(key, []string{})
			continue
		}
		r = r.with(key, "")
	}
	return r
}

func sampleContents(d *schema.Dialect, t *schema.Type, format string) []any {
	f, ok := t.Format(format)
	switch {
	case ok && f.Content == schema.ContentLine && d.DigitStrings:
		return []any{1, "1", nil, 2}
	case ok && f.Content == schema.ContentLine:
		return []any{1, nil, 2}
	case ok && f.Content == schema.ContentConfirmation:
		code := record{}.with("type", "code")
		return []any{
			code.with("format", "python").with("content", "34 / 24"),
			code.with("language", "python").with("code", "34 / 24"),
		}
	case ok && f.Content == schema.ContentEdit:
		return []any{record{}.with("type", "edit").with("format", "sed").with("content", "").with("target", "")}
	}
	return []any{""}
}

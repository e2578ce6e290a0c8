package schema

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// WriteHealthy writes the file of a part's healthy records: of those that the
// dialect makes, and then of others, the valid ones of different shapes.
// Everything in it comes from the compiled schemas.
func WriteHealthy(d *Dialect, part Part, others []string) (string, error) {
	a := newAuthority(d, part)
	records, err := readRecords(append(healthyRecords(d, part), others...))
	if err != nil {
		return "", err
	}
	sections, order := map[*definition][]string{}, []*definition{}
	shapes := map[string]bool{}
	for _, root := range records {
		by := a.definitionOf(root)
		var form shape
		if !form.add(a.relevanceOf(by), root) || shapes[by.name+string(form.bytes())] {
			continue
		}
		violations, err := a.judge(root, by)
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
		sections[by] = append(sections[by], inline(emptied(root)))
	}
	var text strings.Builder
	for _, by := range order {
		head := object{{"definition", by.name}, {"relevance", a.relevanceOf(by).document()}}
		fmt.Fprintln(&text, inline(head))
		for _, record := range sections[by] {
			fmt.Fprintln(&text, record)
		}
	}
	return text.String(), nil
}

// HealthyRecords returns the records of a part's file, one line each.
func HealthyRecords(d *Dialect, part Part) []string {
	var records []string
	for line := range strings.Lines(string(validSamples(d, part))) {
		if !strings.HasPrefix(line, sectionHead) {
			records = append(records, strings.TrimSuffix(line, "\n"))
		}
	}
	return records
}

// Relevances returns what is read of a part's file about each definition, as
// it is written.
func Relevances(d *Dialect, part Part) (read, written []string, err error) {
	for line := range strings.Lines(string(validSamples(d, part))) {
		if !strings.HasPrefix(line, sectionHead) {
			continue
		}
		known, err := readKnowledge([]byte(line), false)
		if err != nil {
			return nil, nil, err
		}
		_, relevance, _ := strings.Cut(strings.TrimSuffix(line, "}\n"), `"relevance": `)
		read, written = append(read, inline(known.relevance.document())), append(written, relevance)
	}
	return read, written, nil
}

// ReadHealthy reads the lines of a definition as a validator does.
func ReadHealthy(section string) error {
	_, err := readKnowledge([]byte(section), false)
	return err
}

func readRecords(texts []string) ([]*source.Node, error) {
	reader := source.NewReader(bytes.NewReader([]byte(strings.Join(texts, "\n"))), source.Options{Form: source.FormJSONL})
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

// emptied is a record without the texts that are its own.
func emptied(n *source.Node) any {
	switch {
	case n.Kind == source.Object:
		var members object
		for i := range n.Children {
			members = members.with(n.Children[i].Name, emptied(&n.Children[i]))
		}
		return members
	case n.Kind == source.String && slices.Contains([]string{"content", "code", "id"}, n.Name) && !digits.MatchString(n.Text()):
		return ""
	}
	return n.Value()
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// document is a location as it is written.
func (l *relevanceNode) document() object {
	document := object{}
	flags := []bool{l.opaque, l.exact, l.integer}
	for i, name := range []string{"opaque", "exact", "integer"} {
		if flags[i] {
			document = document.with(name, true)
		}
	}
	if len(l.texts) > 0 {
		document = document.with("texts", sortedValues(l.texts))
	}
	if l.near != nil {
		document = document.with("near", l.near) // in the order in which the nearest is looked for
	}
	if len(l.bounds) > 0 {
		document = document.with("bounds", sortedValues(l.bounds))
	}
	var patterns []string
	for _, pattern := range l.patterns {
		patterns = append(patterns, pattern.String())
	}
	if len(patterns) > 0 {
		document = document.with("patterns", sortedValues(patterns))
	}
	if l.members == nil {
		return document
	}
	members := object{}
	for name, member := range l.members {
		members = members.with(name, member.document())
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	return document.with("members", members)
}

func sortedValues[T cmp.Ordered](values []T) []any {
	var list []any
	for _, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
		list = append(list, value)
	}
	return list
}

package suite

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The parts of a document with requirements. An item of a list begins with an
// anchor and the id; a reason for a missing rule or case is in italics, at the end of
// the item, or as a paragraph of the section for all of its items.
var (
	requirementItem  = pattern(`^- <a id="([a-z0-9-]+)"></a>\*\*([A-Z]+-[A-Z]+-[0-9]+)\*\* (.*)$`)
	requirementTitle = pattern(`^##+ (.*)$`)
	reasonText       = pattern(`\*No (rule|case): ([^*]*)\*`)
	keyWord          = pattern(`\b(MUST|SHOULD|MAY)\b`)
	markdownLink     = pattern(`\[([^\]]*)\]\([^)]*\)`)
)

// pattern returns a function that compiles an expression once, when it is needed.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// ParseRequirements returns the requirements of a document in Markdown, in its
// order and without their rules. It returns an error for an item that has no key
// word, is not numbered in order, or has another anchor than its id.
func ParseRequirements(document string) ([]Requirement, error) {
	var p requirementParser
	for line := range strings.Lines(document) {
		if err := p.line(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, err
		}
	}
	return p.list, p.end()
}

// requirementParser reads a document line by line.
type requirementParser struct {
	list            []Requirement
	open            bool   // the last requirement may go on in the next line
	title           string // of the section
	noRule, noCases string // reasons that hold for the section
}

func (p *requirementParser) line(line string) error {
	item := requirementItem().FindStringSubmatch(line)
	if p.open && item == nil && strings.HasPrefix(line, "  ") {
		last := &p.list[len(p.list)-1]
		last.Text += " " + strings.TrimSpace(line)
		return nil
	}
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case item != nil:
		id := item[2]
		if item[1] != strings.ToLower(id) {
			return fmt.Errorf("requirement %s has the anchor %q", id, item[1])
		}
		p.list = append(p.list, Requirement{ID: id, Title: p.title, Text: item[3], Rules: []string{}})
		p.open = true
	case requirementTitle().MatchString(line):
		p.title, p.noRule, p.noCases = requirementTitle().FindStringSubmatch(line)[1], "", ""
	case strings.HasPrefix(line, "*No "):
		p.noRule, p.noCases = reasonsIn(line)
	case strings.Contains(line, "<a id="):
		return fmt.Errorf("no requirement: %s", line)
	}
	return nil
}

// end completes the requirement whose text was read last.
func (p *requirementParser) end() error {
	if !p.open {
		return nil
	}
	p.open = false
	r := &p.list[len(p.list)-1]
	r.NoRule, r.NoCases = reasonsIn(r.Text)
	r.NoRule, r.NoCases = cmp.Or(r.NoRule, p.noRule), cmp.Or(r.NoCases, p.noCases)
	r.Text = strings.TrimSpace(reasonText().ReplaceAllString(r.Text, ""))
	r.Text = strings.NewReplacer("`", "", `\_`, "_").Replace(markdownLink().ReplaceAllString(r.Text, "$1"))
	words := keyWord().FindAllString(r.Text, -1)
	switch {
	case slices.Contains(words, "MUST"):
		r.Level = Must
	case slices.Contains(words, "SHOULD"):
		r.Level = Should
	case slices.Contains(words, "MAY"):
		r.Level = May
	default:
		return fmt.Errorf("requirement %s has none of the words MUST, SHOULD and MAY", r.ID)
	}
	prefix, number := r.ID[:strings.LastIndexByte(r.ID, '-')+1], 0 // the ids of a section count from 1
	for _, other := range p.list {
		if strings.HasPrefix(other.ID, prefix) {
			number++
		}
	}
	if want := fmt.Sprintf("%s%d", prefix, number); r.ID != want {
		return fmt.Errorf("requirement %s comes where %s is expected", r.ID, want)
	}
	return nil
}

func reasonsIn(text string) (noRule, noCases string) {
	for _, m := range reasonText().FindAllStringSubmatch(text, -1) {
		if m[1] == "rule" {
			noRule = strings.TrimSuffix(m[2], ".")
		} else {
			noCases = strings.TrimSuffix(m[2], ".")
		}
	}
	return noRule, noCases
}

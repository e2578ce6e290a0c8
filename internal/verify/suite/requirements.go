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
	requirementItem  = pattern(`^- <a id="([a-z0-9-]+)"></a>\*\*(([A-Z]+-[A-Z]+-)[0-9]+)\*\* (.*)$`)
	requirementTitle = pattern(`^##+ (.*)$`)
	continuedLine    = pattern(`\n {2,}`)
	reasonText       = pattern(`\*No (rule|case): ([^*]*)\*`)
	keyWord          = pattern(`\b(MUST|SHOULD|MAY)\b`)
	question         = pattern(` ?\(\[[^\]]*\]\(questions\.md[^)]*\)\)`) // why it is so, for those who ask
	markdownLink     = pattern(`\[([^\]]*)\]\([^)]*\)`)
)

// pattern returns a function that compiles an expression once, when it is needed.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// ParseRequirements returns the requirements of a document in Markdown, in its
// order and without their rules. It returns an error for an item that has no key
// word, or has another anchor than its id, and for a number that is missing or
// occurs twice.
func ParseRequirements(document string) (list []Requirement, err error) {
	var title, noRule, noCases string // of the section
	numbers := map[string][]string{}  // the ids, by what they begin with
	for line := range strings.Lines(continuedLine().ReplaceAllString(document, " ")) {
		line = strings.TrimSuffix(line, "\n")
		if item := requirementItem().FindStringSubmatch(line); item != nil {
			r := Requirement{ID: item[2], Title: title, Text: strings.TrimSpace(reasonText().ReplaceAllString(item[4], "")), Rules: []string{}}
			r.NoRule, r.NoCases = reasonsIn(line)
			r.NoRule, r.NoCases = cmp.Or(r.NoRule, noRule), cmp.Or(r.NoCases, noCases)
			r.Text = strings.NewReplacer("`", "", `\_`, "_").Replace(markdownLink().ReplaceAllString(question().ReplaceAllString(r.Text, ""), "$1"))
			words := keyWord().FindAllString(r.Text, -1)
			for _, level := range []Level{May, Should, Must} {
				if slices.Contains(words, strings.ToUpper(string(level))) {
					r.Level = level
				}
			}
			switch {
			case item[1] != strings.ToLower(r.ID):
				return nil, fmt.Errorf("requirement %s has the anchor %q", r.ID, item[1])
			case r.Level == "":
				return nil, fmt.Errorf("requirement %s has none of the words MUST, SHOULD and MAY", r.ID)
			case slices.Contains(numbers[item[3]], r.ID):
				return nil, fmt.Errorf("requirement %s occurs twice", r.ID)
			}
			numbers[item[3]] = append(numbers[item[3]], r.ID)
			list = append(list, r)
			continue
		}
		heading := requirementTitle().FindStringSubmatch(line)
		switch {
		case heading != nil:
			title, noRule, noCases = heading[1], "", ""
		case strings.HasPrefix(line, "*No "):
			noRule, noCases = reasonsIn(line)
		case strings.Contains(line, "<a id="):
			return nil, fmt.Errorf("no requirement: %s", line)
		}
	}
	for begins, ids := range numbers {
		for i := range ids {
			if id := fmt.Sprintf("%s%d", begins, i+1); !slices.Contains(ids, id) {
				return nil, fmt.Errorf("requirement %s is missing", id)
			}
		}
	}
	return list, nil
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

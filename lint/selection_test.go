package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
)

// shelf is a catalogue of rules that find nothing.
func shelf() lint.Catalog {
	c := lint.Catalog{Families: []lint.Family{{Name: "framing", Prefix: "LMC2"}}}
	for id, name := range map[string]string{"LMC201": "one", "LMC202": "two", "LMC301": "three", "WB101": "four"} {
		c.Rules = append(c.Rules, &lint.Rule{ID: id, Name: name})
	}
	return c
}

func selectors(words string) (list []lint.Selector) {
	for word := range strings.FieldsSeq(words) {
		list = append(list, lint.Selector{Text: word, Origin: "test"})
	}
	return list
}

// layer reads "select LMC2; ignore LMC202; LMC201=note".
func layer(t *testing.T, text string) (l lint.Layer) {
	t.Helper()
	for part := range strings.SplitSeq(text, ";") {
		verb, words, _ := strings.Cut(strings.TrimSpace(part), " ")
		switch verb {
		case "":
		case "select":
			l.Select = selectors(words)
		case "extend":
			l.ExtendSelect = selectors(words)
		case "ignore":
			l.Ignore = selectors(words)
		default:
			word, level, _ := strings.Cut(verb, "=")
			severity, err := lint.ParseSeverity(level)
			if level != "off" {
				require.NoError(t, err)
			}
			l.Levels = append(l.Levels, lint.SeverityOverride{Selector: selectors(word)[0], Severity: severity})
		}
	}
	return l
}

func TestResolve(t *testing.T) {
	for name, c := range map[string]struct {
		layers []string
		want   string // the rules that are on, with the severity that was set
	}{
		"nothing said":                   {nil, "LMC201 LMC202 LMC301 WB101"},
		"an id":                          {[]string{"select LMC202"}, "LMC202"},
		"a name, in capitals":            {[]string{"select TWO"}, "LMC202"},
		"a prefix":                       {[]string{"select lmc2"}, "LMC201 LMC202"},
		"a family":                       {[]string{"select framing"}, "LMC201 LMC202"},
		"all":                            {[]string{"select all; ignore LMC"}, "WB101"},
		"an id beats a prefix":           {[]string{"select LMC202; ignore LMC2"}, "LMC202"},
		"a family is as its prefix":      {[]string{"select framing; ignore LMC2"}, ""},
		"ignore beats select":            {[]string{"select LMC202; ignore two"}, ""},
		"a prefix beats all":             {[]string{"select all; ignore framing"}, "LMC301 WB101"},
		"extend":                         {[]string{"select LMC3; extend LMC201"}, "LMC201 LMC301"},
		"extend beats a wider ignore":    {[]string{"ignore all; extend LMC201"}, "LMC201"},
		"a later select replaces":        {[]string{"select LMC2", "select LMC3"}, "LMC301"},
		"a later ignore takes away":      {[]string{"select LMC202", "ignore LMC2"}, ""},
		"a later extend adds":            {[]string{"select LMC3; ignore LMC202", "extend LMC2"}, "LMC201 LMC202 LMC301"},
		"a severity":                     {[]string{"LMC2=note; LMC202=error"}, "LMC201=note LMC202=error LMC301 WB101"},
		"a severity switches nothing on": {[]string{"select LMC3; LMC2=note"}, "LMC301"},
		"off":                            {[]string{"LMC202=off"}, "LMC201 LMC301 WB101"},
		"off, but for one":               {[]string{"all=off; LMC202=error"}, "LMC202=error"},
		"off, and selected above":        {[]string{"LMC202=off; LMC2=note", "select LMC202"}, "LMC202=note"},
		"a severity from below stays":    {[]string{"LMC202=error", "select framing"}, "LMC201 LMC202=error"},
	} {
		t.Run(name, func(t *testing.T) {
			var layers []lint.Layer
			for _, text := range c.layers {
				layers = append(layers, layer(t, text))
			}
			rules := shelf()
			selection, err := rules.Resolve(layers...)
			require.NoError(t, err)
			var got []string
			for _, id := range []string{"LMC201", "LMC202", "LMC301", "WB101"} {
				found := rules.Select(id)
				require.Len(t, found, 1)
				if !selection.On(found[0]) {
					continue
				}
				if severity, by := selection.Severity(found[0]); severity != 0 {
					assert.Equal(t, "test", by.Origin)
					id += "=" + severity.String()
				}
				got = append(got, id)
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

func TestResolveRejectsUnknownSelectors(t *testing.T) {
	for _, text := range []string{"select LMC9", "extend LMC9", "ignore LMC9", "LMC9=note", "LMC9=off"} {
		_, err := shelf().Resolve(layer(t, text))
		var unknown *lint.UnknownRuleError
		require.ErrorAs(t, err, &unknown, text)
		assert.Equal(t, lint.Selector{Text: "LMC9", Origin: "test"}, unknown.Selector)
		assert.EqualError(t, err, `test: unknown rule "LMC9"`)
	}
	_, err := shelf().Resolve(lint.Layer{Select: []lint.Selector{{}}})
	assert.Error(t, err, "an empty selector is not the prefix of everything")
}

func TestIgnoredBy(t *testing.T) {
	rules := shelf()
	selection, err := rules.Resolve(layer(t, "select LMC2; ignore LMC202"))
	require.NoError(t, err)
	for id, want := range map[string]bool{"LMC201": false, "LMC202": true, "LMC301": false} {
		found := rules.Select(id)
		by, ok := selection.IgnoredBy(found[0])
		assert.Equal(t, want, ok, id)
		assert.Equal(t, want, by.Text == "LMC202", id)
	}
}

func chosen(t *testing.T, rules []*lint.Rule, text string) lint.Option {
	t.Helper()
	selection, err := lint.Catalog{Rules: rules}.Resolve(layer(t, text))
	require.NoError(t, err)
	return lint.WithSelection(selection)
}

func TestSelectionFiltersFindings(t *testing.T) {
	rules := []*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world"), noting("W2", lint.SeverityError, "hello")}
	for text, want := range map[string][]string{
		"W1=error; W2=note": {"in:1 error W1 hello -1", "in:1 note W2 hello -1", "in:2 error W1 world -1"},
		"select W2":         {"in:1 error W2 hello -1"},
		"ignore W2":         {"in:1 note W1 hello -1", "in:2 note W1 world -1"},
	} {
		got, _, err := run(t, linttest.MustNew(rules, chosen(t, rules, text)), hello)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
}

// A selection with other severities leaves what is off.
func TestSelectionWith(t *testing.T) {
	c := shelf()
	base, err := c.Resolve(layer(t, "ignore LMC201; LMC202=note"))
	require.NoError(t, err)
	other := base.With(map[*lint.Rule]lint.Severity{c.Rule("one"): lint.SeverityError, c.Rule("two"): lint.SeverityWarning, c.Rule("three"): 0})
	isOn := func(s *lint.Selection, name string) bool { return s.On(c.Rule(name)) }
	assert.False(t, isOn(other, "one"))
	assert.True(t, isOn(other, "two"))
	assert.False(t, isOn(other, "three"))
	assert.True(t, isOn(other, "four"))
	assert.True(t, isOn(base, "three"), "the selection itself is unchanged")
	var everything *lint.Selection
	assert.True(t, isOn(everything.With(nil), "one"))
}

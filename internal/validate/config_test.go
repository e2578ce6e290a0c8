package validate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte(text), &value))
	return value
}

func TestConfigCheck(t *testing.T) {
	checker := validate.NewConfigChecker()
	for text, want := range map[string]string{
		`{}`: "",
		`{"extends": "a.yaml", "select": ["LMC2", "framing", "empty-chunk", "all"], "severity": {"LMC208": "off"}}`: "",
		`{"extends": ["a.yaml", "b.yaml"], "overrides": [{"paths": ["a"], "kind": "stream", "reason": "old"}]}`:     "",
		`{"dialects": {"acme": {"extends": "docs", "roles": ["tool"], "languages": ["rust", {"name": "sql", "aliases": ["psql"]}],
			"types": {"plan": {"formats": ["json"], "format-optional": true}}}}}`: "",

		`[]`:                                  `/: a list, expected a mapping`,
		`{"selct": []}`:                       `/selct (key): unknown key "selct"; did you mean select?`,
		`{"xyzzy": 1}`:                        `/xyzzy (key): unknown key "xyzzy"; known keys: allow-empty, auto-run, `,
		`{"select": "LMC2"}`:                  `/select: "LMC2", expected a list of rules`,
		`{"select": ["empty-chnk"]}`:          `/select/0: unknown rule "empty-chnk"; did you mean empty-chunk?`,
		`{"select": [7]}`:                     `/select/0: 7, expected a rule`,
		`{"severity": {"LMC208": "fatal"}}`:   `/severity/LMC208: "fatal", expected off, note, warning or error`,
		`{"severity": {"framng": "note"}}`:    `/severity/framng (key): unknown rule "framng"; did you mean framing?`,
		`{"auto-run": "yes"}`:                 `/auto-run: "yes", expected true or false`,
		`{"max-record-bytes": 1.5}`:           `/max-record-bytes: 1.5, expected an integer`,
		`{"max-record-bytes": 0}`:             `/max-record-bytes: 0, expected at least 1`,
		`{"baseline": ""}`:                    `/baseline: "", expected at least 1 character`,
		`{"baseline": null}`:                  `/baseline: nothing, expected a string`,
		`{"exclude": {"a": 1}}`:               `/exclude: a mapping, expected a list of globs`,
		`{"overrides": [{"kind": "stream"}]}`: `/overrides/0: missing key paths`,
		`{"overrides": [{"pahts": ["a"]}]}`:   `/overrides/0/pahts (key): unknown key "pahts"; did you mean paths?`,
		`{"overrides": [{"paths": []}]}`:      `/overrides/0/paths: a list, expected at least 1 element`,

		`{"overrides": [{"paths": ["a"], "select": ["all"]}]}`: `/overrides/0/select (key): unknown key "select"; known keys: auto-run, `,

		`{"extends": true}`:                           `/extends: true, expected the path of a file, or a list of them`,
		`{"dialects": {"A b": {}}}`:                   `/dialects/A b (key): "A b", expected a name of small letters, digits, - and .`,
		`{"dialects": {"a": {"languages": [{}]}}}`:    `/dialects/a/languages/0: a mapping, expected a language: its name, or its name and aliases`,
		`{"dialects": {"a": {"types": {"x.y": {}}}}}`: `/dialects/a/types/x.y (key): "x.y", expected a name of letters, digits, - and _`,
	} {
		problems, err := checker.Check(decoded(t, text))
		require.NoError(t, err)
		var got []string
		for _, p := range problems {
			at := "/" + strings.Join(p.Path, "/")
			if p.AtKey {
				at += " (key)"
			}
			got = append(got, at+": "+p.Message)
		}
		if want == "" {
			assert.Empty(t, got, text)
			continue
		}
		require.Len(t, got, 1, text)
		assert.True(t, strings.HasPrefix(got[0], want), "%s\n%s", got[0], want)
	}
}

func TestConfigExamplesAreValid(t *testing.T) {
	var document struct {
		Properties map[string]struct {
			Examples []any `json:"examples"`
			Default  any   `json:"default"`
		} `json:"properties"`
	}
	require.NoError(t, json.Unmarshal(schema.Config(), &document))
	require.NotEmpty(t, document.Properties)
	checker := validate.NewConfigChecker()
	for key, property := range document.Properties {
		values := property.Examples
		if property.Default != nil {
			values = append(values, property.Default)
		}
		assert.NotEmpty(t, values, "%s has neither an example nor a default", key)
		for _, value := range values {
			problems, err := checker.Check(map[string]any{key: value})
			require.NoError(t, err)
			assert.Empty(t, problems, key)
		}
	}
}

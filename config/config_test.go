package config_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// write writes files to a new directory and returns options for reading them.
func write(t testing.TB, files map[string]string) config.Options {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return config.Options{Dir: dir}
}

func load(t *testing.T, text string) (*config.Config, error) {
	t.Helper()
	return config.Load("c.yaml", write(t, map[string]string{"c.yaml": text}))
}

// refusedFile has configurations, each with its one fault below it, behind ! and a
// space, and ==== between them.
const refusedFile = "testdata/refused.txt"

// Each configuration has the fault that the file says. Read the difference before you
// commit one that -update made.
func TestLoadRefuses(t *testing.T) {
	file, err := os.ReadFile(refusedFile)
	require.NoError(t, err)
	var out []string
	for block := range strings.SplitSeq(string(file), "====\n") {
		text, _, _ := strings.Cut(block, "! ")
		_, err := load(t, strings.TrimSuffix(text, "\n"))
		var faults config.Faults
		require.ErrorAs(t, err, &faults, text)
		assert.Len(t, faults, 1, text)
		out = append(out, text+"! "+err.Error()+"\n")
	}
	generated.Expected(t, refusedFile, []byte(strings.Join(out, "====\n")))
}

func TestLoadRefusesWhatIsLarge(t *testing.T) {
	bomb := "dialects:\n  a: {keys: &k [" + strings.Repeat("x,", 1000) + "]}\n"
	for i := range 200 {
		bomb += fmt.Sprintf("  a%d: {keys: *k}\n", i)
	}
	for text, want := range map[string]string{
		bomb:                                `more than 100000 values`,
		strings.Repeat("# long\n", 200_000): `c.yaml: larger than 1048576 bytes`,
		"dialects: {a: {keys: [" + strings.Repeat("x", 65) + "]}}": `, expected at most 64 characters`,
	} {
		_, err := load(t, text)
		assert.ErrorContains(t, err, want)
	}
}

// The published schema, which editors use, has the keys that are read, with values
// that are valid.
func TestSchemaHasTheKeys(t *testing.T) {
	type shape struct {
		Properties map[string]struct {
			Examples []any `json:"examples"`
			Default  any   `json:"default"`
			Enum     []any `json:"enum"`
		} `json:"properties"`
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	var document shape
	source, err := schema.Source("config", "")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(source, &document))
	for key, property := range document.Properties {
		values := slices.Concat(property.Examples, property.Enum)
		if property.Default != nil {
			values = append(values, property.Default)
		}
		assert.NotEmpty(t, values, "%s has neither an example nor a default", key)
		for _, value := range values {
			text, err := json.Marshal(map[string]any{key: value})
			require.NoError(t, err)
			_, err = load(t, string(text))
			if key != "extends" { // its examples do not exist
				assert.NoError(t, err, "%s", text)
			}
		}
	}
	inSchema := func(members map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(members)), ", ") }
	root := map[string]any{}
	for key := range document.Properties {
		root[key] = true
	}
	for text, members := range map[string]map[string]any{
		"xyzzy: 1":                                          document.Defs["x"].Properties,
		"overrides: [{paths: [a], xyzzy: 1}]":               document.Defs["override"].Properties,
		"dialects: {a: {xyzzy: 1}}":                         document.Defs["dialect"].Properties,
		"dialects: {a: {types: {b: {xyzzy: 1}}}}":           document.Defs["type"].Properties,
		"dialects: {a: {languages: [{name: b, xyzzy: 1}]}}": document.Defs["language"].Properties,
	} {
		if members == nil {
			members = root
		}
		_, err := load(t, text)
		require.Error(t, err)
		assert.True(t, strings.HasSuffix(err.Error(), "; known keys: "+inSchema(members)), "%v", err)
	}
}

// A device has no end, and a pipe may have no writer.
func TestDevicesAreRefused(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip(err)
	}
	_, err := config.NewFixedFinder(endless, config.Options{Dir: t.TempDir()})
	assert.ErrorContains(t, err, "larger than 1048576 bytes", "named on the command line")
	_, err = load(t, "extends: "+endless)
	assert.ErrorContains(t, err, "zero: not a regular file", "extended")

	o := write(t, nil)
	require.NoError(t, os.Symlink(endless, filepath.Join(o.Dir, ".lmclint.yaml")))
	_, err = config.Find(filepath.Join(o.Dir, "a.jsonl"), o)
	assert.ErrorContains(t, err, "not a regular file", "found beside an input")

	_, err = config.ReadBaseline(endless, config.Options{})
	assert.ErrorContains(t, err, "not a regular file")
	_, err = config.NewFixedFinder(os.DevNull, config.Options{Dir: t.TempDir()})
	assert.NoError(t, err, "an empty configuration")
}

func TestLoadReportsAllErrors(t *testing.T) {
	faults := "c.yaml:1:10: unknown rule \"fraiming\"; did you mean framing?\n" +
		"c.yaml:2:1: unknown key \"selct\"; did you mean select?\n" +
		"c.yaml:3:12: unknown rule \"empty-chunks\"; did you mean empty-chunk?"
	_, err := load(t, "ignore: [fraiming]\nselct: [all]\nseverity: {empty-chunks: off}")
	assert.EqualError(t, err, faults)
}

func TestLoadReads(t *testing.T) {
	for text, want := range map[string]any{
		"":                        nil,
		"# nothing":               nil,
		"\ufeffdialect: docs":     "docs",
		"dialect: 'docs'":         "docs",
		"{\"dialect\": \"docs\"}": "docs",
		"dialect: docs\r\n":       "docs",
		"severity: &s {LMC208: off}\noverrides: [{paths: [a], severity: *s}]": nil,
	} {
		c, err := load(t, text)
		require.NoError(t, err, text)
		assert.Equal(t, want, c.Values["dialect"].Value, text)
	}
}

// Files are read in the order of increasing precedence.
func TestExtends(t *testing.T) {
	o := write(t, map[string]string{
		"a/c.yaml": "extends: [../b/c.yaml, ../d.yaml]\nfail-on: note\nexclude: [x]",
		"b/c.yaml": "extends: ../d.yaml\ndialect: docs\nfail-on: warning\nexclude: [y]",
		"d.yaml":   "dialect: server\nkind: stream\nexclude: [z]",
	})
	c, err := config.Load("a/c.yaml", o)
	require.NoError(t, err)
	for i, want := range []string{"d.yaml", "b/c.yaml", "d.yaml", "a/c.yaml"} {
		assert.Equal(t, filepath.FromSlash(want), c.Files[i])
	}
	assert.Equal(t, "note", c.Values["fail-on"].Value)
	assert.Equal(t, "server", c.Values["dialect"].Value, "the file that is extended last takes precedence")
	assert.Equal(t, filepath.FromSlash("d.yaml:2:7"), c.Values["kind"].String())
	for path, left := range map[string]bool{"a/x": true, "b/y": true, "z": true, "a/y": true, "a/w": false} {
		assert.Equal(t, left, c.Excluded(filepath.Join(o.Dir, path), false, true) != nil, path)
	}
}

func TestExtendsIsLimited(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("%d.yaml", i)] = fmt.Sprintf("extends: [%d.yaml, %d.yaml]", i+1, i+1)
	}
	files["40.yaml"] = ""
	o := write(t, files)
	_, err := config.Load("0.yaml", o)
	assert.ErrorContains(t, err, "made of more than 32 files")
}

// The starter is valid, also without its comment signs.
func TestStarterIsValid(t *testing.T) {
	_, err := load(t, config.Starter())
	require.NoError(t, err)
	key := regexp.MustCompile(`(?m)^# ((?:extends|select|ignore|severity|fail-on|dialect|auto-run|exclude|baseline|overrides|dialects):|  )`)
	text := key.ReplaceAllString(config.Starter(), "$1")
	text = strings.ReplaceAll(text, "extends: ../lmclint.yaml", "")
	c, err := load(t, text)
	require.NoError(t, err, text)
	assert.Equal(t, "interpreter", c.Values["dialect"].Value)
	assert.Len(t, c.Overrides, 1)
	assert.Len(t, c.Dialects, 1)
}

func TestFinderSearchesEachDirectoryOnce(t *testing.T) {
	o := write(t, map[string]string{".lmclint.yaml": "dialect: docs", "x/y/a": "", "x/.lmclint.yaml": "", "x/z/.git/HEAD": ""})
	f, err := config.NewFinder(o)
	require.NoError(t, err)
	at := func(dir string) *config.Config {
		c, err := f.In(filepath.Join(o.Dir, filepath.FromSlash(dir)))
		require.NoError(t, err)
		return c
	}
	assert.Equal(t, ".lmclint.yaml", at(".").Path)
	assert.Equal(t, filepath.FromSlash("x/.lmclint.yaml"), at("x/y").Path)
	assert.Same(t, at("x"), at("x/y"))
	assert.Empty(t, at("x/z").Path, "the search ends at the root of a repository")
	require.NoError(t, os.Remove(filepath.Join(o.Dir, "x", ".lmclint.yaml")))
	assert.Same(t, at("x"), at("x/y"))
}

func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		config.Starter(), "select: [LMC2]\noverrides:\n- paths: [a]\n  severity: {LMC2: off}", "a: &a [*a]", "{\"a\": 1}", "- - - x", "? x",
		"dialects: {a: {types: {b: {formats: [c]}}, languages: [{name: d}]}}", "extends: [1, a]", "max-record-bytes: 0x10",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "c.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		c, err := config.Load(path, config.Options{Dir: dir})
		if err == nil {
			assert.NotNil(t, c.For(filepath.Join(dir, "a")))
			return
		}
		var faults config.Faults
		require.ErrorAs(t, err, &faults)
		for _, fault := range faults {
			assert.NotEmpty(t, fault.Message)
		}
	})
}

// The required version is checked before anything else, and only for releases.
func TestUser25RequiredVersion(t *testing.T) {
	for _, test := range []struct{ version, text, want string }{
		{"v0.3.1", `required-version: ">=0.2, <0.4"`, ""},
		{"v0.3.1", `required-version: "0.3"`, ""},
		{"0.3.1", `required-version: 0.3.1`, ""},
		{"v0.10.0", `required-version: 0.10`, ""},
		{"v0.1.0", `required-version: 0.10`, `c.yaml:1:19: lmclint 0.1.0 does not satisfy required-version 0.10`},
		{"v0.10.0", `required-version: ">=0.9.2"`, ""},
		{"v0.4.0-rc.1", `required-version: "0.4"`, ""},
		{"v0.3.1", "baseline: required-version\ndialect: docs", ""}, // a value of the same name
		{"(devel)", `required-version: ">=9"`, ""},
		{"v0.0.0-20261120120000-0123456789ab", `required-version: ">=9"`, ""},
		{"v0.4.0", `required-version: ">=0.2, <0.4"`, `c.yaml:1:19: lmclint 0.4.0 does not satisfy required-version >=0.2, <0.4`},
		{"v0.3.1", `required-version: ">=1"`, `c.yaml:1:19: lmclint 0.3.1 does not satisfy required-version >=1`},
		{"v0.3.1", `required-version: "0.2"`, `c.yaml:1:19: lmclint 0.3.1 does not satisfy required-version 0.2`},
		{"v0.3.1", "required-version: \">=1\"\nnew-key: 1", `c.yaml:1:19: lmclint 0.3.1 does not satisfy required-version >=1`},
		{"v0.3.1", `required-version: "^0.3"`, ``},
		{"(devel)", `required-version: ">=0.2,"`, `c.yaml:1:19: required-version: ">=0.2,", expected conditions such as ">=0.2, <0.4"`},
		{"v0.3.1", `required-version: [0.3]`, `c.yaml:1:19: required-version: a list, expected `},
	} {
		o := write(t, map[string]string{"c.yaml": test.text})
		o.Version = test.version
		_, err := config.Load("c.yaml", o)
		if test.want == "" {
			assert.NoError(t, err, "%s under %s", test.text, test.version)
			continue
		}
		require.Error(t, err, "%s under %s", test.text, test.version)
		assert.Contains(t, err.Error(), test.want)
		assert.NotContains(t, err.Error(), "\n", "one fault")
	}
}

func TestTypesOfADialect(t *testing.T) {
	c, err := load(t, "dialects: {acme: {types: {plot: {stream: False, format-optional: TRUE, formats: &f [svg, png]}, map: {formats: *f}}, languages: [lisp, {name: julia, aliases: [jl]}]}}")
	require.NoError(t, err)
	require.Len(t, c.Dialects, 1)
	assert.Equal(t, []schema.ExtensionType{
		{Name: "plot", Formats: []string{"svg", "png"}, FormatOptional: true, Transcript: true},
		{Name: "map", Formats: []string{"svg", "png"}, Transcript: true, Stream: true},
	}, c.Dialects[0].Types)
	assert.Equal(t, []schema.Language{{Name: "lisp"}, {Name: "julia", Aliases: []string{"jl"}}}, c.Dialects[0].Languages)
}

// TestReadFile checks that a configuration and its baseline are read as the
// options say.
func TestReadFile(t *testing.T) {
	dir := t.TempDir() // without the files
	files := map[string]string{
		dir + "/a.yaml":     "extends: base.yaml\nbaseline: known.json\n",
		dir + "/base.yaml":  "ignore: [LMC407]\n",
		dir + "/known.json": `{"version": 2, "fingerprints": "lmclint/v2", "findings": []}`,
	}
	options := config.Options{Dir: dir, ReadFile: func(path string) ([]byte, error) {
		text, ok := files[dir+"/"+filepath.Base(path)]
		if !ok {
			return nil, &os.PathError{Op: "read", Path: path, Err: os.ErrNotExist}
		}
		return []byte(text), nil
	}}
	c, err := config.Load("a.yaml", options)
	require.NoError(t, err)
	settings := c.For(dir + "/x.jsonl")
	_, err = settings.Options()
	require.NoError(t, err)
	selection, err := settings.Selection()
	require.NoError(t, err)
	catalog := rules.Catalog()
	require.False(t, selection.On(catalog.Rule("LMC407")))
	delete(files, dir+"/known.json")
	_, err = settings.Options()
	require.ErrorIs(t, err, os.ErrNotExist)
}

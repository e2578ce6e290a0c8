package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// pair has a validator with a memo and one without.
type pair struct {
	part    schema.Part
	memo    *validate.Validator
	without validate.Uncached
}

func newPair(t testing.TB, dialect string, part schema.Part) *pair {
	t.Helper()
	return &pair{
		part:    part,
		memo:    validate.NewValidator(dialectFor(t, dialect)),
		without: validate.NewUncached(dialectFor(t, dialect)),
	}
}

// Custom dialects, of which strange makes no sense.
const (
	extended = "extended"
	strange  = "strange"
)

func dialectFor(t testing.TB, name string) *schema.Dialect {
	switch name {
	case extended:
		return extendedDialect(t)
	case strange:
		return strangeDialect(t)
	}
	return named(t, name)
}

// strangeDialect has ambiguous names, a type with contents of all kinds, and one
// with formats that only messages have.
func strangeDialect(t testing.TB) *schema.Dialect {
	d := copied(t, "server")
	d.Name = strange
	d.DigitStrings, d.LegacyConfirm, d.EndKey = true, true, "stop"
	d.Keys = append(d.Keys, "mood", "role")
	d.Types = append(d.Types,
		schema.Type{Name: "record-other", Chunk: true, Flags: true},
		schema.Type{Name: "message", Chunk: true},
	)
	console, _ := d.Type("console")
	console.Formats = append(console.Formats, schema.Format{Name: "execution", Content: schema.ContentConfirmation, Chunk: true})
	status, _ := d.Type("status")
	status.AnyCode, status.Options, status.Formats = true, schema.FormatOptional, []schema.Format{
		{Name: "line", Content: schema.ContentLine, Message: true},
		{Name: "confirmed", Content: schema.ContentConfirmation, Message: true},
	}
	return d
}

func (p *pair) agree(t testing.TB, record string) {
	t.Helper()
	root := parse(t, record)
	want, wantErr := p.without.Check(root, p.part)
	got, err := p.memo.Check(root, p.part)
	require.Equal(t, wantErr == nil, err == nil, "%s: %v but %v", record, wantErr, err)
	require.Equal(t, want, got, record)
}

// Whether a type is missing depends on the role, even where the schema does not.
func TestMemoDistinguishesRolesThatNeedNoType(t *testing.T) {
	p := newPair(t, strange, schema.Chunk)
	for _, record := range []string{`{"role":"user"}`, `{"role":"x"}`, `{"role":"user"}`} {
		p.agree(t, record)
	}
}

// Records that the schema does not distinguish share a verdict; their violations quote
// different values.
func TestRecordsThatLookAlikeShareAVerdict(t *testing.T) {
	const line = `{"role":"computer","type":"console","format":"active_line","content":`
	message := func(members string) string { return `{"role":"user","type":"message",` + members + `}` }
	tests := []struct {
		name, dialect string
		records       []string
	}{
		{"content", "interpreter", []string{message(`"content":"x"`), message(`"content":"\u0041"`), message(`"content":"xyz"`)}},
		{"wrong content", "interpreter", []string{message(`"content":1`), message(`"content":-2.50`), message(`"content":1e400000`)}},
		{"unknown words", "interpreter", []string{
			`{"role":"asistant","type":"message","content":"x"}`, `{"role":"` + strings.Repeat("x", 1000) + `","type":"message","content":"x"}`, `{"role":"\u0041ssistant","type":"message","content":"x"}`,
		}},
		{"unknown names", "interpreter", []string{message(`"contents":"x"`), message(`"k\u0041":"y"`), message(`"` + strings.Repeat("x", 1000) + `":"z"`)}},
		{"names in content", "interpreter", []string{message(`"content":{"a":1}`), message(`"content":{"b":2}`)}},
		{"flag", "interpreter", []string{message(`"start":0`), message(`"start":17`)}},
		{"id", "interpreter", []string{message(`"content":"x","id":"a1"`), message(`"content":"x","id":"a2"`), message(`"content":"y","id":"` + strings.Repeat("x", 1000) + `"`)}},
		{"line below one", "interpreter", []string{line + `0}`, line + `-0}`, line + `-17}`}},
		{"lines", "interpreter", []string{line + `2}`, line + `17}`, line + `123456789012345678}`}},
		{"digits", "docs", []string{line + `"12"}`, line + `"3"}`, line + `"\u0031"}`}},
		{"confirmed code", "interpreter", []string{confirmation(`{"type":"code","format":"a","content":"b"}`), confirmation(`{"type":"code","format":"c","content":"d"}`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPair(t, tt.dialect, schema.Chunk)
			for _, record := range append(tt.records, tt.records...) {
				p.agree(t, record)
			}
			assert.Equal(t, 1, p.memo.Cached(schema.Chunk))
		})
	}
}

func confirmation(content string) string {
	return `{"role":"computer","type":"confirmation","format":"execution","content":` + content + `}`
}

// The file has similar records for the server.
func TestMemoDistinguishesSimilarRecords(t *testing.T) {
	var records []string
	for _, v := range verdicts(t) {
		if v.dialect == "server" && v.part == "chunk" {
			records = append(records, v.record)
		}
	}
	for _, dialect := range append(exhaustive.Sample(schema.Names(), 1), strange) {
		p := newPair(t, dialect, schema.Chunk)
		for _, record := range append(records, records...) {
			p.agree(t, record)
		}
	}
}

// In a dialect whose end flag is the content, a violation has no cause.
func TestErrorsAreNotCached(t *testing.T) {
	d := copied(t, "interpreter")
	d.EndKey = "content"
	validator := validate.NewValidator(d)
	root := parse(t, `{"role":"computer","type":"confirmation","format":"execution","content":"x"}`)
	for range 3 {
		_, err := validator.Check(root, schema.Chunk)
		require.Error(t, err)
	}
}

func TestLargeRecordsAreNotCached(t *testing.T) {
	p := newPair(t, "interpreter", schema.Chunk)
	long := strings.Repeat(`[`, 260) + strings.Repeat(`]`, 260)
	for _, members := range []string{`"content":` + long, `"x":[` + strings.Repeat(`"",`, 300) + `""]`} {
		p.agree(t, `{"role":"user","type":"message",`+members+`}`)
		assert.Zero(t, p.memo.Cached(schema.Chunk), members)
	}
}

// A full memo goes on to cache what comes.
func TestMemoIsBounded(t *testing.T) {
	t.Parallel()
	p := newPair(t, "interpreter", schema.Chunk)
	record := func(i int) string {
		bits := strings.NewReplacer("0", "null,", "1", "[],").Replace(fmt.Sprintf("%b", i))
		return `{"role":"user","type":"message","content":[` + bits + `0]}`
	}
	for i := range validate.MaxVerdicts + 200 {
		_, err := p.memo.Check(parse(t, record(i)), schema.Chunk)
		require.NoError(t, err)
	}
	assert.Equal(t, validate.MaxVerdicts, p.memo.Cached(schema.Chunk))
	kept := 0
	for i := validate.MaxVerdicts; i < validate.MaxVerdicts+200; i++ {
		if p.memo.HasCached(parse(t, record(i)), schema.Chunk) {
			kept++
		}
	}
	assert.Greater(t, kept, 150)
	for i := 0; i < validate.MaxVerdicts+200; i += 50 {
		p.agree(t, record(i))
	}
}

func TestCachedValidRecordsDoNotAllocate(t *testing.T) {
	validator := validate.NewValidator(named(t, "server"))
	for _, record := range []string{
		`{"role": "assistant", "type": "code", "format": "python", "content": " x"}`,
		`{"role": "assistant", "type": "message", "start": true}`,
	} {
		root := parse(t, record)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			if _, err := validator.Check(root, schema.Chunk); err != nil {
				t.Error(err)
			}
		}), record)
	}
}

// FuzzMemo compares cached verdicts with those of the schemas, for a record and
// for similar ones.
func FuzzMemo(f *testing.F) {
	var pairs []*pair
	for _, dialect := range append(schema.Names(), extended, strange) {
		pairs = append(pairs, newPair(f, dialect, schema.Message), newPair(f, dialect, schema.Chunk))
	}
	for i, record := range exhaustive.Sample(append(tableRecords(f), recorded(f, "*", "*")...), 25) {
		f.Add(record, `"1"`, uint8(i))
	}
	f.Fuzz(func(t *testing.T, record, value string, number uint8) {
		p := pairs[int(number)%len(pairs)]
		records := siblings(record, value)
		for range 2 {
			for _, sibling := range records {
				p.agree(t, sibling)
			}
		}
	})
}

// siblings returns a record, and copies of it with one key or value replaced,
// down to those of the content. It returns nothing for an invalid record.
func siblings(record, value string) []string {
	root := readable(record)
	if root == nil {
		return nil
	}
	record = string(root.Raw())
	var places []*source.Node
	for i := range root.Children {
		member := &root.Children[i]
		places = append(places, member)
		for j := range member.Children {
			places = append(places, &member.Children[j])
		}
	}
	all := []string{record}
	add := func(start, end int, other string) {
		sibling := record[:start-root.Start] + other + record[end-root.Start:]
		if readable(sibling) != nil {
			all = append(all, sibling)
		}
	}
	for _, place := range places[:min(len(places), 12)] {
		for _, other := range append(likeValues(place.Kind), value) {
			add(place.Start, place.End, other)
		}
		if place.NameEnd == 0 {
			continue
		}
		for _, other := range append(likeKeys(), value) {
			add(place.NameStart, place.NameEnd, other)
		}
	}
	return all
}

// likeKeys returns keys that no schema names, some of them similar to known
// ones, and some that are known elsewhere.
func likeKeys() []string {
	return []string{`"x"`, `"typ"`, `"Type"`, `"typ\ud800"`, `"contnt"`, `"stop"`, `"auth"`, `"language"`}
}

// likeValues returns values of a kind.
func likeValues(kind source.Kind) []string {
	switch kind {
	case source.String:
		return []string{`"x"`, `"\u0078"`, `"12"`, `"mesage"`, `"nul"`}
	case source.Number:
		return []string{`0`, `1`, `2`, `-1`, `2.5`, `20e-1`}
	case source.Bool:
		return []string{`true`, `false`}
	}
	return []string{`null`}
}

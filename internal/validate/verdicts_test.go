package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// verdict is a record and the causes of its violations in a dialect.
type verdict struct {
	record string
	causes string // separated by spaces, in source order
}

func TestCheckChunk(t *testing.T) {
	for dialect, verdicts := range chunkVerdicts() {
		t.Run(dialect, func(t *testing.T) { checkAll(t, dialect, schema.Chunk, verdicts) })
	}
}

func TestCheckMessage(t *testing.T) {
	for dialect, verdicts := range messageVerdicts() {
		t.Run(dialect, func(t *testing.T) { checkAll(t, dialect, schema.Message, verdicts) })
	}
}

func TestCheckLongNumbers(t *testing.T) {
	const line = `{"role":"computer","type":"console","format":"active_line","content":`
	checkAll(t, "interpreter", schema.Chunk, []verdict{
		{line + strings.Repeat("7", 1<<20) + "}", "invalid-active-line"},
		{line + strings.Repeat("7", 308) + "}", ""},
		{line + "1" + strings.Repeat("9", 308) + "}", "invalid-active-line"},
		{line + "1e308}", ""},
		{line + "2e308}", "invalid-active-line"},
		{line + "1e400}", "invalid-active-line"},
		{line + "1e-99999999999999999999}", "invalid-active-line"},
		{line + "0e400}", "invalid-active-line"},
		{line + "7e00000000000000000000000000000000}", ""},
		{line + "-" + strings.Repeat("7", 1<<20) + "}", "invalid-active-line"},
		{line + "7" + strings.Repeat("0", 100) + "e-100}", ""},
		{line + "7" + strings.Repeat("0", 100) + "e-101}", "invalid-active-line"},
		{line + "7." + strings.Repeat("0", 100) + "}", ""},
		{line + "7." + strings.Repeat("0", 100) + "1}", "invalid-active-line"},
		{line + "0." + strings.Repeat("0", 100) + "}", "invalid-active-line"},
		{line + "0." + strings.Repeat("0", 99) + "1e100}", ""},
	})
}

func checkAll(t *testing.T, dialect string, part schema.Part, verdicts []verdict) {
	validator := validate.NewValidator(named(t, dialect))
	for _, v := range verdicts {
		violations, err := validator.Check(parse(t, v.record), part)
		require.NoError(t, err, v.record)
		assert.Equal(t, v.causes, causesOf(violations), v.record)
	}
}

func TestVerdictsCoverEveryCause(t *testing.T) {
	var found []string
	for _, verdicts := range chunkVerdicts() {
		for _, v := range verdicts {
			found = append(found, strings.Fields(v.causes)...)
		}
	}
	for _, cause := range schemaCauses() {
		assert.Contains(t, found, cause)
	}
}

func schemaCauses() []string {
	return []string{
		"missing-role", "unknown-role", "missing-type", "unknown-type", "missing-format", "invalid-format", "unexpected-format", "missing-content", "wrong-content-type",
		"unknown-key", "invalid-flag", "conflicting-keys", "invalid-confirmation", "legacy-confirmation", "invalid-recipient", "other-end-key", "invalid-active-line",
	}
}

func named(t testing.TB, dialect string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(dialect)
	require.True(t, ok, dialect)
	return d
}

// parse reads one record.
func parse(t testing.TB, record string) *source.Node {
	t.Helper()
	reader := source.NewReader(strings.NewReader(record), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	require.NoError(t, err, record)
	require.NotNil(t, r.Root, record)
	return r.Clone().Root
}

func causesOf(violations []validate.Violation) string {
	var causes []string
	for _, v := range violations {
		causes = append(causes, v.Cause.String())
	}
	return strings.Join(causes, " ")
}

// The tables contain records with the causes of their violations; a valid record
// has none.

func chunkVerdicts() map[string][]verdict {
	return map[string][]verdict{
		"interpreter": append(append(append(interpreterVocabulary(), interpreterEvents()...), interpreterContents()...),
			interpreterConfirmations()...),
		"interpreter-0.3": {
			{`{"role":"assistant","type":"review","format":"safe","start":true}`, "unknown-type"},
			{`{"role":"user","type":"audio","format":"bytes.wav","start":true}`, ""},
			{`{"role":"user","type":"file","content":"a.csv"}`, ""},
			{`{"role":"computer","type":"console","format":"output","content":"x","recipient":"user"}`, ""},
			{`{"role":"server","type":"completion","content":"DONE"}`, "unknown-role unknown-type"},
		},
		"interpreter-0.2": {
			{`{"role":"server","type":"completion","content":"DONE"}`, ""},
			{`{"role":"server","type":"completion","start":true}`, "missing-content"},
			{`{"role":"server","type":"completion","content":"DONE","end":true}`, "conflicting-keys"},
			{`{"role":"server","type":"status","content":"complete"}`, "unknown-type"},
			{`{"role":"computer","type":"console","format":"active_line","content":null}`, ""},
		},
		"interpreter-0.1": {
			{`{"role":"assistant","type":"message","stop":true}`, ""},
			{`{"role":"assistant","type":"message","end":true}`, "other-end-key"},
			{`{"role":"assistant","type":"message","stop":false}`, "invalid-flag"},
			{`{"role":"assistant","type":"message","start":true,"stop":true}`, "conflicting-keys"},
			{`{"role":"computer","type":"image","format":"base64","content":"iVBORw0KGgo="}`, ""},
			{`{"role":"computer","type":"image","format":"base64.png","content":"iVBORw0KGgo="}`, ""},
			{`{"role":"computer","type":"console","format":"active_line","content":"2"}`, "invalid-active-line"},
		},
		"server": serverVerdicts(),
		"docs":   docsVerdicts(),
	}
}

func interpreterVocabulary() []verdict {
	return []verdict{
		{`{"role":"assistant","type":"message","start":true}`, ""},
		{`{"type":"message","start":true}`, "missing-role"},
		{`{"rolle":"assistant","type":"message","start":true}`, "missing-role"},
		{`{"role":"asistant","type":"message","start":true}`, "unknown-role"},
		{`{"role":7,"type":"message","start":true}`, "unknown-role"},
		{`{"role":null,"type":"message","start":true}`, "unknown-role"},
		{`{"role":"server","type":"message","start":true}`, "unknown-role"},
		{`{"role":"system","type":"message","content":"x"}`, ""},
		{`{"role":"assistant","start":true}`, "missing-type"},
		{`{"role":"assistant","tpye":"message","start":true}`, "missing-type"},
		{`{"start":true}`, "missing-role missing-type"},
		{`{}`, "missing-role"},
		{`{"role":"assistant","type":"mesage","start":true}`, "unknown-type"},
		{`{"role":"assistant","type":"mesage","content":5}`, "unknown-type"},
		{`{"role":"assistant","type":["message"],"start":true}`, "unknown-type"},
		{`{"role":"robot","type":"noise","content":5,"start":1,"x":1}`, "unknown-role unknown-type conflicting-keys invalid-flag unknown-key"},
		{`{"role":"assistant","type":"code","start":true}`, "missing-format"},
		{`{"role":"assistant","type":"code","fromat":"python","start":true}`, "missing-format"},
		{`{"role":"assistant","type":"code","end":true}`, "missing-format"},
		{`{"role":"assistant","type":"code","content":"1"}`, "missing-format"},
		{`{"role":"assistant","type":"code","content":1}`, "missing-format"},
		{`{"role":"assistant","type":"review","start":true}`, "missing-format"},
		{`{"role":"computer","type":"image","content":"iVBORw0KGgo="}`, "missing-format"},
		{`{"role":"user","type":"audio","content":""}`, "missing-format"},
		{`{"role":"computer","type":"console","content":"1"}`, "missing-format"},
		{`{"role":"computer","type":"console","content":null}`, "missing-format"},
		{`{"role":"computer","type":"console","start":true}`, ""},
		{`{"role":"computer","type":"console","format":"output","start":true}`, ""},
		{`{"role":"computer","type":"console","format":"outputs","start":true}`, "invalid-format"},
		{`{"role":"computer","type":"console","format":"outputs","content":7}`, "invalid-format"},
		{`{"role":"computer","type":"console","format":null,"content":"x"}`, "invalid-format"},
		{`{"role":"computer","type":"image","format":"png","content":"iVBORw0KGgo="}`, "invalid-format"},
		{`{"role":"computer","type":"image","format":"png","content":5}`, "invalid-format"},
		{`{"role":"user","type":"image","format":"description","content":"A cat."}`, "invalid-format"},
		{`{"role":"assistant","type":"code","format":"cobol","start":true}`, ""},
		{`{"role":"assistant","type":"code","format":"","start":true}`, "missing-format"},
		{`{"role":"computer","type":"console","format":"","content":"1"}`, "missing-format"},
		{`{"role":"computer","type":"console","format":"","start":true}`, "invalid-format"},
		{`{"role":"user","type":"file","format":"","content":"a"}`, "invalid-format"},
		{`{"role":"assistant","type":"code","format":3,"content":4}`, "invalid-format"},
		{`{"role":"assistant","type":"message","format":"text","start":true}`, "unexpected-format"},
		{`{"role":"assistant","type":"message","format":null,"start":true}`, "unexpected-format"},
		{`{"role":"assistant","type":"message","format":"text","content":5}`, "unexpected-format"},
		{`{"role":"user","type":"file","format":"path","content":"a"}`, ""},
		{`{"role":"user","type":"file","content":"a"}`, ""},
		{`{"role":"user","type":"file","format":"pathe","content":"a"}`, "invalid-format"},
		{`{"role":"user","type":"command","content":"go"}`, "unknown-type"},
		{`{"role":"user","start":true}`, "missing-type"},
	}
}

func interpreterEvents() []verdict {
	return []verdict{
		{`{"role":"assistant","type":"message"}`, "missing-content"},
		{`{"role":"assistant","type":"message","contnet":"x"}`, "missing-content"},
		{`{"role":"assistant","type":"message","startt":true,"other":1}`, "missing-content"},
		{`{"role":"assistant","type":"message","content":"x","mood":"good"}`, "unknown-key"},
		{`{"role":"assistant","type":"message","content":"x","":"good"}`, "unknown-key"},
		{`{"rolle":"assistant","type":"message","content":"x","":"good"}`, "missing-role unknown-key"},
		{`{"role":"assistant","type":"message","content":"x","mood":"good","tone":"dry"}`, "unknown-key"},
		{`{"role":"assistant","type":"message","content":"x","id":"m1","created_at":1700000000}`, ""},
		{`{"role":"assistant","type":"message","id":null,"start":true}`, ""},
		{`{"role":"assistant","type":"message","start":false}`, "invalid-flag"},
		{`{"role":"assistant","type":"message","end":"true"}`, "invalid-flag"},
		{`{"role":"assistant","type":"message","end":1}`, "invalid-flag"},
		{`{"role":"assistant","type":"message","end":null}`, "invalid-flag"},
		{`{"role":"assistant","type":"message","start":true,"content":"x"}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","start":true,"content":null}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","content":"x","end":true}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","start":true,"end":true}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","start":true,"content":"x","end":true}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","start":false,"content":"x","end":false}`, "invalid-flag conflicting-keys"},
		{`{"role":"assistant","type":"code","start":true,"content":"x"}`, "conflicting-keys"},
		{`{"role":"computer","type":"console","start":true,"content":"x"}`, "conflicting-keys"},
		{`{"role":"assistant","type":"message","stop":true}`, "other-end-key"},
		{`{"role":"assistant","type":"message","stop":true,"content":"x"}`, "other-end-key"},
		{`{"role":"assistant","type":"message","stop":true,"x":1}`, "other-end-key unknown-key"},
		{`{"role":"computer","type":"confirmation","format":"execution","stop":true}`, "other-end-key"},
		{`{"role":"computer","type":"console","format":"output","content":"x","recipient":"user"}`, ""},
		{`{"role":"computer","type":"console","start":true,"recipient":"user"}`, ""},
		{`{"role":"computer","type":"console","format":"output","content":"x","recipient":"system"}`, "invalid-recipient"},
		{`{"role":"computer","type":"console","format":"output","content":"x","recipient":null}`, "invalid-recipient"},
	}
}

func interpreterContents() []verdict {
	return []verdict{
		{`{"role":"assistant","type":"message","content":""}`, ""},
		{`{"role":"assistant","type":"message","content":null}`, "wrong-content-type"},
		{`{"role":"assistant","type":"message","content":["x"]}`, "wrong-content-type"},
		{`{"role":"assistant","type":"code","format":"python","content":{"code":"1"}}`, "wrong-content-type"},
		{`{"role":"computer","type":"console","format":"output","content":5}`, "wrong-content-type"},
		{`{"role":"computer","type":"console","format":"output","content":null}`, "wrong-content-type"},
		{`{"role":"computer","type":"console","format":"active_line","content":1}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":1.0}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":3e2}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":null}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":0}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":-1}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":1.5}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":1e-400000}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":1e1000001}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":true}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":"1"}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":"one"}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":[1]}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":{}}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line"}`, "missing-content"},
	}
}

func interpreterConfirmations() []verdict {
	const head = `{"role":"computer","type":"confirmation","format":"execution",`
	return []verdict{
		{head + `"content":{"type":"code","format":"python","content":"1"}}`, ""},
		{head + `"content":{"content":"1","format":"cobol","type":"code"},"id":"c1"}`, ""},
		{head + `"content":{"type":"code","language":"python","code":"1"}}`, "legacy-confirmation"},
		{head + `"content":{"language":"python","code":"1"}}`, "invalid-confirmation"},
		{head + `"content":{"type":"code","language":"python","code":1}}`, "invalid-confirmation"},
		{head + `"content":{"type":"code","format":"python","code":"1"}}`, "invalid-confirmation"},
		{head + `"content":{"type":"code","format":"python","content":null}}`, "invalid-confirmation"},
		{head + `"content":{"type":"message","format":"python","content":"1"}}`, "invalid-confirmation"},
		{head + `"content":{"type":"code","format":"python","content":"1","a/b%~":1}}`, "invalid-confirmation"},
		{head + `"content":{}}`, "invalid-confirmation"},
		{head + `"content":"1"}`, "invalid-confirmation"},
		{head + `"content":null}`, "invalid-confirmation"},
		{head + `"content":[{"type":"code"}]}`, "invalid-confirmation"},
		{head + `"start":true}`, "missing-content"},
		{head + `"end":true}`, "missing-content"},
		{head + `"content":{"type":"code","format":"python","content":"1"},"start":true}`, "conflicting-keys"},
		{head + `"content":"1","start":true}`, "conflicting-keys"},
		{`{"role":"computer","type":"confirmation","content":{"type":"code","format":"python","content":"1"}}`, "missing-format"},
		{`{"role":"computer","type":"confirmation","content":"1"}`, "missing-format"},
		{`{"role":"computer","type":"confirmation","format":"run","content":5}`, "invalid-format"},
	}
}

func serverVerdicts() []verdict {
	return []verdict{
		{`{"role":"server","type":"status","content":"complete","id":"x"}`, ""},
		{`{"role":"server","type":"error","content":"Traceback"}`, ""},
		{`{"role":"server","type":"error","content":{"message":"x"}}`, "wrong-content-type"},
		{`{"role":"server","type":"error","format":"text","content":"x"}`, "unexpected-format"},
		{`{"role":"server","type":"status"}`, "missing-content"},
		{`{"role":"server","type":"status","start":true}`, "missing-content"},
		{`{"role":"server","type":"status","content":"complete","end":true}`, "conflicting-keys"},
		{`{"role":"sever","type":"status","content":"complete"}`, "unknown-role"},
		{`{"role":"server","content":"complete"}`, "missing-type"},
		{`{"role":"user","type":"command","start":true}`, ""},
		{`{"role":"user","type":"command","content":"halt"}`, ""},
		{`{"role":"user","type":"command","format":"go","content":"go"}`, "unexpected-format"},
		{`{"role":"user","start":true}`, ""},
		{`{"role":"user","end":true,"id":"x"}`, ""},
		{`{"role":"user","stop":true}`, "other-end-key"},
		{`{"role":"user","start":false}`, "invalid-flag"},
		{`{"role":"user","start":true,"end":true}`, "conflicting-keys"},
		{`{"role":"user","format":"path","start":true}`, "unexpected-format"},
		{`{"role":"user","start":true,"mood":1}`, "unknown-key"},
		{`{"role":"usr","start":true}`, "unknown-role"},
		{`{"role":7,"start":true}`, "unknown-role"},
		{`{"start":true}`, "missing-role"},
		{`{"role":"assistant","start":true}`, "missing-type"},
		{`{"role":"user","content":"Hi"}`, "missing-type"},
		{`{"role":"user","start":true,"content":"Hi"}`, "conflicting-keys"},
		{`{"role":"user"}`, "missing-content"},
		{`{"role":"user","typ":"message","start":true}`, "unknown-key"},
		{`{"role":"user","typ":"image","format":"path","start":true}`, "unknown-key"},
		{`{"auth":"key"}`, ""},
		{`{"auth":false}`, ""},
		{`{"auth":null}`, "wrong-content-type"},
		{`{"auth":true,"ack":"x"}`, "unknown-key"},
		{`{"ack":"vytxeTZskVKR7C7WgdSP3d"}`, ""},
		{`{"ack":5}`, "wrong-content-type"},
		{`{"ack":"x","start":true}`, "unknown-key"},
		{`{"role":"user","auth":"key"}`, "missing-content"},
		{`{"role":"user","type":"message","content":"x","ack":"y"}`, "unknown-key"},
		{`{}`, "missing-role"},
		{`{"role":"computer","type":"confirmation","format":"execution","content":{"type":"code","format":"python","content":"1"}}`, ""},
	}
}

func docsVerdicts() []verdict {
	const confirmation = `{"role":"computer","type":"confirmation","format":"execution",`
	return []verdict{
		{`{"role":"computer","type":"console","format":"active_line","content":"1"}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":1}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":null}`, ""},
		{`{"role":"computer","type":"console","format":"active_line","content":"one"}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":""}`, "invalid-active-line"},
		{`{"role":"computer","type":"console","format":"active_line","content":-1}`, "invalid-active-line"},
		{confirmation + `"content":{"type":"code","language":"python","code":"34 / 24"}}`, ""},
		{confirmation + `"content":{"type":"code","format":"python","content":"34 / 24"}}`, ""},
		{confirmation + `"content":{"type":"code","language":"python"}}`, "invalid-confirmation"},
		{confirmation + `"content":{"type":"code","format":"python","code":"1"}}`, "invalid-confirmation"},
		{confirmation + `"content":7}`, "invalid-confirmation"},
		{`{"role":"system","type":"message","content":"x"}`, "unknown-role"},
		{`{"role":"user","type":"file","content":"a"}`, "unknown-type"},
		{`{"role":"assistant","type":"review","format":"safe","start":true}`, "unknown-type"},
		{`{"role":"user","type":"audio","format":"wav","content":"a.wav"}`, ""},
		{`{"role":"user","type":"audio","format":"bytes.wav","start":true}`, "invalid-format"},
		{`{"role":"user","type":"image","format":"path","content":"a.png"}`, ""},
		{`{"role":"assistant","type":"code","format":"fortran","start":true}`, ""},
		{`{"role":"computer","type":"console","format":"output","content":"x","recipient":"user"}`, "unknown-key"},
		{`{"role":"assistant","type":"message","content":"x","id":1}`, ""},
		{`{"role":"assistant","type":"message","stop":true}`, "other-end-key"},
		{`{"role":"computer","type":"console","format":"output","start":true}`, ""},
	}
}

func messageVerdicts() map[string][]verdict {
	return map[string][]verdict{
		"interpreter": {
			{`{"role":"user","type":"message","content":"Hi"}`, ""},
			{`{"role":"user","content":"Hi"}`, "missing-type"},
			{`{"type":"message","content":"Hi"}`, "missing-role"},
			{`{"role":"usr","type":"message","content":"Hi"}`, "unknown-role"},
			{`{"role":"user","type":"massage","content":"Hi"}`, "unknown-type"},
			{`{"role":"user","type":"message"}`, "missing-content"},
			{`{"role":"user","type":"message","content":null}`, "wrong-content-type"},
			{`{"role":"user","type":"message","content":[{"type":"text","text":"Hi"}]}`, "wrong-content-type"},
			{`{"role":"user","type":"message","content":"Hi","start":true}`, "unknown-key"},
			{`{"role":"user","type":"message","content":"Hi","stop":true}`, "unknown-key"},
			{`{"role":"user","type":"message","start":true}`, "missing-content"},
			{`{"role":"user","type":"message","content":"Hi","recipient":"all"}`, "invalid-recipient"},
			{`{"role":"user","type":"message","format":"text","content":"Hi"}`, "unexpected-format"},
			{`{"role":"computer","type":"console","format":"output","content":""}`, ""},
			{`{"role":"computer","type":"console","content":"x"}`, "missing-format"},
			{`{"role":"computer","type":"console","format":"active_line","content":1}`, "invalid-format"},
			{`{"role":"computer","type":"console"}`, "missing-format missing-content"},
			{`{"role":"user","type":"image","format":"description","content":"A cat."}`, ""},
			{`{"role":"user","type":"image","format":"path","content":7}`, "wrong-content-type"},
			{`{"role":"user","type":"file","content":"a.csv"}`, ""},
			{`{"role":"assistant","type":"review","format":"safe","content":"x"}`, "unknown-type"},
		},
		"interpreter-0.1": {
			{`{"role":"user","type":"image","format":"description","content":"A cat."}`, "invalid-format"},
			{`{"role":"user","type":"file","content":"a.csv"}`, ""},
		},
		"docs": {
			{`{"role":"user","type":"image","format":"description","content":"A cat."}`, "invalid-format"},
			{`{"role":"user","type":"message","content":"Hi","recipient":"user"}`, "unknown-key"},
			{`{"role":"computer","type":"message","content":"Hi","created_at":"now"}`, ""},
		},
		"server": {
			{`{"role":"user","content":"Hi"}`, "missing-type"},
			{`{"auth":"x"}`, "missing-role"},
		},
	}
}

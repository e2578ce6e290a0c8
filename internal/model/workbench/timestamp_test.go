package workbench_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// node is a JSON value as the member "v" of an object.
func node(t *testing.T, json string) *source.Node {
	t.Helper()
	rec, err := source.NewReader(bytes.NewReader([]byte(`{"v": `+json+`}`)), source.Options{}).Next()
	require.NoError(t, err)
	return rec.Clone().Root.Member("v")
}

func TestParseTimestamp(t *testing.T) {
	at := time.Date(2025, 3, 3, 20, 1, 5, 0, time.UTC)
	for text, want := range map[string]workbench.Timestamp{
		`"2025-03-03T20:01:05Z"`:          {Time: at, Offset: true},
		`"2025-03-03T20:01:05.000Z"`:      {Time: at, Offset: true},
		`"2025-03-03T21:01:05+01:00"`:     {Time: at, Offset: true},
		`"2025-03-03T21:01:05+0100"`:      {Time: at, Offset: true},
		`"2025-03-03T20:01:05.000000000"`: {Time: at},
		`"2025-03-03 20:01:05"`:           {Time: at, Odd: true},
		`"2025-03-03T20:01Z"`:             {Time: at.Add(-5 * time.Second), Offset: true, Odd: true},
		`"2025-03-03"`:                    {Time: time.Date(2025, 3, 3, 0, 0, 0, 0, time.UTC), Odd: true},
		`1741032065`:                      {Time: at, Offset: true, Number: true},
		`1741032065000`:                   {Time: at, Offset: true, Number: true},
		`"1741032065"`:                    {Time: at, Offset: true, Number: true},
	} {
		got, ok := workbench.ParseTimestamp(node(t, text))
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseTimestampRejects(t *testing.T) {
	for _, text := range []string{
		`"Monday, March 3 3:01 PM"`, `""`, `"2025-13-03"`, `"2025-02-30T20:01:05Z"`, `"2025-03-03T25:01:05Z"`, `"2025-03-03T20"`,
		`" 2025-03-03T20:01:05Z"`, `"2025-03-03T20:01:05 Z"`, `"2025-03-03T20:01:05+24:00"`, `"2025-03-03T20:01:05+00:60"`, `"0000-01-01T00:00:00Z"`,
		`null`, `true`, `{}`, `1e300`, `-1e18`, `-62135596800001`, `253402300800000`,
	} {
		_, ok := workbench.ParseTimestamp(node(t, text))
		assert.False(t, ok, text)
	}
	_, ok := workbench.ParseTimestamp(nil)
	assert.False(t, ok)
}

func TestParseUUID(t *testing.T) {
	const plain = "cda53796-4fe4-49a7-8175-ee227d405e7e"
	want, form := workbench.ParseUUID(plain)
	assert.Equal(t, workbench.PlainUUID, form)
	assert.Equal(t, plain, want.String())
	for _, odd := range []string{
		"CDA53796-4FE4-49A7-8175-EE227D405E7E", "cda537964fe449a78175ee227d405e7e", "{" + plain + "}", "urn:uuid:" + plain,
	} {
		id, form := workbench.ParseUUID(odd)
		assert.Equal(t, workbench.OddUUID, form, odd)
		assert.Equal(t, want, id, odd)
	}
	for _, wrong := range []string{
		"", "optimistic", plain[1:], plain + "0", "cda53796-4fe4-49a7-8175-ee227d405e7g", "cda5379-64fe4-49a7-8175-ee227d405e7e",
		"{cda537964fe449a78175ee227d405e7e}", "{" + plain, plain + "}", "urn:uuid:{" + plain + "}", "cda53796-4fe449a7-8175-ee227d405e7e",
	} {
		_, form := workbench.ParseUUID(wrong)
		assert.Equal(t, workbench.NoUUID, form, wrong)
	}
}

func TestIsPythonUUID(t *testing.T) {
	const plain = "cda53796-4fe4-49a7-8175-ee227d405e7e"
	for text, want := range map[string]bool{
		plain: true, "{cda537964fe449a78175ee227d405e7e}": true, "urn:uuid:" + plain: true, "cda53796-4fe449a78175ee227d405e7e": true,
		"": false, "helper": false, plain + "0": false,
	} {
		assert.Equal(t, want, workbench.IsPythonUUID(text), text)
	}
}

func TestCommandName(t *testing.T) {
	for text, want := range map[string]string{
		"/help": "/help", "/say hi": "/say", "/?": "/?", "/run(now)": "/run", "/a\nb": "/a", "/set-mode brief": "/set-mode",
		"/usr/bin/x": "", "//": "", "/ 2": "", " /help": "", "help": "", "": "", "/1": "",
	} {
		assert.Equal(t, want, workbench.CommandName(text), "%q", text)
	}
}

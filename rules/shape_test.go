package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// lintRecords lints records, one a line, as a kind of input in a dialect.
func lintRecords(t *testing.T, kind, dialect string, records ...string) []lint.Finding {
	t.Helper()
	linter := linterFor(lint.Config{Kind: kind, Dialect: dialect})
	return lintAll(t, linter, "records", []byte(strings.Join(records, "\n")+"\n"))
}

// What a message and its help say is what a person has to go by.
func TestShapeInWords(t *testing.T) {
	for _, test := range []struct {
		name, kind, dialect string
		record              string
		rule, message, help string
	}{
		{
			"a role that another protocol has", "transcript", "",
			`{"role": "tool", "type": "message", "content": "1"}`,
			"LMC102", `unknown role "tool"`, "the LMC role is computer; defined in dialect classic: pass --dialect classic",
		}, {
			"a role that is not a string", "transcript", "",
			`{"role": null, "type": "message", "content": "1"}`,
			"LMC102", "role is null, expected a string", "expected user, assistant, computer or system",
		}, {
			"role and type of another dialect", "stream", "interpreter",
			`{"role": "server", "type": "status", "content": "complete"}`,
			"LMC102", `unknown role "server"`, "defined in dialect server: pass --dialect server",
		}, {
			"a role under another key", "transcript", "",
			`{"from": "assistant", "type": "message", "content": "Hi"}`,
			"LMC101", "message has no role", `rename "from" to "role"`,
		}, {
			"a type under another key", "transcript", "",
			`{"role": "assistant", "messageType": "message", "content": "Hi"}`,
			"LMC103", "assistant record has no type", `rename "messageType" to "type"`,
		}, {
			"a format for a type", "transcript", "",
			`{"role": "assistant", "type": "base64.png", "content": "iVBORw0KGgo="}`,
			"LMC104", `unknown type "base64.png"`, `base64.png is a format: write "type": "image", "format": "base64.png"`,
		}, {
			"a type of another program", "transcript", "",
			`{"role": "assistant", "type": "text", "content": "Hi"}`,
			"LMC104", `unknown type "text"`, "the LMC type is message",
		}, {
			"a type of later releases", "stream", "interpreter-0.3",
			`{"role": "assistant", "type": "review", "format": "safe", "content": "Fine"}`,
			"LMC104", `unknown type "review"`, "defined in dialect interpreter: pass --dialect interpreter",
		}, {
			"a language under another key", "transcript", "",
			`{"role": "assistant", "type": "code", "language": "python", "content": "1"}`,
			"LMC105", "assistant code has no format", `rename "language" to "format"`,
		}, {
			"an image as a MIME type", "transcript", "",
			`{"role": "user", "type": "image", "format": "image/jpg", "content": "/9j/"}`,
			"LMC106", `unknown image format "image/jpg"`, `did you mean "base64.jpeg"?`,
		}, {
			"an image of another kind than its format is near to", "transcript", "",
			`{"role": "user", "type": "image", "format": "base64.jpg", "content": "iVBORw0KGgoAAAANSUhEUg=="}`,
			"LMC106", `unknown image format "base64.jpg"`, `write "base64.png": the content is a PNG image`,
		}, {
			"a format that is never streamed", "stream", "",
			`{"role": "user", "type": "image", "format": "description", "content": "A plot"}`,
			"LMC106", `unknown image format "description"`, "in a stream, expected base64, base64.png, base64.jpeg or path",
		}, {
			"null for no format", "transcript", "",
			`{"role": "user", "type": "message", "format": null, "content": "Hi"}`,
			"LMC107", "unexpected format null on a message", `remove "format"`,
		}, {
			"content under another key", "transcript", "",
			`{"role": "user", "type": "message", "text": "Hi"}`,
			"LMC108", "user message has no content", `rename "text" to "content"`,
		}, {
			"a misspelled flag", "stream", "",
			`{"role": "assistant", "type": "message", "strt": true}`,
			"LMC108", "assistant message has no content and no flag", `rename "strt" to "start"`,
		}, {
			"parts of another protocol", "transcript", "",
			`{"role": "user", "type": "message", "content": [{"type": "text", "text": "Hi"}]}`,
			"LMC109", "content of user message is an array, expected a string", "send each part as a record with its own type",
		}, {
			"several unknown keys", "transcript", "",
			`{"role": "user", "type": "message", "content": "Hi", "a1": 1, "b1": 1, "c1": 1, "d1": 1, "e1": 1}`,
			"LMC110", `unknown keys "a1", "b1", "c1" and 2 more`, "remove these keys; consumers ignore them",
		}, {
			"a key of another dialect", "transcript", "docs",
			`{"role": "user", "type": "message", "content": "Hi", "recipient": "assistant"}`,
			"LMC110", `unknown key "recipient"`, "defined in dialect interpreter: pass --dialect interpreter",
		}, {
			"a name from the data never reaches a line break", "transcript", "",
			`{"role": "user", "type": "message", "content": "Hi", "a\nb": 1}`,
			"LMC110", `unknown key "a\nb"`, "remove the key; consumers ignore it",
		}, {
			"a recipient for both", "transcript", "",
			`{"role": "user", "type": "message", "content": "Hi", "recipient": null}`,
			"LMC115", "recipient is null, expected user or assistant", "remove the key to send the content to both",
		}, {
			"a language that has another name here", "transcript", "",
			`{"role": "assistant", "type": "code", "format": "js", "content": "1"}`,
			"LMC118", `unknown language "js"; the interpreter will not run this code`, `did you mean "javascript"?`,
		}, {
			"a short name is not mended by guessing", "transcript", "",
			`{"role": "assistant", "type": "code", "format": "c", "content": "1"}`,
			"LMC118", `unknown language "c"; the interpreter will not run this code`,
			"expected python, shell, javascript, html, applescript, r, powershell, react, ruby or java",
		}, {
			"space round a language", "transcript", "",
			`{"role": "assistant", "type": "code", "format": "python ", "content": "1"}`,
			"LMC119", `language "python " is not in its canonical spelling`,
			`write "python"; some consumers compare the name exactly`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings := withoutNotes(lintRecords(t, test.kind, test.dialect, test.record), test.rule)
			require.Len(t, findings, 1)
			assert.Equal(t, test.rule, findings[0].Rule.ID)
			assert.Equal(t, test.message, findings[0].Message)
			assert.Equal(t, test.help, findings[0].Help)
		})
	}
}

// withoutNotes removes the findings that a single record must have besides its own
// mistake: code that does not run, content without a start flag.
func withoutNotes(findings []lint.Finding, rule string) []lint.Finding {
	var left []lint.Finding
	for _, f := range findings {
		if f.Rule.ID == rule || f.Severity != lint.SeverityNote {
			left = append(left, f)
		}
	}
	return left
}

func TestConflictingKeys(t *testing.T) {
	for _, test := range []struct{ name, record, rule, message, help string }{
		{
			"start and content", `{"role": "assistant", "type": "message", "start": true, "content": "Hi"}`,
			"LMC112", "assistant message has start and content in one chunk",
			"send the start flag in a separate chunk, first; consumers that test the content first miss it here",
		}, {
			"start and end", `{"role": "assistant", "type": "message", "start": true, "end": true}`,
			"LMC112", "assistant message has start and end in one chunk",
			"send start and end in separate chunks, with content between them",
		}, {
			"content and end of code", `{"role": "assistant", "type": "code", "format": "r", "content": "1", "end": true}`,
			"LMC112", "assistant code has content and end in one chunk",
			"send the end flag in a separate chunk, last; consumers that test the end first lose the content",
		}, {
			"content and end of the client", `{"role": "user", "type": "message", "content": "Hi", "end": true}`,
			"LMC112", "user message has content and end in one chunk",
			"send the end flag in a separate chunk, last; the server misses it here and never answers",
		}, {
			"a flag that denies itself beside content", `{"role": "assistant", "type": "message", "content": "Hi", "start": false}`,
			"LMC111", "start is false, expected true",
			"remove the key; Open Interpreter only checks that the key is present, so this starts a block",
		}, {
			"a flag on what has none",
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "1"}, "end": false}`,
			"LMC112", "computer confirmation has content and end in one chunk", "send the content alone; a confirmation has no flags",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings := lintRecords(t, "stream", "", test.record)
			at := slices.IndexFunc(findings, func(f lint.Finding) bool { return f.Rule.ID == test.rule })
			require.GreaterOrEqual(t, at, 0)
			assert.Equal(t, test.message, findings[at].Message)
			assert.Equal(t, test.help, findings[at].Help)
		})
	}
}

func TestInvalidConfirmation(t *testing.T) {
	for content, message := range map[string]string{
		`"1"`: "confirmation content is a string, expected an object",
		`{}`:  "confirmed code has no content",
		`{"type": "code", "format": 5, "content": "1"}`:              "format of confirmed code is 5, expected a string",
		`{"type": "text", "format": "r", "content": "1"}`:            `type of confirmed code is "text", expected "code"`,
		`{"type": "code", "format": "r", "content": "1", "line": 1}`: `unknown key "line" in the confirmed code`,
	} {
		findings := lintRecords(t, "stream", "",
			`{"role": "assistant", "type": "code", "format": "r", "start": true}`,
			`{"role": "assistant", "type": "code", "format": "r", "content": "1"}`,
			`{"role": "assistant", "type": "code", "format": "r", "end": true}`,
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": `+content+`}`)
		require.Len(t, findings, 1, content)
		assert.Equal(t, "LMC113", findings[0].Rule.ID, content)
		assert.Equal(t, message, findings[0].Message)
	}
}

// A start flag with a wrong role does not begin a block of that role: the role of the
// content decides.
func TestUncommonRoleWaitsForContent(t *testing.T) {
	findings := lintRecords(t, "stream", "",
		`{"role": "user", "type": "console", "start": true}`,
		`{"role": "computer", "type": "console", "format": "output", "content": "1"}`,
		`{"role": "computer", "type": "console", "end": true}`)
	require.Len(t, findings, 1)
	assert.Equal(t, "LMC206", findings[0].Rule.ID)
}

func TestHelpForInvalidJSON(t *testing.T) {
	good := `{"role": "assistant", "type": "message", "content": "Hi"}`
	for record, help := range map[string]string{
		`{'role': 'assistant'}`:                               "write json.dumps(chunk) instead of print(chunk), which writes Python literals",
		`{"role": "assistant", "end": true, "start": True}`:   "write json.dumps(chunk) instead of print(chunk), which writes Python literals",
		`{"role": "True \" None", "start": 1,}`:               "remove the comma",
		`{"role": "assistant", "content": NaN}`:               "write null or a string instead of NaN and Infinity; in Python, json.dumps(chunk, allow_nan=False) finds them",
		`{"role": "assistant", "end": undefined}`:             "omit the key or write null instead of undefined",
		`data: {"role": "assistant", "end": true}`:            `this is a line of server-sent events: remove "data:"`,
		`{"role": "assistant", "content": "a` + "\x01" + `"}`: "write records with a library: json.dumps(chunk) in Python, JSON.stringify(chunk) in JavaScript",
	} {
		findings := lintRecords(t, "transcript", "", good, record, good)
		require.Len(t, findings, 1, record)
		assert.Equal(t, "LMC001", findings[0].Rule.ID, record)
		assert.Equal(t, help, findings[0].Help, record)
	}
}

// If an input could not be read at all, it is not also reported as having no
// records.
func TestAnUnreadableInputIsNotEmpty(t *testing.T) {
	findings := lintRecords(t, "transcript", "", "\xff\xfe{\x00}\x00")
	require.Len(t, findings, 1)
	assert.Equal(t, "LMC002", findings[0].Rule.ID)
}

func TestUnknownKeyIsAnErrorByTheDocuments(t *testing.T) {
	record := `{"role": "user", "type": "message", "content": "Hi", "seq": 1}`
	for dialect, severity := range map[string]lint.Severity{
		"docs": lint.SeverityError, "interpreter": lint.SeverityWarning,
	} {
		findings := lintRecords(t, "transcript", dialect, record)
		require.Len(t, findings, 1)
		assert.Equal(t, severity, findings[0].Severity, dialect)
	}
}

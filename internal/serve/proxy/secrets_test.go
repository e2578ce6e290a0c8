package proxy

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestSecretsAreReplaced(t *testing.T) {
	for text, want := range map[string]string{
		`{"auth": "hunter2"}`:                                    `{"auth": "redacted"}`,
		`{"auth":"a\"b","x":1}`:                                  `{"auth":"redacted","x":1}`,
		`{"auth" : -12.5e3, "x": 1}`:                             `{"auth" : 0, "x": 1}`,
		`{"auth": {"a": ["]", {"b": "}"}], "key": "s"}, "x": 1}`: `{"auth": {}, "x": 1}`,
		`{"Auth": "s", "AUTH": 5, "author": "a"}`:                `{"Auth": "redacted", "AUTH": 0, "author": "a"}`,
		`{"headers": {"Authorization": "s", "auth_token": "t"}}`: `{"headers": {"Authorization": "redacted", "auth_token": "redacted"}}`,
		`{"a": [{"auth": ["s", "t"]}, {"auth": "u"}]}`:           `{"a": [{"auth": []}, {"auth": "redacted"}]}`,
		`{"\u0061uth": "s"}`:                                     `{"\u0061uth": "redacted"}`,
		`{"auth": "cut`:                                          `{"auth": "redacted"`,
		`{"auth": {"cut": "s`:                                    `{"auth": "redacted"`,
		`x"auth":s3cret y`:                                       `x"auth":"redacted"`,
		`{'auth': 'SECRET'}`:                                     `{'auth': 'redacted'}`,
		`{'auth': 'it\'s', 'a': 1}`:                              `{'auth': 'redacted', 'a': 1}`,
		`{'auth': True, 'a': 1}`:                                 `{'auth': True, 'a': 1}`,
		`{'auth': b'SECRET'}`:                                    `{'auth': 'redacted'}`,
		`{auth: "SECRET"}`:                                       `{auth: "redacted"}`,
		`"{\"auth\": \"SECRET\"}"`:                               `"{\"auth\": \"redacted\"}"`,
		"Authorization: Bearer SECRET\nAccept: x":                "Authorization: \"redacted\"\nAccept: x",
		`author of the message`:                                  `author of the message`,
		"{\"auth\"\n:\n\"s\"}":                                   "{\"auth\"\n:\n\"redacted\"}",
		`{"auth": true}`:                                         `{"auth": true}`,
		`{"auth": null, "a": false}`:                             `{"auth": null, "a": false}`,
		`{"auth":}`:                                              `{"auth":}`,
		`{"auth":`:                                               `{"auth":`,
		`{"auths": "s", "content": "auth: x"}`:                   `{"auths": "s", "content": "auth: x"}`,
		`{"auth`:                                                 `{"auth`,
		``:                                                       ``,
	} {
		assert.Equal(t, want, string(withoutSecrets([]byte(text))), "%s", text)
	}
}

func FuzzSecrets(f *testing.F) {
	f.Add(`{"a": %, "b": [1]}`, `{"x": ["hunter2"]}`)
	f.Add(`[{"auth": 1}, %]`, `"hunter2"`)
	f.Fuzz(func(t *testing.T, frame, value string) {
		withoutSecrets([]byte(frame)) // which does not fail
		text := strings.ReplaceAll(frame, "%", `{"auth": `+value+`}`)
		if !json.Valid([]byte(text)) || !json.Valid([]byte(value)) || !strings.Contains(value, "hunter2") {
			return
		}
		clean := withoutSecrets([]byte(text))
		if utf8.ValidString(text) {
			assert.True(t, json.Valid(clean), "%s", clean)
		}
		if !strings.Contains(frame, "hunter2") && strings.Contains(frame, "%") {
			assert.NotContains(t, string(clean), "hunter2", "%s", text)
		}
	})
}

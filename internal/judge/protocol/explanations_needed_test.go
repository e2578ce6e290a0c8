package protocol_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// words are the records that the inputs of TestEachRowIsNeeded consist of. What
// is not a word is a record itself.
var words = map[string]string{
	"code":    `{"role": "assistant", "type": "code", "format": "python", "start": true}`,
	"1":       `{"role": "assistant", "type": "code", "format": "python", "content": "1"}`,
	"''":      `{"role": "assistant", "type": "code", "format": "python", "content": ""}`,
	"/code":   `{"role": "assistant", "type": "code", "format": "python", "end": true}`,
	"1?":      `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "1"}}`,
	"2?":      `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "2"}}`,
	"html":    `{"role": "computer", "type": "code", "format": "html", "start": true}`,
	"<p>":     `{"role": "computer", "type": "code", "format": "html", "content": "<p>"}`,
	"/html":   `{"role": "computer", "type": "code", "format": "html", "end": true}`,
	"<p>?":    `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "html", "content": "<p>"}}`,
	"output":  `{"role": "computer", "type": "console", "start": true}`,
	"x":       `{"role": "computer", "type": "console", "format": "output", "content": "x"}`,
	"5":       `{"role": "computer", "type": "console", "format": "active_line", "content": 5}`,
	"null":    `{"role": "computer", "type": "console", "format": "active_line", "content": null}`,
	"/output": `{"role": "computer", "type": "console", "end": true}`,
	"message": `{"role": "assistant", "type": "message", "start": true}`,
	"Hi":      `{"role": "assistant", "type": "message", "content": "Hi"}`,
	"/mes":    `{"role": "assistant", "type": "message", "end": true}`,
	"image":   `{"role": "computer", "type": "image", "format": "base64.png", "start": true}`,
	"PNG":     `{"role": "computer", "type": "image", "format": "base64.png", "content": "iVBORw0KGgo="}`,
	"/image":  `{"role": "computer", "type": "image", "format": "base64.png", "end": true}`,
	"review":  `{"role": "assistant", "type": "review", "format": "safe", "start": true}`,
	">It":     `{"role": "assistant", "type": "review", "format": "safe", "content": ">It lists."}`,
	"/review": `{"role": "assistant", "type": "review", "format": "safe", "end": true}`,
	"user":    `{"dir": "send", "frame": {"role": "user", "start": true}}`,
	"/user":   `{"dir": "send", "frame": {"role": "user", "end": true}}`,
}

// needed has, for each row of the table of explanations, an input in which its
// rule has more findings without it.
var needed = map[protocol.Row]string{
	{"LMC207", "a record of the block is unreadable or invalid"}:     `message {oops /mes`,
	{"LMC207", "the block has no end flag"}:                          `message code 1 /code 1?`,
	{"LMC208", "the record is invalid (LMC1xx)"}:                     `message {"role":"you","type":"message","content":""} Hi /mes`,
	{"LMC209", "the record is invalid (LMC1xx)"}:                     `code 1 /code 1? {"role":"computer","type":"console","format":"stdout","start":true} x null /output`,
	{"LMC210", "a record of the block is unreadable or invalid"}:     `message {"role":"assistant","type":"message","content":"abcdef"} {"role":"assistant","type":"message","content":"cd"} {"role":"assistant","type":"message","content":"ef"} {"role":"assistant","type":"message","content":5} /mes`,
	{"LMC302", "the confirmation is reported already"}:               `message Hi 1?`,
	{"LMC303", "the confirmation is reported already"}:               `code 1 /code 1? output x null /output html <p> /html message Hi <p>?`,
	{"LMC304", "the confirmation is reported already"}:               `code 1 /code message Hi 2?`,
	{"LMC304", "the text of the code is uncertain"}:                  `code 1 {oops /code 2?`,
	{"LMC305", "the confirmation is reported already"}:               `code 1 /code 1? message Hi 1?`,
	{"LMC305", "the last confirmation was misplaced"}:                `code 1? 1 /code 1?`,
	{"LMC308", "the text of the code is uncertain"}:                  `code 1 {oops /code 1? output 5 null /output`,
	{"LMC309", "the record is invalid (LMC1xx)"}:                     `code 1 /code 1? output null {"role":"computer","type":"console","content":"x"} /output`,
	{"LMC310", "a record of the execution is unreadable or invalid"}: `code 1 /code 1? output x {oops /output`,
	{"LMC308", "what runs is an edit"}:                               `{"role":"assistant","type":"edit","format":"sed","start":true} {"role":"assistant","type":"edit","format":"sed","content":"s","target":"/n"} {"role":"assistant","type":"edit","format":"sed","end":true} {"role":"computer","type":"console","start":true} {"role":"computer","type":"console","format":"active_line","content":7} {"role":"computer","type":"console","end":true}`,
	{"LMC310", "what runs is an edit"}:                               `{"role":"assistant","type":"edit","format":"sed","start":true} {"role":"assistant","type":"edit","format":"sed","content":"s","target":"/n"} {"role":"assistant","type":"edit","format":"sed","end":true} {"role":"computer","type":"console","start":true} {"role":"computer","type":"console","format":"active_line","content":7} {"role":"computer","type":"console","end":true}`,
	{"LMC310", "no code precedes the execution (LMC306)"}:            `output x /output`,
	{"LMC311", "the text of the code is uncertain"}:                  `1 message Hi /mes code 1 /code`,
	{"LMC311", "the code is empty (LMC207 or LMC208)"}:               `code /code`,
	{"LMC503", "the record lacks its role or has an invalid one"}:    `[{"type":"console","format":"output","content":"x"},{"role":"user","type":"message","content":"x"}]`,
	{"LMC404", "a record of the block is unreadable or invalid"}:     `image PNG {oops PNG /image`,
	{"LMC404", "the block has no start flag"}:                        `PNG PNG /image`,
	{"LMC408", "a record of the block is unreadable or invalid"}:     `review {oops >It /review`,
	{"LMC410", "the block has no end flag"}:                          `image PNG message Hi /mes`,
	{"LMC610", "a record of the block is unreadable or invalid"}:     `user {"dir":"send","frame":"oops"} /user`,
	{"LMC610", "the block has no end flag"}:                          `user user {"dir":"send","frame":{"role":"user","type":"message","content":"Hi"}} /user`,
}

// Each row of the table of explanations is needed: without it, its rule has
// another finding in the input.
func TestEachRowIsNeeded(t *testing.T) {
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{}))
	for _, row := range protocol.Rows() {
		t.Run(row.Rule+" "+row.Condition, func(t *testing.T) {
			require.NotEmpty(t, needed[row], "add to needed an input in which the rule has another finding without this row; without one, the row is not needed")
			var input strings.Builder
			for _, word := range strings.Fields(needed[row]) {
				record, ok := words[word]
				if !ok {
					record = word
				}
				input.WriteString(record + "\n")
			}
			with := findings(t, linter, row.Rule, input.String())
			protocol.WithoutRow(row, func() {
				assert.Greater(t, findings(t, linter, row.Rule, input.String()), with, "without the row the rule finds no more in this input; another one needs it, or the row goes:\n%s", &input)
			})
		})
	}
}

// findings counts the findings of a rule.
func findings(t *testing.T, linter *lint.Linter, rule, input string) (n int) {
	t.Helper()
	_, err := linter.Run(context.Background(), "in", strings.NewReader(input), func(f lint.Finding) error {
		if f.Rule.ID == rule {
			n++
		}
		return nil
	})
	require.NoError(t, err)
	return n
}

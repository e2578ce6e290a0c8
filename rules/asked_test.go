package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// counted is LMC, and counts what its sessions do: records on the slow path, and
// events.
type counted struct {
	plugin.Protocol
	work int
}

// Prepare implements [plugin.Protocol].
func (c *counted) Prepare(config plugin.Config) (plugin.NewSession, error) {
	newSession, err := c.Protocol.Prepare(config)
	return func(kind string, emit plugin.Emit) plugin.Session {
		return &countedSession{c, newSession(kind, func(on plugin.Mask, event any) bool {
			c.work++
			return emit(on, event)
		})}
	}, err
}

type countedSession struct {
	of *counted
	plugin.Session
}

// Step implements [plugin.Session].
func (s *countedSession) Step(r *source.Record) {
	s.of.work++
	s.Session.Step(r)
}

// workOf returns what the check of a healthy input costs with all rules and one more.
func workOf(t *testing.T, input string, more func(*lint.Pass) []lint.Hook) int {
	t.Helper()
	c := &counted{Protocol: protocol.LMC{}}
	var all []*lint.Rule
	for _, r := range rules.All() {
		if r.Protocol == c.Protocol {
			other := *r
			other.Protocol = c
			r = &other
		}
		all = append(all, r)
	}
	all = append(all, &lint.Rule{
		ID: "LMC999", Name: "more", Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: c,
		New: more,
	})
	_, err := linttest.MustNew(all).Run(t.Context(), "in", strings.NewReader(input), func(f lint.Finding) error {
		assert.Less(t, f.Severity, lint.SeverityError, f.Message) // that code never ran is decided at the end
		return nil
	})
	require.NoError(t, err)
	return c.work
}

// blockOf returns a stream of one block.
func blockOf(keys, content string) string {
	const records = 400
	var b strings.Builder
	fmt.Fprintf(&b, `{"role": "computer", "type": "console", "start": true}`+"\n")
	if !strings.Contains(keys, "console") {
		b.Reset()
		fmt.Fprintf(&b, "{%s, \"start\": true}\n", keys)
	}
	for i := range records {
		fmt.Fprintf(&b, "{%s, \"content\": %s}\n", keys, fmt.Sprintf(content, i))
	}
	fmt.Fprintf(&b, "{%s, \"end\": true}\n", strings.ReplaceAll(keys, `, "format": "output"`, ""))
	return b.String()
}

// A rule pays for what it asks: a record adds work only if the rule is called for it.
func TestRulePaysForWhatItAsks(t *testing.T) {
	const ran = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}
`
	inputs := map[string]string{
		"message":    blockOf(`"role": "assistant", "type": "message"`, `"word%d "`),
		"code":       blockOf(`"role": "assistant", "type": "code", "format": "python"`, `"x%d = 1\n"`),
		"console":    ran + blockOf(`"role": "computer", "type": "console", "format": "output"`, `"line %d\n"`),
		"transcript": "[" + strings.Repeat(`{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello"}, `, 200) + `{"role": "user", "type": "message", "content": "Bye"}]`,
	}
	called := 0
	one := func(h lint.Hook) func(*lint.Pass) []lint.Hook {
		return func(*lint.Pass) []lint.Hook { return []lint.Hook{h} }
	}
	onText := func(kinds lmc.KindOf[lmc.ContentEvent], types ...string) func(*lint.Pass) []lint.Hook {
		return one(protocol.OnText(kinds, func(*lmc.Record, *lmc.Block) { called++ }, types...))
	}
	hooks := map[string]func(*lint.Pass) []lint.Hook{
		"text of messages":   onText(lmc.PlainText|lmc.Message, "message"),
		"text of code":       onText(lmc.PlainText|lmc.Message, "code"),
		"text of output":     onText(lmc.PlainText|lmc.Message, "console"),
		"text of reviews":    onText(lmc.PlainText|lmc.Message, "review"),
		"text of images":     onText(lmc.PlainText|lmc.Message, "image"),
		"text of attachment": onText(lmc.Attachment, "image", "audio", "file"),
		"any text":           onText(lmc.PlainText|lmc.Message, "message", "code", "console", "review"),
		"problems":           one(protocol.OnProblem(0, func(*protocol.Problem) { called++ })),
		"records":            one(protocol.OnRecord(func(*source.Record) { called++ })),
		"differences":        one(protocol.OnDifference(0, agreement.Reason(255), func(*agreement.Difference) { called++ })),
		"violations":         protocol.ReportViolations(func(*lint.Pass, *protocol.Violation) (f lint.Finding) { called++; return f }),
	}
	for bit := range session.KindCount {
		hooks[fmt.Sprintf("event %d", bit)] = one(lint.Hook{On: 1 << bit, Do: func(any) { called++ }})
	}
	for of, input := range inputs {
		base := workOf(t, input, one(lint.Hook{}))
		assert.Less(t, base, 900, "the records of a healthy %s are not parsed one by one", of)
		for name, hook := range hooks {
			called = 0
			assert.LessOrEqual(t, workOf(t, input, hook)-base, called, "%s, in a %s", name, of)
		}
	}
	plain := func(of string, hook func(*lint.Pass) []lint.Hook) int { called = 0; return workOf(t, inputs[of], hook) }
	assert.Greater(t, plain("console", hooks["text of output"]), 400, "what it asks for is counted")
}

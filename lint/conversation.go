package lint

import (
	"math/bits"

	"github.com/lmclint/lmclint/source"
)

// conversation is one conversation under check: the protocol's session, the
// rules' hooks by event, and the findings of the record at hand.
type conversation struct {
	session  Session
	number   int // as in Finding.Conversation
	path     string
	hooks    [64][]boundHook // by bit of Mask
	findings []Finding
	working  *Rule // whose hook is running, for PanicError
}

// boundHook is a hook with the rule that it belongs to.
type boundHook struct {
	rule *Rule
	do   func(event any)
}

func newConversation(r *run, session Session, number int) *conversation {
	c := &conversation{session: session, number: number, path: r.result.Path}
	for _, rule := range r.linter.rules {
		if rule.Protocol != r.protocol || !rule.Inputs.Has(r.verdict.Inputs) {
			continue
		}
		pass := &Pass{Rule: rule, State: session.State(), report: c.report}
		for _, hook := range rule.New(pass) {
			c.bind(rule, hook)
		}
	}
	return c
}

func (c *conversation) bind(rule *Rule, hook Hook) {
	for m := uint64(hook.On); m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		c.hooks[bit] = append(c.hooks[bit], boundHook{rule, hook.Do})
	}
}

func (c *conversation) step(rec *source.Record) { c.session.Step(rec, c.dispatch) }

func (c *conversation) finish() { c.session.Finish(c.dispatch) }

// dispatch calls the hooks that asked for an event.
func (c *conversation) dispatch(on Mask, event any) {
	for m := uint64(on); m != 0; m &= m - 1 {
		for _, hook := range c.hooks[bits.TrailingZeros64(m)] {
			c.working = hook.rule
			hook.do(event)
		}
	}
	c.working = nil
}

func (c *conversation) report(p *Pass, f Finding) {
	f.Rule = p.Rule
	f.Path = c.path
	f.Conversation = c.number
	if f.Severity == 0 {
		f.Severity = p.Rule.SeverityIn(c.session.Dialect())
	}
	c.findings = append(c.findings, f)
}

// take returns the findings gathered since the last call, in their order.
func (c *conversation) take() []Finding {
	findings := c.findings
	c.findings = nil
	sortFindings(findings)
	return findings
}

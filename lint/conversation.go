package lint

import (
	"math/bits"
	"slices"

	"github.com/lmclint/lmclint/source"
)

// conversation is one conversation under check: the protocol's session, the
// rules' hooks by event, and the findings of the record at hand.
type conversation struct {
	session Session
	number  int // as in Finding.Conversation
	path    string
	skimmer Skimmer         // the session, if it is one
	hooks   [64][]boundHook // by bit of Mask
	skimmed [64][]boundHook // those of them that want to hear of skimmed records, too
	wanted  Mask            // the bits with any of skimmed

	emit        func(Mask, any)
	emitSkimmed func(Mask, any) (found bool)
	findings    []Finding
	working     *Rule // whose hook is running, for PanicError

	selection *Selection
	result    *Result // of the input
	silenced  bool    // an ignored rule found something, and need not be run any more
}

// boundHook is a hook with the rule that it belongs to.
type boundHook struct {
	rule *Rule
	do   func(event any)
}

func newConversation(r *run, session Session, number int) *conversation {
	c := &conversation{
		session: session, number: number, path: r.result.Path,
		selection: r.linter.selection, result: &r.result,
	}
	c.emit = func(on Mask, event any) { c.dispatch(&c.hooks, on, event) }
	c.emitSkimmed = func(on Mask, event any) bool {
		c.dispatch(&c.skimmed, on, event)
		return len(c.findings) > 0
	}
	if !r.linter.noSkimming {
		c.skimmer, _ = session.(Skimmer)
	}
	for _, rule := range r.linter.rules {
		if rule.Protocol != r.protocol || !rule.Inputs.Has(r.verdict.Inputs) || !c.wants(rule) {
			continue
		}
		pass := &Pass{Rule: rule, State: session.State(), report: c.report}
		for _, hook := range rule.New(pass) {
			bind(&c.hooks, rule, hook.On, hook.Do)
			bind(&c.skimmed, rule, hook.On&^rule.ByShape, hook.Do)
			c.wanted |= hook.On &^ rule.ByShape
		}
	}
	return c
}

// wants reports whether a rule is to be run: it is on, or it was ignored and it
// is not known yet whether that ignores anything.
func (c *conversation) wants(rule *Rule) bool {
	s := c.selection.of(rule)
	return s.on || s.ignored != nil && !slices.Contains(c.result.Ignored, rule)
}

func bind(hooks *[64][]boundHook, rule *Rule, on Mask, do func(any)) {
	for m := uint64(on); m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		hooks[bit] = append(hooks[bit], boundHook{rule, do})
	}
}

// step judges a record that was read. One in which nothing was found is one to
// recognise.
func (c *conversation) step(rec *source.Record) {
	c.session.Step(rec, c.emit)
	if c.skimmer != nil && len(c.findings) == 0 {
		c.skimmer.Learn(rec)
	}
}

// skim judges the records that a stretch begins with, as far as they are recognised.
func (c *conversation) skim(stretch source.Stretch) Skimmed {
	return c.skimmer.Skim(stretch, c.wanted, c.emitSkimmed)
}

func (c *conversation) finish() {
	c.session.Finish(c.emit)
}

// dispatch calls the hooks that asked for an event.
func (c *conversation) dispatch(hooks *[64][]boundHook, on Mask, event any) {
	for m := uint64(on); m != 0; m &= m - 1 {
		for _, hook := range hooks[bits.TrailingZeros64(m)] {
			c.working = hook.rule
			hook.do(event)
		}
	}
	c.working = nil
}

func (c *conversation) report(p *Pass, f Finding) {
	chosen := c.selection.of(p.Rule)
	if !chosen.on {
		c.ignore(p.Rule)
		return
	}
	f.Rule = p.Rule
	f.Path = c.path
	f.Conversation = c.number
	switch {
	case chosen.severity != 0:
		f.Severity = chosen.severity
	case f.Severity == 0:
		f.Severity = p.Rule.SeverityIn(c.session.Dialect())
	}
	c.findings = append(c.findings, f)
}

// ignore notes that an ignored rule found something.
func (c *conversation) ignore(rule *Rule) {
	if !slices.Contains(c.result.Ignored, rule) {
		c.result.Ignored = append(c.result.Ignored, rule)
		c.silenced = true
	}
}

// silence takes the hooks away of ignored rules that found something.
func (c *conversation) silence() {
	c.silenced = false
	for _, hooks := range []*[64][]boundHook{&c.hooks, &c.skimmed} {
		for bit := range hooks {
			hooks[bit] = slices.DeleteFunc(hooks[bit], func(h boundHook) bool { return !c.wants(h.rule) })
		}
	}
	c.wanted = 0
	for bit, bound := range c.skimmed {
		if len(bound) > 0 {
			c.wanted |= 1 << bit
		}
	}
}

// take returns the findings gathered since the last call, in their order. They
// are good until the next record is judged.
func (c *conversation) take() []Finding {
	if c.silenced {
		c.silence()
	}
	findings := c.findings
	c.findings = c.findings[:0]
	if len(findings) > 1 {
		sortFindings(findings)
	}
	return findings
}

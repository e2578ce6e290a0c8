package lint

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// conversation is one conversation under check: the protocol's session, the
// rules' hooks, and the findings of the record at hand.
type conversation struct {
	protocol Protocol
	session  Session
	number   int // as in Finding.Conversation
	path     string
	skimmer  FastSession    // the session, if it is one
	wiring   *dispatchTable // what the hooks answer
	hooks    [][]Hook       // by rule: nil until one of them is asked
	made     []hookSet
	wanted   Mask // the events that skimmed records are to tell of

	emit        func(Mask, any)
	emitSkimmed func(Mask, any) (found bool)
	findings    []Finding
	working     int // number of the rule whose hook is running, for PanicError; 0 for none, else from 1

	selection *Selection
	result    *Result // of the input
	silenced  bool    // an ignored rule found something, and need not be run any more
}

// madeHooks says for which rule hooks were made, and with which pass.
type hookSet struct {
	rule int
	pass *Pass
}

// none are the hooks of a rule that is not to be run.
var none = []Hook{}

func newConversation(r *run, session Session) *conversation {
	c := &conversation{session: session, protocol: r.protocol, selection: r.linter.selection}
	c.wire(r.linter, conversationKind{r.protocol, r.verdict.Inputs})
	c.emit = func(on Mask, event any) { c.dispatch(&c.wiring.hooks, on, event) }
	c.emitSkimmed = func(on Mask, event any) bool {
		c.dispatch(&c.wiring.skimmed, on, event)
		return len(c.findings) > 0
	}
	if !r.linter.noSkimming {
		c.skimmer, _ = session.(FastSession)
	}
	return c
}

// begin makes the conversation one of a run.
func (c *conversation) begin(r *run, number int) {
	c.number, c.path, c.result = number, r.result.Path, &r.result
	for _, made := range c.made {
		made.pass.Path = c.path
	}
	if len(c.result.Ignored) > 0 {
		c.discardFindings()
	}
}

// wire connects the conversation as others of its kind are.
func (c *conversation) wire(l *Linter, kind conversationKind) {
	c.wiring = l.wirings.of(kind)
	if c.wiring == nil {
		pass := c.newPass(nil) // of hooks that are looked at only
		made := newWiring(l.rules, kind, l.selection.runs, func(rule *Rule) []Hook {
			pass.Rule = rule
			return rule.New(pass)
		})
		c.wiring = l.wirings.keep(kind, made)
	}
	c.hooks = make([][]Hook, len(c.wiring.rules))
	c.wanted = c.wiring.wanted
}

func (c *conversation) newPass(rule *Rule) *Pass {
	return &Pass{Rule: rule, Protocol: c.protocol, State: c.session.State(), Path: c.path, report: c.report}
}

// hooksOf returns the hooks of a rule, which it makes when they are first
// asked for.
func (c *conversation) hooksOf(number int) []Hook {
	if made := c.hooks[number]; made != nil {
		return made
	}
	return c.makeHooks(number)
}

func (c *conversation) makeHooks(number int) []Hook {
	pass := c.newPass(c.wiring.rules[number])
	made := pass.Rule.New(pass)
	c.hooks[number] = made
	c.made = append(c.made, hookSet{number, pass})
	return made
}

// wants reports whether a rule is to be run: it is on, or it was ignored and it
// is not known yet whether that ignores anything.
func (c *conversation) wants(rule *Rule) bool {
	return c.selection.runs(rule) && !slices.Contains(c.result.Ignored, rule)
}

// step judges a record that was read. One in which nothing was found is one to
// recognise.
func (c *conversation) step(rec *source.Record) {
	c.session.Step(rec, c.emit)
	if c.skimmer != nil && len(c.findings) == 0 {
		c.skimmer.CacheRecord(rec)
	}
}

// skim judges the records that a stretch begins with, as far as they are recognised.
func (c *conversation) skim(stretch source.Window) FastResult {
	return c.skimmer.StepFast(stretch, c.wanted, c.emitSkimmed)
}

func (c *conversation) finish() {
	c.session.Finish(c.emit)
}

// dispatch calls the hooks that asked for an event.
func (c *conversation) dispatch(lines *[64][]hookRef, on Mask, event any) {
	for m := uint64(on); m != 0; m &= m - 1 {
		for _, l := range lines[bits.TrailingZeros64(m)] {
			c.working = l.rule + 1
			if hooks := c.hooksOf(l.rule); len(hooks) > 0 {
				hooks[l.hook].Do(event)
			}
		}
	}
	c.working = 0
}

func (c *conversation) report(p *Pass, f Finding) {
	chosen := c.selection.of(p.Rule)
	if !chosen.on {
		c.ignore(p.Rule)
		return
	}
	f.Rule = p.Rule
	f.Path = cmp.Or(f.Path, c.path)
	f.Conversation = c.number
	switch {
	case chosen.severity != 0:
		f.Severity = chosen.severity
	case f.Severity == 0:
		f.Severity = p.Rule.SeverityIn(c.dialect())
	}
	c.findings = append(c.findings, f)
}

// dialect is the one by which severities are looked up.
func (c *conversation) dialect() string {
	if derived, ok := c.session.(Derived); ok {
		if base := derived.BaseDialect(); base != "" {
			return base
		}
	}
	return c.session.Dialect()
}

// ignore notes that an ignored rule found something.
func (c *conversation) ignore(rule *Rule) {
	if !slices.Contains(c.result.Ignored, rule) {
		c.result.Ignored = append(c.result.Ignored, rule)
		c.silenced = true
	}
}

// silence runs ignored rules no more that found something.
func (c *conversation) discardFindings() {
	c.silenced = false
	for number, rule := range c.wiring.rules {
		if !c.wants(rule) {
			c.hooks[number] = none
		}
	}
	c.wanted = c.wiring.wantedBy(c.wants)
}

// take returns the findings gathered since the last call, in their order. They
// are good until the next record is judged.
func (c *conversation) take() []Finding {
	if c.silenced {
		c.discardFindings()
	}
	findings := c.findings
	c.findings = c.findings[:0]
	if len(findings) > 1 {
		sortFindings(findings)
	}
	return findings
}

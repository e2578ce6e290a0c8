package lint

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// conversation is one conversation that is being checked: the protocol's
// session, the rules' hooks, and the findings of the current record.
type conversation struct {
	protocol plugin.Protocol
	kind     plugin.Inputs
	session  plugin.Session
	isFast   bool // the session has a fast path and may use it
	table    *dispatchTable
	hooks    [][]Hook // by the rule's number; nil before the first event for it
	passes   []Pass   // of these hooks; valid until the conversation ends

	number        int  // as in Finding.Conversation
	recordsBefore int  // Result.Records when it began
	hasRecord     bool // it does not consist of gaps only
	path          string
	result        *Result // of the input

	emit     func(plugin.Mask, any)              // for the slow path
	emitFast func(plugin.Mask, any) (found bool) // for the fast path
	findings []Finding                           // since the last take
	deferred []deferredFinding                   // in the order in which they were reported
	running  int                                 // 1 + the number of the rule whose hook is running, for PanicError; or 0

	observer  plugin.ConversationObserver // nil without one
	selection *Selection
}

// deferredFinding is a finding that holds unless the dialect turns out to be another.
type deferredFinding struct {
	pass    *Pass
	finding Finding
	unless  []string // these dialects
}

func newConversation(l *Linter, kind conversationKind, session plugin.Session) *conversation {
	c := &conversation{protocol: kind.protocol, kind: kind.inputs, session: session, selection: l.selection}
	c.emit = c.dispatch
	c.emitFast = func(on plugin.Mask, event any) bool {
		c.dispatch(on, event)
		return len(c.findings) > 0
	}
	c.isFast = session.HasFastPath() && !l.noFastPath && l.observe == nil
	return c
}

// use makes the conversation one whose events a table dispatches. Pass is that of its
// rules.
func (c *conversation) use(table *dispatchTable, pass Pass) {
	c.table = table
	c.hooks, c.passes = make([][]Hook, len(table.rules)), make([]Pass, len(table.rules))
	for number, rule := range table.rules {
		pass.Rule = rule
		c.passes[number] = pass
	}
}

// begin makes the conversation one of an input.
func (c *conversation) begin(input *Result, number int) {
	c.number, c.path, c.result = number, input.Path, input
	c.hasRecord, c.recordsBefore = false, input.Records
	input.RulesRan = input.RulesRan || len(c.table.rules) > 0
	if input.Observer != nil {
		c.observer = input.Observer.Begin(plugin.Conversation{
			Number: number, Protocol: c.protocol.Name(), Kind: c.kind.Names()[0], State: c.session.State(),
		})
	}
}

// end adds what occurred to the result, and ends the observation.
func (c *conversation) end() {
	c.result.Coverage.Add(c.session.Coverage())
	if c.observer != nil {
		dialect, _ := c.session.Dialect()
		c.observer.End(dialect)
	}
}

// hooksOf returns the hooks of a rule. It makes them on the first call.
func (c *conversation) hooksOf(number int) []Hook {
	if c.hooks[number] == nil {
		pass := &c.passes[number]
		pass.Path = c.path
		c.hooks[number] = pass.Rule.New(pass)
	}
	return c.hooks[number]
}

// step checks a record on the slow path. One without findings is cached for the
// fast path.
func (c *conversation) step(rec *source.Record) {
	if c.observer != nil {
		c.observer.Record(rec)
	}
	waiting := len(c.deferred)
	c.session.Step(rec, c.emit)
	if c.isFast && len(c.findings) == 0 && len(c.deferred) <= waiting {
		c.session.CacheRecord(rec)
	}
}

// stepFast steps over the records that a window begins with, as far as the fast
// path recognizes them.
func (c *conversation) stepFast(window source.Window) plugin.FastResult {
	return c.session.StepFast(window, c.table.wanted, c.emitFast)
}

// dispatch calls the hooks that answer an event.
func (c *conversation) dispatch(on plugin.Mask, event any) {
	if on == plugin.DialectsLeft {
		c.reportDeferred(event.([]string))
		return
	}
	if c.observer != nil {
		c.observer.Event(on, event)
	}
	for m := uint64(on); m != 0; m &= m - 1 {
		for _, ref := range c.table.hooks[bits.TrailingZeros64(m)] {
			c.running = ref.rule + 1
			c.hooksOf(ref.rule)[ref.hook].Do(event)
		}
	}
	c.running = 0
}

// reportDeferred reports the findings that hold in the dialect in effect, and forgets
// the others, as far as it cannot turn out to be another in which they do not.
func (c *conversation) reportDeferred(left []string) {
	dialect, _ := c.session.Dialect()
	c.deferred = slices.DeleteFunc(c.deferred, func(d deferredFinding) bool {
		isLeft := func(name string) bool { return slices.Contains(left, name) }
		switch {
		case slices.Contains(d.unless, dialect):
			return true
		case slices.ContainsFunc(d.unless, isLeft):
			return false
		}
		c.report(d.pass, d.finding, nil)
		return true
	})
}

// report adds a finding, or defers it until the session knows that the dialect is not one of
// those.
func (c *conversation) report(p *Pass, f Finding, unless []string) {
	if len(unless) > 0 {
		c.deferred = append(c.deferred, deferredFinding{p, f, unless})
		return
	}
	f.Rule = p.Rule
	f.Path = cmp.Or(f.Path, c.path)
	f.Conversation = c.number
	f.Severity = cmp.Or(c.selection.of(p.Rule).severity, f.Severity)
	if f.Severity == 0 {
		_, dialect := c.session.Dialect()
		f.Severity = p.Rule.severityIn(dialect, c.kind)
	}
	c.findings = append(c.findings, f)
}

// take returns the findings since the last call, sorted. They are valid until
// the next step.
func (c *conversation) take() []Finding {
	findings := c.findings
	c.findings = c.findings[:0]
	if len(findings) > 1 {
		sortFindings(findings)
	}
	return findings
}

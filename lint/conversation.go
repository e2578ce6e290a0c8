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

func newConversation(r *run, session plugin.Session) *conversation {
	c := &conversation{session: session, protocol: r.protocol, kind: r.detection.Inputs, selection: r.linter.selection}
	c.useTable(r.linter, conversationKind{r.protocol, r.detection.Inputs})
	c.emit = c.dispatch
	c.emitFast = func(on plugin.Mask, event any) bool {
		c.dispatch(on, event)
		return len(c.findings) > 0
	}
	c.isFast = session.HasFastPath() && !r.linter.noFastPath && r.linter.observe == nil
	return c
}

// begin makes the conversation one of a run's input.
func (c *conversation) begin(r *run, number int) {
	c.number, c.path, c.result = number, r.result.Path, &r.result
	c.hasRecord, c.recordsBefore = false, r.result.Records
	c.deferred = c.deferred[:0]
	c.result.RulesRan = c.result.RulesRan || len(c.table.rules) > 0
	c.observer = nil
	if observer := c.result.Observer; observer != nil {
		c.observer = observer.Begin(plugin.Conversation{
			Number: number, Protocol: c.protocol.Name(), Kind: r.detection.Kind, State: c.session.State(),
		})
	}
}

// useTable sets the dispatch table to that of a kind of conversations, which it
// makes if the linter has none yet.
func (c *conversation) useTable(l *Linter, kind conversationKind) {
	c.table = l.tables.of(kind)
	pass := Pass{Protocol: c.protocol, State: c.session.State(), Fixing: l.fixing, report: c.report, last: c.lastDeferred}
	if c.table == nil {
		made := newDispatchTable(l.rules, kind, l.selection, func(rule *Rule) []Hook {
			pass := pass // of hooks that only show what they answer
			pass.Rule = rule
			return rule.New(&pass)
		})
		c.table = l.tables.keep(kind, made)
	}
	c.hooks, c.passes = make([][]Hook, len(c.table.rules)), make([]Pass, len(c.table.rules))
	for number, rule := range c.table.rules {
		c.passes[number] = pass
		c.passes[number].Rule = rule
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

func (c *conversation) finish() { c.session.Finish(c.emit) }

// endObserver calls the observer's End, if there is an observer, and removes it.
func (c *conversation) endObserver() {
	if c.observer != nil {
		dialect, _ := c.session.Dialect()
		c.observer.End(dialect)
		c.observer = nil
	}
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

func (c *conversation) lastDeferred(p *Pass) *Finding {
	for i := len(c.deferred) - 1; i >= 0; i-- {
		if c.deferred[i].pass == p {
			return &c.deferred[i].finding
		}
	}
	return nil
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

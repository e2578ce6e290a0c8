package lint

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// conversation is one conversation that is being checked: the protocol's
// session, the rules' hooks, and the findings of the current record.
type conversation struct {
	kind    plugin.Inputs
	session plugin.Session
	fast    plugin.FastPath // of the session, or nil
	table   *dispatchTable
	hooks   [][]Hook // by the rule's number; nil before the first event for it
	passes  []Pass   // of these hooks; valid until the conversation ends

	number        int  // as in Finding.Conversation
	part          int  // the fragment of a text whose kind is known
	recordsBefore int  // Result.Records when it began
	hasRecord     bool // it does not consist of gaps only
	path          string
	result        *Result // of the input
	causes        *causes // of the input

	findings  []Finding         // that are not emitted yet
	fixes     []Finding         // with fixes that later records may change; only with WithFixes
	deferred  []deferredFinding // in the order in which they were reported
	stoppedBy string            // the rule at whose finding a program that waits for each record stopped, or ""
	reported  bool              // a rule reported a finding since the last step or stepFast began
	running   int               // 1 + the number of the rule whose hook is running, for PanicError; or 0

	observer  plugin.ConversationObserver // nil without one
	selection *Selection
}

// deferredFinding is a finding that holds unless the dialect turns out to be another.
type deferredFinding struct {
	pass    *Pass
	finding Finding
	unless  []string // these dialects
}

// end adds what occurred and the dialect to the result, and ends the observation.
func (c *conversation) end() {
	outcome := c.session.Outcome(c.stoppedBy)
	c.result.Coverage.Add(outcome.Coverage)
	if c.stoppedBy != "" {
		c.result.Closing = outcome.Closing
	}
	c.result.Dialect, _ = c.session.Dialect()
	if c.observer != nil {
		c.observer.End(c.result.Dialect)
	}
}

// stepFast steps over the records that a window begins with, as far as the fast
// path recognizes them.
func (c *conversation) stepFast(window source.Window) plugin.FastResult {
	c.reported = false
	return c.fast.StepFast(window, c.table.wanted)
}

// dispatch calls the hooks that answer an event. It implements [plugin.Emit].
func (c *conversation) dispatch(on plugin.Mask, event any) (found bool) {
	if on == plugin.DialectsLeft {
		c.reportDeferred(event.([]string))
		return c.reported
	}
	if c.observer != nil {
		c.observer.Event(on, event)
	}
	for m := uint64(on); m != 0; m &= m - 1 {
		for _, ref := range c.table.hooks[bits.TrailingZeros64(m)] {
			c.running = ref.rule + 1
			if c.hooks[ref.rule] == nil {
				pass := &c.passes[ref.rule]
				pass.Path = c.path
				c.hooks[ref.rule] = pass.Rule.New(pass)
			}
			c.hooks[ref.rule][ref.hook].Do(event)
		}
	}
	c.running = 0
	return c.reported
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
	c.reported = true
	if len(unless) > 0 {
		c.deferred = append(c.deferred, deferredFinding{p, f, unless})
		return
	}
	f.Rule = p.Rule
	f.Path = cmp.Or(f.Path, c.path)
	f.Conversation = c.number
	if f.Count = 1; !p.Rule.OneCause {
		f.Cause = cmp.Or(f.Cause, f.Message)
	}
	f.Severity = c.severityOf(p.Rule, f.Severity)
	c.findings = append(c.findings, f)
}

// severityOf returns the severity of a finding of a rule to which the rule gave one, or 0.
func (c *conversation) severityOf(r *Rule, given Severity) Severity {
	if severity := cmp.Or(c.selection.of(r).severity, given); severity != 0 {
		return severity
	}
	_, dialect := c.session.Dialect() // that of the first case that holds here for all findings
	i := slices.IndexFunc(r.Severities, func(s SeverityCase) bool {
		return s.When == "" && (s.Dialect == "" || s.Dialect == dialect) && (s.Inputs == 0 || s.Inputs.Has(c.kind))
	})
	if i < 0 {
		return r.Severity
	}
	return r.Severities[i].Severity
}

// What the conversations of a linter share: which hooks answer which events, and
// conversations that have ended and can be used again.

// conversationKind determines which rules apply to a conversation.
type conversationKind struct {
	protocol plugin.Protocol
	inputs   plugin.Inputs
}

// dispatchTable is which hooks answer which events in conversations of one
// kind. With it a conversation makes the hooks of a rule only when the first
// event that they answer is emitted: in a small input most rules have none.
// It is immutable, but for the pool.
type dispatchTable struct {
	rules  []*Rule       // that apply and are on; a rule's index is its number
	off    []*Rule       // that apply and are off
	hooks  [64][]hookRef // by bit of the mask
	wanted plugin.Mask   // the bits with any hooks

	// *conversation that ended: without it 10,000 small transcripts take 1.5 times as
	// long, because each learns the templates of the fast path again
	idle sync.Pool
}

// hookRef names one of the hooks that a rule makes.
type hookRef struct {
	rule int // the rule's number
	hook int // index of what Rule.New returns
}

// newDispatchTable makes the hooks of each rule that applies, to see which events they
// answer. Pass is of a conversation of the kind, without a rule.
func newDispatchTable(rules []*Rule, kind conversationKind, pass Pass) *dispatchTable {
	t := &dispatchTable{}
	for _, rule := range rules {
		isOther := rule.Protocol != nil && rule.Protocol != kind.protocol
		if isOther || !rule.Inputs.Has(kind.inputs) {
			continue
		}
		if !pass.conversation.selection.On(rule) {
			t.off = append(t.off, rule)
			continue
		}
		pass := pass
		pass.Rule = rule
		for i, hook := range rule.New(&pass) {
			for m := uint64(hook.On); m != 0; m &= m - 1 {
				bit := bits.TrailingZeros64(m)
				t.hooks[bit] = append(t.hooks[bit], hookRef{len(t.rules), i})
			}
			t.wanted |= hook.On
		}
		t.rules = append(t.rules, rule)
	}
	return t
}

// conversationOf returns a conversation of a kind: one that has ended, or a new one.
func (l *Linter) conversationOf(protocol plugin.Protocol, detected plugin.Detection) *conversation {
	kind := conversationKind{protocol, plugin.InputsOf(detected.Kind)}
	kept, ok := l.tables.Load(kind)
	if ok {
		if c, ok := kept.(*dispatchTable).idle.Get().(*conversation); ok {
			return c
		}
	}
	c := &conversation{kind: kind.inputs, selection: l.selection}
	c.session = l.sessions[protocol](detected.Kind, c.dispatch)
	c.fast = c.session.FastPath()
	pass := Pass{Protocol: protocol, State: c.session.State(), Fixing: l.config.Fixing, conversation: c}
	if !ok {
		kept, _ = l.tables.LoadOrStore(kind, newDispatchTable(l.rules, kind, pass))
	}
	c.table = kept.(*dispatchTable)
	c.hooks, c.passes = make([][]Hook, len(c.table.rules)), make([]Pass, len(c.table.rules))
	for number, rule := range c.table.rules {
		pass.Rule = rule
		c.passes[number] = pass
	}
	return c
}

// maxKeptFindings is how many findings the list that an idle conversation keeps
// for the next one may have capacity for.
const maxKeptFindings = 64

// release makes a conversation that has ended available for another one. The
// hooks, which have the rules' state, are made again then.
func (c *conversation) release() {
	if c.fast == nil {
		return
	}
	c.fast.Reset()
	clear(c.hooks)
	c.result, c.deferred, c.stoppedBy = nil, nil, ""
	if clear(c.findings[:cap(c.findings)]); cap(c.findings) > maxKeptFindings {
		c.findings = nil
	}
	c.table.idle.Put(c)
}

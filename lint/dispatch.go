package lint

import (
	"math/bits"
	"sync"

	"github.com/lmclint/lmclint/internal/contract/plugin"
)

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
	rules  []*Rule       // that apply; a rule's index is its number
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
		if isOther || !rule.Inputs.Has(kind.inputs) || !pass.conversation.selection.On(rule) {
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

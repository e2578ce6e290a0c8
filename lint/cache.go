package lint

import (
	"math/bits"
	"sync"

	"github.com/lmclint/lmclint/internal/plugin"
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
	rules   []*Rule       // that apply; a rule's index is its number
	hooks   [64][]hookRef // by bit of the mask
	skimmed [64][]hookRef // those that also answer events of the fast path
	wanted  plugin.Mask   // the bits with any of skimmed

	idle sync.Pool // of *conversation
}

// hookRef names one of the hooks that a rule makes.
type hookRef struct {
	rule int // the rule's number
	hook int // index of what Rule.New returns
}

// dispatchTables holds the tables of a linter. It is safe for concurrent use.
type dispatchTables struct {
	made sync.Map // of conversationKind to *dispatchTable
}

// of returns the table of a kind of conversation, or nil if there is none yet.
func (t *dispatchTables) of(kind conversationKind) *dispatchTable {
	made, _ := t.made.Load(kind)
	table, _ := made.(*dispatchTable)
	return table
}

// keep stores a table, unless another goroutine has stored one meanwhile, and
// returns the one that is stored.
func (t *dispatchTables) keep(kind conversationKind, made *dispatchTable) *dispatchTable {
	kept, _ := t.made.LoadOrStore(kind, made)
	return kept.(*dispatchTable)
}

// newDispatchTable calls hooksOf for each rule that applies, to see which events
// its hooks answer.
func newDispatchTable(rules []*Rule, kind conversationKind, runs func(*Rule) bool, hooksOf func(*Rule) []Hook) *dispatchTable {
	t := &dispatchTable{}
	for _, rule := range rules {
		if !rule.appliesTo(kind.protocol) || !rule.Inputs.Has(kind.inputs) || !runs(rule) {
			continue
		}
		number := len(t.rules)
		t.rules = append(t.rules, rule)
		for i, hook := range hooksOf(rule) {
			connect(&t.hooks, hook.On, hookRef{number, i})
			connect(&t.skimmed, hook.On&^rule.ShapeOnly, hookRef{number, i})
			t.wanted |= hook.On &^ rule.ShapeOnly
		}
	}
	return t
}

func connect(hooks *[64][]hookRef, on plugin.Mask, to hookRef) {
	for m := uint64(on); m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		hooks[bit] = append(hooks[bit], to)
	}
}

// wantedBy returns the kinds of events that the fast path must emit if only some
// of the rules run.
func (t *dispatchTable) wantedBy(runs func(*Rule) bool) (wanted plugin.Mask) {
	for bit, hooks := range t.skimmed {
		for _, ref := range hooks {
			if runs(t.rules[ref.rule]) {
				wanted |= 1 << bit
			}
		}
	}
	return wanted
}

// idleConversation returns a conversation that has ended and can be used again,
// or nil if there is none.
func (l *Linter) idleConversation(kind conversationKind) *conversation {
	table := l.tables.of(kind)
	if table == nil {
		return nil
	}
	c, _ := table.idle.Get().(*conversation)
	return c
}

// manyFindings is for how many findings a conversation keeps its memory.
const manyFindings = 64

// release makes a conversation that has ended available for another one. Hooks
// without a Reset are made again then.
func (c *conversation) release() {
	session, ok := c.session.(plugin.ResettableSession)
	if !ok || c.fast == nil {
		return
	}
	session.Reset()
	if len(c.result.Ignored) > 0 {
		clear(c.hooks)
		c.made, c.wanted = nil, c.table.wanted
	}
	c.resetHooks()
	c.result = nil
	if clear(c.findings[:cap(c.findings)]); cap(c.findings) > manyFindings {
		c.findings = nil
	}
	c.table.idle.Put(c)
}

// resetHooks resets the hooks of each rule, or drops them to be made again.
func (c *conversation) resetHooks() {
	kept := c.made[:0]
	for _, made := range c.made {
		if reset(c.hooks[made.rule]) {
			kept = append(kept, made)
		} else {
			c.hooks[made.rule] = nil
		}
	}
	clear(c.made[len(kept):])
	c.made = kept
}

// reset resets the hooks of a rule. It reports false if one of them has no Reset.
func reset(hooks []Hook) bool {
	for i := range hooks {
		if hooks[i].Reset == nil {
			return false
		}
		hooks[i].Reset()
	}
	return true
}

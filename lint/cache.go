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
	rules  []*Rule       // that apply; a rule's index is its number
	hooks  [64][]hookRef // by bit of the mask
	wanted plugin.Mask   // the bits with any hooks

	idle sync.Pool // of *conversation
}

// hookRef names one of the hooks that a rule makes.
type hookRef struct {
	rule int // the rule's number
	hook int // index of what Rule.New returns
}

// dispatchTables caches the tables of a linter. It is safe for concurrent use.
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
func newDispatchTable(rules []*Rule, kind conversationKind, selection *Selection, hooksOf func(*Rule) []Hook) *dispatchTable {
	t := &dispatchTable{}
	for _, rule := range rules {
		if !rule.appliesTo(kind.protocol) || !rule.Inputs.Has(kind.inputs) || !selection.On(rule) {
			continue
		}
		number := len(t.rules)
		t.rules = append(t.rules, rule)
		for i, hook := range hooksOf(rule) {
			t.connect(hook.On, hookRef{number, i})
		}
	}
	return t
}

func (t *dispatchTable) connect(on plugin.Mask, to hookRef) {
	for m := uint64(on); m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		t.hooks[bit] = append(t.hooks[bit], to)
	}
	t.wanted |= on
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

// maxKeptFindings is how many findings the list that an idle conversation keeps
// for the next one may have capacity for.
const maxKeptFindings = 64

// release makes a conversation that has ended available for another one. The
// hooks, which have the rules' state, are made again then.
func (c *conversation) release() {
	if !c.isFast {
		return
	}
	c.session.Reset()
	clear(c.hooks)
	c.result, c.deferred = nil, nil
	if clear(c.findings[:cap(c.findings)]); cap(c.findings) > maxKeptFindings {
		c.findings = nil
	}
	c.table.idle.Put(c)
}

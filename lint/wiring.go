package lint

import (
	"math/bits"
	"sync"
)

// wiring says which hooks answer which events, for all conversations of one
// kind. So a conversation need not make the hooks of a rule before something
// happens that the rule asked for; most rules never hear of anything.
type dispatchTable struct {
	rules   []*Rule       // by number
	hooks   [64][]hookRef // by bit of Mask
	skimmed [64][]hookRef // those of them that want to hear of skimmed records, too
	wanted  Mask          // the bits with any of skimmed

	idle sync.Pool // of *conversation, to be used again
}

// line leads to one of the hooks that a rule makes.
type hookRef struct{ rule, hook int }

// wirings are those of a linter, by the kind of conversation.
type wirings struct {
	made sync.Map // of conversationKind to *wiring
}

type conversationKind struct {
	protocol Protocol
	inputs   Inputs
}

// of returns the wiring of a kind of conversation, or nil.
func (w *wirings) of(kind conversationKind) *dispatchTable {
	made, _ := w.made.Load(kind)
	wiring, _ := made.(*dispatchTable)
	return wiring
}

// keep keeps the wiring of a kind, unless another was made meanwhile, and
// returns the one that holds.
func (w *wirings) keep(kind conversationKind, made *dispatchTable) *dispatchTable {
	kept, _ := w.made.LoadOrStore(kind, made)
	return kept.(*dispatchTable)
}

// newWiring has the rules of a kind make their hooks, to see what they answer.
func newWiring(rules []*Rule, kind conversationKind, runs func(*Rule) bool, hooksOf func(*Rule) []Hook) *dispatchTable {
	w := &dispatchTable{}
	for _, rule := range rules {
		if !rule.AppliesTo(kind.protocol) || !rule.Inputs.Has(kind.inputs) || !runs(rule) {
			continue
		}
		number := len(w.rules)
		w.rules = append(w.rules, rule)
		for i, hook := range hooksOf(rule) {
			connect(&w.hooks, hook.On, hookRef{number, i})
			connect(&w.skimmed, hook.On&^rule.ShapeOnly, hookRef{number, i})
			w.wanted |= hook.On &^ rule.ShapeOnly
		}
	}
	return w
}

func connect(lines *[64][]hookRef, on Mask, to hookRef) {
	for m := uint64(on); m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		lines[bit] = append(lines[bit], to)
	}
}

// wantedBy are the kinds of events that skimmed records are to tell of, if no
// more than some of the rules run.
func (w *dispatchTable) wantedBy(runs func(*Rule) bool) (wanted Mask) {
	for bit, lines := range w.skimmed {
		for _, l := range lines {
			if runs(w.rules[l.rule]) {
				wanted |= 1 << bit
			}
		}
	}
	return wanted
}

package rules_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// All examples of all rules give the same findings on the slow and on the fast
// path, also if the memory of each record is overwritten when a rule has answered
// an event about it: a rule that keeps one fails here.
func TestRulesKeepNoRecord(t *testing.T) {
	t.Parallel()
	forgetful := rules.All()
	for i, rule := range forgetful {
		forgetful[i] = overwriting(rule)
	}
	lanes := []*linterPool{
		newLinterPool(lint.WithoutFastPath()), newLinterPool(),
		{rules: forgetful, linters: map[lint.Config]*lint.Linter{}, options: []lint.Option{lint.WithoutFastPath()}},
		{rules: forgetful, linters: map[lint.Config]*lint.Linter{}},
	}
	for _, rule := range rules.All() {
		for _, e := range slices.Concat(rule.Bad, rule.Good) {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			var want string
			for i, lane := range lanes {
				got := everything(lane.linter(config), bytes.NewReader([]byte(e.Text())))
				if i == 0 {
					want = got
				}
				assert.Equal(t, want, got, "%s, example %q: overwritten %t, fast path %t", rule.ID, e.Name, i > 1, i%2 == 1)
			}
		}
	}
}

// A finding that a check has given does not change: another goroutine may be writing it. Only
// who applies fixes waits for the end.
func TestFindingsStay(t *testing.T) {
	t.Parallel()
	linters := newLinterPool(lint.WithEach())
	changed := func(name string, config lint.Config, text []byte) {
		var given []*lint.Fix
		var copies []lint.Fix
		for f, err := range linters.linter(config).Lint(t.Context(), name, bytes.NewReader(text)) {
			if err == nil && f.Fix != nil {
				given, copies = append(given, f.Fix), append(copies, *f.Fix)
			}
		}
		for i, f := range given {
			assert.Equal(t, copies[i], *f, name)
		}
	}
	for _, rule := range rules.All() {
		for _, e := range rule.Bad {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			changed(rule.ID+" "+e.Name, config, []byte(e.Text()))
		}
	}
	for _, path := range cases(t, allBad) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		changed(path, lint.Config{}, text)
	}
}

// overwriting returns a rule that overwrites each record when it has answered an
// event about it.
func overwriting(rule *lint.Rule) *lint.Rule {
	r := *rule
	r.New = func(p *lint.Pass) []lint.Hook {
		hooks := slices.Clone(rule.New(p))
		for i, hook := range hooks {
			hooks[i].Do = func(event any) {
				copied, record := copyOf(event)
				hook.Do(copied)
				if record != nil {
					overwrite(record)
				}
			}
		}
		return hooks
	}
	return &r
}

// copyOf returns an event about a copy of its record, and the copy, or the event
// itself and nil if it is about no record of LMC.
func copyOf(event any) (any, *lmc.Record) {
	switch event := event.(type) {
	case *lmc.Record:
		r := event.Clone()
		return r, r
	case *protocol.Violation:
		e, v := *event, *event.Violation
		e.Violation = &v
		e.Record = event.Record.Clone()
		if e.Node = sameNode(event.Record.Source.Root, e.Record.Source.Root, event.Node); e.Node == nil {
			e.Node = sameNode(event.Record.Root, e.Record.Root, event.Node)
		}
		return &e, e.Record
	}
	original := reflect.Indirect(reflect.ValueOf(event))
	if original.Kind() != reflect.Struct {
		return event, nil
	}
	field, _ := original.Type().FieldByName("Record")
	if field.Type != reflect.TypeFor[*lmc.Record]() || original.FieldByIndex(field.Index).IsNil() {
		return event, nil
	}
	copied := reflect.New(original.Type())
	copied.Elem().Set(original)
	record := copied.Elem().FieldByIndex(field.Index)
	r := record.Interface().(*lmc.Record).Clone()
	record.Set(reflect.ValueOf(r))
	return copied.Interface(), r
}

// sameNode returns the node of a copy that is at the place of a node.
func sameNode(from, copied, node *source.Node) *source.Node {
	if from == node {
		return copied
	}
	for i := range from.Children {
		if found := sameNode(&from.Children[i], &copied.Children[i], node); found != nil {
			return found
		}
	}
	return nil
}

// overwrite overwrites all memory of a record.
func overwrite(r *lmc.Record) {
	for i := range r.Source.Data {
		r.Source.Data[i] = '#'
	}
	overwriteNode(r.Source.Root)
	overwriteNode(r.Root)
	*r.Source = source.Record{Index: -1}
	*r = lmc.Record{Role: "overwritten", Type: "overwritten", Format: "overwritten"}
}

func overwriteNode(n *source.Node) {
	if n == nil {
		return
	}
	for i := range n.Children {
		overwriteNode(&n.Children[i])
	}
	*n = source.Node{Name: "overwritten"}
}

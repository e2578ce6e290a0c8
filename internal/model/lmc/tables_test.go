package lmc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/source"
)

// TestGeneratedTrackerTables compares the tables in docs/tracker.md with
// the tracker: what it does by its tables, and the next states by running it.
func TestGeneratedTrackerTables(t *testing.T) {
	for name, table := range map[string]string{
		"framing": framingSection(t), "anomaly": anomalySection(t), "execution": executionSection(t),
	} {
		generated.Section(t, "../../../docs/tracker.md", "<!-- tracker:"+name+" -->\n", "<!-- tracker:"+name+" end -->", table, "Is this transition intended?")
	}
}

// constant is a constant of an enumeration, with its comment.
type constant struct{ name, comment string }

// enumeration reads the constants of a type from a source file.
func enumeration(t *testing.T, file, typ string) (constants []constant) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	require.NoError(t, err)
	for _, declaration := range parsed.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		first, _ := group.Specs[0].(*ast.ValueSpec)
		of := first.Type
		if generic, ok := of.(*ast.IndexExpr); ok {
			of = generic.X
		}
		if id, ok := of.(*ast.Ident); !ok || id.Name != typ {
			continue
		}
		for _, spec := range group.Specs {
			value, _ := spec.(*ast.ValueSpec)
			if name := value.Names[0].Name; !strings.HasSuffix(name, "Count") {
				constants = append(constants, constant{name, strings.TrimSpace(value.Comment.Text())})
			}
		}
	}
	require.NotEmpty(t, constants, typ)
	return constants
}

// legend lists the constants of an enumeration.
func legend(title string, constants []constant) string {
	text := title + ":\n\n"
	for _, c := range constants {
		text += "- `" + c.name + "`"
		if c.comment != "" {
			text += ": " + strings.ReplaceAll(c.comment, "\n", " ")
		}
		text += "\n"
	}
	return text + "\n"
}

// states are streams that lead to each state of framing. Their words are those
// of Word.
var states = [stateCount]string{
	betweenBlocks: "m+ m. m-", afterEmptyBlock: "m+ m-", afterStrayEnd: "m-", afterStartlessBlock: "m. m-",
	afterEarlyContent: "early", opened: "m+", reopened: "m+ m. m+", filled: "m+ m.", disturbed: "m+ m. i.",
	startless: "m.", maybeEnded: "m+ m.-",
}

// inputs are words that are each input where m is open, or came before.
var inputs = [inputCount]string{
	contentFits: "m.", contentRecurs: "m.", contentStrays: "w.", contentUnclear: "!w.",
	endFits: "m-", endRecurs: "m-", endStrays: "w-", endUnclear: "!w-",
	startRecurs: "m+", startOther: "w+",
}

// framingSection describes what each input does in each state. A cell is empty
// where the input cannot occur, or does nothing. That the tracker moves to the
// next states in the table is checked by running it.
func framingSection(t *testing.T) string {
	stateNames, inputNames, actionNames := enumeration(t, "framing.go", "state"), enumeration(t, "framing.go", "input"), enumeration(t, "framing.go", "action")
	text := legend("States", stateNames) + legend("Inputs", inputNames) + legend("Actions", actionNames)
	text += "What each input does in each state, and the state that follows; of a start, that of the block that starts. After a record that needs no block, none is open. " +
		"An ellipsis is a state that the action decides, as its description says:\n\n| |"
	for _, in := range inputNames {
		text += " " + in.name + " |"
	}
	text += "\n|---|" + strings.Repeat("---|", len(inputNames)) + "\n"
	for s, name := range stateNames {
		text += "| `" + name.name + "` |"
		for in := range inputNames {
			to := framingTable[s][in]
			if to == (transition{}) {
				text += " |"
				continue
			}
			word := inputs[in]
			if state(s) == disturbed && (input(in) == contentRecurs || input(in) == endRecurs) {
				word = strings.Replace(word, "m", "i", 1)
			}
			next := "…"
			if to.next != byAction {
				next = stateNames[to.next].name
				require.Equal(t, next, stateNames[after(t, states[s]+" "+word).state].name, "%s %s", name.name, inputNames[in].name)
			}
			text += " " + strings.TrimPrefix(actionNames[to.action].name+" ", "ignore ") + "→ " + next + " |"
		}
		text += "\n"
	}
	return text
}

// anomalySection describes what the last anomaly explains, and what a start
// makes of it.
func anomalySection(t *testing.T) string {
	names, explained := enumeration(t, "anomaly.go", "trouble"), enumeration(t, "anomaly.go", "recurrence")
	text := legend("Troubles", names) + legend("Explanations", explained)
	text += "What a record that does not fit, but is like the other block, is explained as, and what the trouble becomes at a start:\n\n" +
		"| | content | end | because | a start while nothing is open | a start like the other block |\n|---|---|---|---|---|---|\n"
	start := NewRecord(word(t, "m+", 0))
	for i, name := range names {
		a := anomaly{trouble: trouble(i), other: &Block{signature: signatureOf(start)}}
		faded, again := a, a
		faded.limitRecurrence()
		again.noteStart(start)
		e := recurrences[i]
		text += fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n", name.name, explained[e.content].name, explained[e.end].name, e.principle,
			names[faded.trouble].name, names[again.trouble].name)
	}
	return text
}

// executionSection describes the events and the phase that follow, for code in
// each phase.
func executionSection(t *testing.T) string {
	names := enumeration(t, "code.go", "phase")
	text := legend("Phases of the last code block", names)
	text += "The events that follow in each phase, and the next phase of the last code block:\n\n| |"
	streams := []struct{ title, stream string }{
		{"another code block", "c+ c. c-"}, {"a confirmation", "?"}, {"output", "o+ o. 0 o-"}, {"a refusal", "o+ f. o-"}, {"a message", "m+ m. m-"},
	}
	for _, s := range streams {
		text += " " + s.title + " |"
	}
	text += "\n|---|" + strings.Repeat("---|", len(streams)) + "\n"
	for i, prefix := range []string{"", "c+ c. c-", "c+ c. c- o+ f. o-", "?", "c+ c. c- ?", "c+ c. c- ? o+ o. 0 o-", "c+ c. c- o+ o. 0 o-"} {
		title := "no code"
		if i > 0 {
			title = "`" + names[i-1].name + "`"
			require.Equal(t, phase(i-1), after(t, prefix).code.phase, title)
		}
		text += "| " + title + " |"
		for _, s := range streams {
			tracker := after(t, prefix)
			var events []string
			tracker.emit = func(_ Kind, event any) { events = append(events, executionEvent(event)...) }
			feed(t, tracker, s.stream, 100)
			next := "no code"
			if tracker.code != nil {
				next = names[tracker.code.phase].name
			}
			text += " " + strings.Join(append(events, "→ "+next), " ") + " |"
		}
		text += "\n"
	}
	return text
}

// executionEvent names an event about an execution.
func executionEvent(event any) []string {
	switch e := event.(type) {
	case *ConfirmationEvent:
		switch {
		case e.Code == nil:
			return []string{"Confirmation (of nothing)"}
		case e.Code.Confirmed != nil:
			return []string{"Confirmation (repeated)"}
		}
		return []string{"Confirmation"}
	case *ExecutionEvent:
		switch {
		case e.Run.Refused:
			return []string{"Execution (refused)"}
		case e.Run.Code == nil:
			return []string{"Execution (without code)"}
		case e.Run.Code.Confirmed == nil:
			return []string{"Execution (unconfirmed)"}
		}
		return []string{"Execution"}
	case *Code:
		return []string{"UnexecutedCode"}
	case *Block:
		return []string{"CodelessOutput"}
	}
	return nil
}

// after returns a tracker that has followed a stream.
func after(t *testing.T, stream string) *Tracker {
	t.Helper()
	tracker := NewTracker(func(string) bool { return false }, func(Kind, any) {})
	feed(t, tracker, stream, 0)
	return tracker
}

// feed has a tracker follow a stream. The word early is content that the caller
// handles, and a word after ! has an invalid type.
func feed(t *testing.T, tracker *Tracker, stream string, from int) {
	t.Helper()
	for i, w := range strings.Fields(stream) {
		if w == "early" {
			tracker.SkipContentWithoutStart(NewRecord(word(t, "m.", from+i)))
			continue
		}
		bare, invalid := strings.CutPrefix(w, "!")
		r := NewRecord(word(t, bare, from+i))
		if invalid {
			r.Invalid = InvalidType
		}
		tracker.Step(r)
	}
}

// word returns the record that a word of the tests' streams denotes.
func word(t *testing.T, w string, index int) *source.Record {
	t.Helper()
	r, err := source.NewReader(strings.NewReader(Word(w)), source.Options{Form: source.FormJSONL}).Next()
	require.NoError(t, err)
	r.Index = index
	return r
}

package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var repeatedText = &lint.Rule{
	ID: "LMC210", Name: "repeated-text",
	Summary: "A block repeats its text",
	Rationale: "Every consumer appends the chunks of a block: it shows, stores and runs twice what is sent twice. A first chunk contains all text if a program keeps " +
		"chunks in a list and serializes them later, since Open Interpreter appends to the object of the first one. Some providers of models send totals for deltas, or the whole text again at the end. " +
		"After an error in the middle, a retry sends the chunks again from the first one on. Only long repetitions are reported: valid text repeats words, lines and sentences.",
	Evidence: []string{
		"recording collected_alias",
		"recordings of 0.3.4 over WebSocket, which serialize the object late; 0.3.6 copies it first",
		"totals for deltas: qwen-code #3896, from some providers of Qwen models",
		"totals: endolith/open-interpreter #93, whose chunks were the objects of the stored messages; it yields copies since",
		"the whole text again: openinterpreter #844, after the code; openclaw #142888, in the middle of a message; litellm #41109, at its end, which a voice assistant spoke",
		"chunks again from the first one on: endolith/open-interpreter #291 and #348, after an error of the provider",
	},
	Requirements: []string{"LMC-STR-10"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "chunks collected in a list and serialized afterwards",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How are you?"}
{"role": "assistant", "type": "message", "content": " are"}
{"role": "assistant", "type": "message", "content": " you?"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC210 2:53"},
	}, {
		Name: "totals for deltas",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "The build"}
{"role": "assistant", "type": "message", "content": "The build failed"}
{"role": "assistant", "type": "message", "content": "The build failed in a test."}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`"The build failed"}
{"role": "assistant", "type": "message", "content": "The build failed`, `" failed"}
{"role": "assistant", "type": "message", "content": "`},
		Want: []string{"LMC210 3:53"},
	}, {
		Name: "the whole text again",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "The build failed"}
{"role": "assistant", "type": "message", "content": " in a test."}
{"role": "assistant", "type": "message", "content": "The build failed in a test."}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC210 4:53"},
	}, {
		Name: "a retry that sends the first chunks again",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "The"}
{"role": "assistant", "type": "message", "content": " build"}
{"role": "assistant", "type": "message", "content": " failed in"}
{"role": "assistant", "type": "message", "content": "The"}
{"role": "assistant", "type": "message", "content": " build"}
{"role": "assistant", "type": "message", "content": " failed in"}
{"role": "assistant", "type": "message", "content": " a test."}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`{"role": "assistant", "type": "message", "content": "The"}
{"role": "assistant", "type": "message", "content": " build"}
{"role": "assistant", "type": "message", "content": " failed in"}
`, ""},
		Want: []string{"LMC210 5:53"},
	}},
	Good: []lint.Example{{
		Name: "chunks serialized when they arrive",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are"}
{"role": "assistant", "type": "message", "content": " you?"}
{"role": "assistant", "type": "message", "end": true}
`,
	}, {
		Name: "words that are repeated",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "ha"}
{"role": "assistant", "type": "message", "content": " ha"}
{"role": "assistant", "type": "message", "content": " ha"}
{"role": "assistant", "type": "message", "content": " ha"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: protocol.Report(lmc.Closed, findRepeatedText),
}

func findRepeatedText(_ *lint.Pass, e *lmc.ClosedEvent) lint.Finding {
	b := e.Block
	repeats := b.Repetition()
	if repeats == lmc.NoRepetition {
		return lint.Finding{}
	}
	at, chunks, size := b.Repeated()
	f := lint.Finding{Place: at.Place()}
	switch repeats {
	case lmc.FirstHasAll:
		f.Message = fmt.Sprintf("the first chunk of %s already contains the text of the next %d chunks", b.Name(), chunks)
		f.Help = "serialize each chunk when it arrives, or store chunk.copy()"
	case lmc.Totals:
		f.Message = fmt.Sprintf("%d chunks of %s contain the whole text so far", chunks, b.Name())
		f.Help = "send only what is new in each chunk; consumers append it"
	case lmc.SentAgain:
		f.Message = fmt.Sprintf("the text of %s so far is sent again", b.Name())
		f.Help = "omit it; consumers have appended the chunks before it"
	case lmc.Replayed:
		f.Message = fmt.Sprintf("the first %d chunks of %s are sent again", chunks, b.Name())
		f.Help = "continue after the last chunk that was sent; consumers have appended the first ones already"
	}
	if r := at.Record(); r != nil && (repeats == lmc.FirstHasAll || repeats == lmc.SentAgain && size > 0) { // each fix needs a pass
		content := r.Root.Member("content")
		length := len(content.Text())
		which, from := "first chunk", length-size
		if repeats == lmc.SentAgain {
			which, from = "chunk", 0
		}
		if size >= length {
			f.Fix = fix.Unsafe("remove the "+which, fix.Remove(r))
		} else {
			f.Fix = fix.Unsafe("remove the repeated text from the "+which, fix.RemoveText(r, content, from, from+size))
		}
	}
	return f
}

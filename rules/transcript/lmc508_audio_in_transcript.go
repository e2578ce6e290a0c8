package transcript

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
)

var wavUnderAuto = lint.SeverityCase{Severity: protocol.UnderAuto.Severity, When: "format wav under " + protocol.UnderAuto.When}

var audioInTranscript = &lint.Rule{
	ID: "LMC508", Name: "audio-in-transcript",
	Summary: "A transcript contains an audio message",
	Rationale: "Open Interpreter cannot convert audio for a model: every later request of a conversation that contains an " +
		"audio message fails, also over the WebSocket, whatever the format and content of the message. The documentation lists audio in format wav as a message: without a named dialect it is one warning, and audio that LMC405 reports is not reported again.",
	Evidence: []string{
		"documentation, lmc-messages: audio is a type of a message",
		"convert_to_openai_messages.py, convert_to_openai_messages(): raises an exception at a type that it does not convert, and audio is one",
		"recordings ws_audio of 0.3.4 and 0.4.2: the server answers the audio message with that exception",
	},
	Requirements: []string{"LMC-TRN-7"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{{Severity: lint.SeverityNote, Dialect: "docs"}, wavUnderAuto},
	Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a recording of the user's voice",
		Input: `[{"role": "user", "type": "message", "content": "What do I say here?"},
{"role": "user", "type": "audio", "format": "wav", "content": "/home/user/question.wav"}]
`,
		Edits: []string{`"audio", "format": "wav", "content": "/home/user/question.wav"`, `"message", "content": "What is on this page?"`},
		Want:  []string{"LMC508 2:26"},
	}},
	Good: []lint.Example{{
		Name: "what was said, as text",
		Input: `[{"role": "user", "type": "message", "content": "What do I say here?"},
{"role": "user", "type": "message", "content": "How are you?"}]
`,
	}},
	New: newAudioInTranscript,
}

func newAudioInTranscript(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
		r := e.Record
		if r == nil || r.Type != "audio" || r.Invalid != 0 || protocol.NeverStored(r) {
			return
		}
		if r.Format == "wav" && !protocol.StateOf(p).DialectNamed && !media.IsWAVOrPath(strings.TrimSpace(r.Text())) {
			return // LMC405 is a warning, too
		}
		f := lint.Finding{
			Place:   r.PlaceOf("type"),
			Message: protocol.RecordName(r) + " in a transcript; every later request to a model fails",
			Help:    "transcribe the audio and store its text as a message",
		}
		if r.Format == "wav" {
			f = protocol.Documented(p, f, protocol.RecordName(r)+" in a transcript, as the documentation lists it; in releases since 0.1.17 every later request to a model fails")
		}
		p.Report(f)
	})}
}

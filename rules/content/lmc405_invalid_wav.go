package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var invalidWAV = &lint.Rule{
	ID: "LMC405", Name: "invalid-wav",
	Summary: "The content of audio/wav is neither a path nor base64-encoded WAV data",
	Rationale: "The format says WAV. Nothing in Open Interpreter decodes the audio, but a client that plays it by its format fails or plays " +
		"noise. Usually the content is MP3 or raw samples.",
	Evidence: []string{
		"documentation, server usage: audio of format wav with a path as its content",
		"dialect: audio/wav contains base64 of a WAV file, or a path; 44 characters or more without a dot are base64",
	},
	Requirements: []string{"LMC-CNT-5"},
	Severity:     lint.SeverityWarning, Inputs: lint.Transcripts | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "an MP3",
		Make:  func() string { return audioSent(example.EmptyMP3) },
		Edits: []string{`"SUQzBAAAAAAAAP/7kGQAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"`, `"/home/user/question.wav"`},
		Want:  []string{"LMC405 2:88"},
	}},
	Good: []lint.Example{{
		Name: "a WAV file",
		Make: func() string { return audioSent(example.EmptyWAV) },
	}, {
		Name: "a path",
		Make: func() string { return audioSent("/home/user/recordings/2024-11-20/question-one.wav") },
	}},
	New: newInvalidWAV,
}

func newInvalidWAV(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnText(lmc.Attachment, func(r *lmc.Record, b *lmc.Block) {
		text := strings.TrimSpace(r.Text())
		if r.Format == "wav" && (b == nil || b.Contents <= 1) && !media.IsWAVOrPath(text) {
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOf(r.Content),
				Message: fmt.Sprintf("content starts with %s, expected a path or base64-encoded WAV data", protocol.Quoted(start(text, 200))),
				Help:    "convert the sound to WAV and encode it as base64 without a data: prefix, or store its path",
			})
		}
	}, "audio")}
}

// audioSent returns a session in which the user sends audio.
func audioSent(content string) string {
	return `{"dir": "send", "frame": {"role": "user", "type": "audio", "format": "wav", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "audio", "format": "wav", "content": "` + content + `"}}
{"dir": "send", "frame": {"role": "user", "type": "audio", "format": "wav", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "I heard you."}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`
}

// start returns the first bytes of a text, n at most.
func start(text string, n int) string { return text[:min(n, len(text))] }

package content

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var invalidWAV = &lint.Rule{
	ID: "LMC405", Name: "invalid-wav", Since: "0.1",
	Summary: "The content of audio/wav is neither a path nor base64-encoded WAV data",
	Rationale: "A consumer that decodes the sound by its format fails, or plays noise. Usually the content is MP3 or raw " +
		"samples.",
	Evidence: []string{
		"documentation, server usage: audio of format wav with a path as its content",
		"dialect: audio/wav contains base64 of a WAV file, or a path; 44 characters or more without a dot are base64",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Transcripts | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "an MP3",
		Input: `[{"role": "user", "type": "audio", "format": "wav", "content": "` + example.EmptyMP3 + `"}]` + "\n",
		Want:  []string{"LMC405 1:64"},
	}},
	Good: []lint.Example{{
		Name:  "a WAV file",
		Input: `[{"role": "user", "type": "audio", "format": "wav", "content": "` + example.EmptyWAV + `"}]` + "\n",
	}, {
		Name:  "a path",
		Input: `[{"role": "user", "type": "audio", "format": "wav", "content": "/home/user/recordings/2024-11-20/question-one.wav"}]` + "\n",
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.OnAttached(func(r *lmc.Record, b *lmc.Block) {
			if r.Format != "wav" || b != nil && b.Contents > 1 {
				return
			}
			text := strings.TrimSpace(r.Text())
			if isPath(text) || beginsWAV(text) {
				return
			}
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOf(r.Content),
				Message: fmt.Sprintf("content starts with %s, expected a path or base64-encoded WAV data", protocol.Quoted(start(text, 200))),
				Help:    "convert the sound to WAV and encode it as base64 without a data: prefix, or store its path",
			})
		}, "audio")}
	},
}

// isPath reports whether the content of audio/wav names a file rather than
// holds one. No WAV file is shorter than its header of 44 bytes.
func isPath(text string) bool {
	if strings.HasPrefix(text, "data:") {
		return false
	}
	return len(text) < 44 || strings.ContainsAny(text, `.:\~`)
}

// beginsWAV reports whether base64 starts with the header of a WAV file (RIFF,
// RIFX or RF64).
func beginsWAV(text string) bool {
	var head [12]byte
	n, err := base64.StdEncoding.Decode(head[:], []byte(start(text, 16)))
	if err != nil || n < len(head) || string(head[8:]) != "WAVE" {
		return false
	}
	switch string(head[:4]) {
	case "RIFF", "RIFX", "RF64":
		return true
	}
	return false
}

// start returns the first bytes of a text, n at most.
func start(text string, n int) string { return text[:min(n, len(text))] }

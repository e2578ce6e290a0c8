package input

import (
	"strings"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var recordTooLarge = &lint.Rule{
	ID: "LMC006", Name: "record-too-large", Since: "0.1",
	Summary: "A record is larger than the limit, or a compressed input grows out of all proportion",
	Rationale: "A record is judged as a whole, so that it must fit into memory. The limit keeps one broken record, such as a file " +
		"without line feeds, from taking all of it. The record is passed over unread; what follows is judged. Compressed data that " +
		"grow to more than 500 times their size, and over 1 GiB, were made to fill memories and disks: reading ends there.",
	Evidence: []string{
		"the limit is 256 MiB; the largest records of the recordings, images in base64, have less than 1 MiB",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a limit of 80 bytes",
		Input: `{"role": "user", "type": "message", "content": "Say hello a few times"}
{"role": "assistant", "type": "message", "content": "Hello, hello, hello, hello, hello, hello!"}
{"role": "user", "type": "message", "content": "Thank you"}
`,
		Source: source.Options{MaxRecordBytes: 80},
		Want:   []string{"LMC006 2:1"},
	}},
	Good: []lint.Example{{
		Name: "records below the limit",
		Input: `{"role": "user", "type": "message", "content": "Say hello"}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.RecordTooLarge, func(e *protocol.Problem) {
			p.Report(lint.Finding{
				Place:   e.Place,
				Message: e.Detail + unreadPart(e.Detail),
				Help:    sizeHelp(e.Detail),
			})
		}))
	},
}

// isUnpacked reports whether the detail speaks of compressed data.
func isUnpacked(detail string) bool { return strings.Contains(detail, " data grows ") }

// unreadPart says what was not read.
func unreadPart(detail string) string {
	if isUnpacked(detail) {
		return ": nothing behind this place was read"
	}
	return ": it was not read"
}

// sizeHelp names the flag that raises the limit, if it is that one.
func sizeHelp(detail string) string {
	switch {
	case isUnpacked(detail):
		return "recordings grow by 10 to 50 times; if this is one, unpack it and check the file"
	case strings.HasSuffix(detail, "bytes"):
		return "if a record may be so large, raise the limit with --max-record-bytes"
	}
	return "no record of the protocol has more than a dozen values: is this the right file?"
}

package execution

import (
	"crypto/sha256"
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var wrongConfirmationID = &lint.Rule{
	ID: "LMC312", Name: "wrong-confirmation-id",
	Summary: "A confirmation_id is not the digest of what is confirmed",
	Rationale: "In the community's fork the id is the SHA-256 of the format, a NUL and the content, so that a go with it " +
		"approves exactly that code. The server computes it again: a go with another id runs nothing, and an id that " +
		"belongs to other code approves what the user did not see.",
	Evidence: []string{
		"endolith/open-interpreter, docs/server/usage: confirmation_id is the SHA-256 digest of language and code",
	},
	Requirements: []string{"LMC-EXE-12"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the digest of other code", Config: lint.Config{Dialect: "classic"},
		Input: bashCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "bash", "content": "ls"}, "confirmation_id": "767dd6ee62e6a8339ea9529e8da4776e8ba9d921069a8f248febec958c08c9b2"}
`,
		Edits: []string{`"767dd6ee62e6a8339ea9529e8da4776e8ba9d921069a8f248febec958c08c9b2"`, `"70ddc8dd5ea8fd35b6b8cb767cd7dedc7c9e9ccb39dd26681e1f1008a0ae1dd1"`},
		Want:  []string{"LMC312 4:152"},
	}},
	Good: []lint.Example{{
		Name: "the digest of the code", Config: lint.Config{Dialect: "classic"},
		Input: bashCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "bash", "content": "ls"}, "confirmation_id": "70ddc8dd5ea8fd35b6b8cb767cd7dedc7c9e9ccb39dd26681e1f1008a0ae1dd1"}
`,
	}},
	New: protocol.Report(lmc.Confirmation, findWrongConfirmationID),
}

func findWrongConfirmationID(p *lint.Pass, e *lmc.ConfirmationEvent) lint.Finding {
	r, s := e.Record, protocol.StateOf(p)
	id := r.Key("confirmation_id")
	if id == nil || id.Kind != source.String || !s.Dialect.HasKey(s.Part, id.Name) {
		return lint.Finding{}
	}
	format, content := r.Content.Member("format"), r.Content.Member("content")
	if format == nil || content == nil || format.Kind != source.String || content.Kind != source.String {
		return lint.Finding{}
	}
	want := fmt.Sprintf("%x", sha256.Sum256(content.AppendExact(append(format.AppendExact(nil), 0))))
	if id.Text() == want {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   r.Source.PlaceOf(id),
		Message: "confirmation_id is not the SHA-256 of what is confirmed",
		Help:    `write "` + want + `": the SHA-256 of format, NUL and content`,
	}
}

const bashCode = `{"role": "assistant", "type": "code", "format": "bash", "start": true}
{"role": "assistant", "type": "code", "format": "bash", "content": "ls"}
{"role": "assistant", "type": "code", "format": "bash", "end": true}
`

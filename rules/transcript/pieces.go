package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// inPieces is the severity of a message in pieces: consumers load it.
var inPieces = lint.SeverityCase{Severity: lint.SeverityWarning, When: "text in pieces, without flags"}

// storedPieces finds messages that were stored in pieces without flags: adjacent
// texts that continue each other, as in a stream that lost its flags. It reports each
// at the piece that shows it.
type storedPieces struct {
	pass     *lint.Pass
	first    source.PlaceRef
	name     string // of the messages
	typ      string
	texts    []string // the last ones
	reported bool

	last  *lmc.Record // for the fix: a clone
	edits []lint.Edit // that join the pieces
	fix   *lint.Fix   // of the finding; nil if the pieces cannot be joined
	apart bool        // they cannot
}

// maxPiece is how many bytes a text may have to be a piece.
const maxPiece = 4 << 10

// follow follows a message.
func (s *storedPieces) follow(e *lmc.Event) {
	r := e.Record
	if r == nil || !protocol.MayBeDelta(r) || len(r.Content.RawContent()) > maxPiece {
		*s = storedPieces{pass: s.pass}
		return
	}
	if name := protocol.RecordName(r); name != s.name {
		*s = storedPieces{pass: s.pass, name: name, typ: r.Type}
		s.first.Set(r.Source, nil)
	}
	if s.pass.Fixing {
		s.join(r)
	}
	if s.reported {
		return
	}
	s.texts = append(s.texts[max(0, len(s.texts)-protocol.MaxDeltas):], r.Text())
	if len(s.texts) < 2 || !protocol.EndsDeltaTexts(s.texts, s.typ) {
		return
	}
	s.reported, s.texts = true, nil
	s.pass.Report(lint.Finding{
		Severity: inPieces.Severity,
		Place:    r.PlaceOf("content"),
		Message:  fmt.Sprintf("%s stored in pieces: this text continues the one before it", s.name),
		Help:     "join the contents of the pieces into one message; if this is a stream, pass --kind stream",
		Related:  []lint.Related{{Message: "first piece", Place: s.first.Place()}},
		Fix:      s.begin(),
	})
}

// begin returns the fix, to which later pieces add their edits.
func (s *storedPieces) begin() *lint.Fix {
	if s.apart {
		return nil
	}
	s.fix = &lint.Fix{Message: "join the pieces", Partial: true, Edits: s.edits}
	return s.fix
}

// join joins a piece to the one before it.
func (s *storedPieces) join(r *lmc.Record) {
	if s.last != nil && !s.apart {
		edits := s.last.Source.Join(s.last.Content, r.Source, r.Content)
		s.apart = edits == nil || !haveSameKeys(s.last, r)
		if s.edits = append(s.edits, edits...); s.apart {
			s.edits = nil
		}
		if s.fix != nil {
			s.fix.Edits = s.edits
		}
	}
	s.last = r.Clone()
}

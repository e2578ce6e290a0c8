package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

// inPieces is the severity of a message in pieces: consumers load it.
var inPieces = lint.SeverityCase{Severity: lint.SeverityWarning, When: "text in pieces, without flags"}

// storedPieces finds messages that were stored in pieces without flags: adjacent
// texts that continue each other, as in a stream that lost its flags. It reports each
// at the piece that shows it.
type storedPieces struct {
	pass        *lint.Pass
	typ, format string
	adjacent    int                 // messages of this type and format in a row
	texts       protocol.DeltaTexts // of the last ones, but for the first
	reported    bool

	last       *lmc.Record // for the fix: a clone
	edits      []lint.Edit // that join the pieces
	fix        *lint.Fix   // of the finding; nil if the pieces cannot be joined
	unjoinable bool        // they cannot be joined
}

// maxPiece is how many bytes a text may have to be a piece.
const maxPiece = 512

// follow follows a message.
func (s *storedPieces) follow(e *lmc.ContentEvent) {
	r := e.Record
	isPiece := r != nil && !r.Stored && protocol.MayBeDelta(r) && len(r.Content.RawContent()) <= maxPiece
	if s.adjacent > 0 && !isPiece || isPiece && (r.Type != s.typ || r.Format != s.format) {
		*s = storedPieces{pass: s.pass} // what follows is of another message
	}
	if !isPiece {
		return
	}
	s.typ, s.format = r.Type, r.Format
	s.adjacent++
	if s.pass.Fixing {
		s.join(r)
	}
	if s.reported || s.adjacent == 1 { // most messages are alone: nothing is kept of them
		return
	}
	if s.texts.Add(r.Text(), s.typ); !s.texts.ArePieces() {
		return
	}
	s.reported = true
	if !s.unjoinable {
		s.fix = &lint.Fix{Message: "join the pieces", Partial: true, Edits: s.edits} // later pieces add their edits
	}
	s.pass.Report(lint.Finding{
		Severity: inPieces.Severity,
		Place:    r.PlaceOf("content"),
		Message:  fmt.Sprintf("%s stored in pieces: this text continues the one before it", protocol.RecordName(r)),
		Help:     "join the contents of the pieces into one message; if this is a stream, pass --kind stream",
		Fix:      s.fix,
	})
}

// join joins a piece to the one before it. What was joined before stays so if it cannot.
func (s *storedPieces) join(r *lmc.Record) {
	if s.last != nil && !s.unjoinable {
		edits := join(s.last, r)
		if s.unjoinable = edits == nil; s.unjoinable {
			return
		}
		if s.edits = append(s.edits, edits...); s.fix != nil {
			s.fix.Edits = s.edits
		}
	}
	s.last = r.Clone()
}

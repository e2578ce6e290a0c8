package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// approvals are the confirmations of a server that sends them: each has an id,
// which the command go names.
type approvals struct {
	pending lmc.TextDigest // the id of the last confirmation
	seen    bool           // there was a confirmation
	waits   bool           // the last one was not approved yet
	unnamed bool           // its id is unknown: any may be meant
}

// ask notes a confirmation. It replaces the one before.
func (a *approvals) ask(r *lmc.Record) {
	*a = approvals{seen: true, waits: true, unnamed: true}
	if id := r.Key("confirmation_id"); id != nil && id.Kind == source.String {
		a.pending, a.unnamed = lmc.DigestText(id.Text()), false
	}
}

// grant notes a go with an id, and reports whether a confirmation may wait for
// it. Not every log has the confirmations.
func (a *approvals) grant(id string) bool {
	named := lmc.DigestText(id)
	known := !a.seen || a.waits && (a.unnamed || a.pending.Equal(&named))
	a.waits = false
	return known
}

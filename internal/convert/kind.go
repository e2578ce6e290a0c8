package convert

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
)

// KindError reports records that would be read from the output as another kind of
// recording than they are: the kind of a list is detected from its first records.
type KindError struct {
	Kind, Read string // what they are, and what they would be read as
	Instead    Target // the form that keeps the kind, "" for none
}

// Error implements the interface error.
func (e *KindError) Error() string {
	do := "put each conversation into a file of its own"
	if e.Instead != "" {
		do = "pass --to " + string(e.Instead)
	}
	return fmt.Sprintf("this %s would be read from the output as a %s: %s", e.Kind, e.Read, do)
}

// kindCheck detects, from the first records that are written, how they will be
// read.
type kindCheck struct {
	kind    string // that they are, "" if it is not checked
	list    bool   // they are written as a list
	instead Target
	first   []*source.Record
}

// add adds a record that is written. It fails once the records are known to be
// read as another kind.
func (k *kindCheck) add(r *source.Record) error {
	if k.kind == "" {
		return nil
	}
	r = r.Clone()
	if r.Pointer = ""; k.list {
		r.Pointer = fmt.Sprintf("/%d", len(k.first))
	}
	k.first = append(k.first, r)
	if n := len(k.first); n&(n-1) != 0 {
		return nil // detection is asked after 1, 2, 4, … records: it reads all of them
	}
	return k.detect(false)
}

// detect fails if the records so far are known to be read as another kind. Final says
// that they are all.
func (k *kindCheck) detect(final bool) error {
	if k.kind == "" || len(k.first) == 0 {
		return nil
	}
	form := source.FormJSONL
	if k.list {
		form = source.FormJSON
	}
	found := protocol.LMC{}.Sniff(k.first, form, plugin.Config{}, final)
	if found.Kind == "" {
		return nil
	}
	kind := k.kind
	k.kind, k.first = "", nil
	if found.Kind == kind {
		return nil
	}
	return &KindError{kind, found.Kind, k.instead}
}

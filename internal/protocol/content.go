package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// onText answers every content that is a string and beyond doubt, in records of
// some types: of a chunk, with its block, and of a whole message, with none.
func OnText(do func(r *lmc.Record, b *lmc.Block), types ...string) lint.Hook {
	return onTextOf(lmc.Message, do, types)
}

// onAttached is onText for types of attachments.
func OnAttached(do func(r *lmc.Record, b *lmc.Block), types ...string) lint.Hook {
	return onTextOf(lmc.Attachment, do, types)
}

func onTextOf(whole lmc.Kind, do func(r *lmc.Record, b *lmc.Block), types []string) lint.Hook {
	return On(lmc.Content|whole, func(e *lmc.Event) {
		if e.Record != nil && slices.Contains(types, e.Record.Type) && HasText(e) {
			do(e.Record, e.Block)
		}
	})
}

// hasText reports whether an event brings a string that may be judged. What
// should never have been stored in a transcript is not.
func HasText(e *lmc.Event) bool {
	r := e.Record
	switch {
	case r == nil, r.Content == nil, r.Content.Kind != source.String:
		return false
	case r.Invalid&(lmc.InvalidType|lmc.InvalidFormat|lmc.InvalidContent) != 0:
		return false
	}
	return e.Kind == lmc.Content || !NeverStored(r)
}

// holdsImage reports whether a record's content is to be an image in base64.
func HoldsImage(r *lmc.Record) bool {
	return r.Type == "image" && (r.Format == "base64" || strings.HasPrefix(r.Format, "base64."))
}

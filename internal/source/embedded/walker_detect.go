package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// headWindow is within how many bytes of its beginning a recording of a browser
// or a notebook must show what it is.
const headWindow = 4 << 10

// detectWalked recognises a JSON text of which only some values hold records, by
// its first member.
func detectWalked(r *source.Cursor, c byte) source.RecordReader {
	form := r.Options.Form
	if form == source.FormAuto && c == '{' && !r.In.Within {
		form = walkedForm(r)
	}
	switch {
	case form == source.FormHAR && c == '{':
		return newHAR(r)
	case form == source.FormNotebook && c == '{':
		return newNotebook(r)
	}
	return nil
}

// walkedForm is the form that the first member of an object shows.
func walkedForm(r *source.Cursor) source.Form {
	switch {
	case firstMember(r, "log", "{"):
		return source.FormHAR
	case firstMember(r, "cells", "[") && showsCells(r):
		return source.FormNotebook
	case firstMember(r, "nbformat", ""), firstMember(r, "nbformat_minor", ""):
		return source.FormNotebook
	case firstMember(r, "metadata", "{") && headHolds(r, `"cells"`, `"kernelspec"`, `"nbformat"`):
		return source.FormNotebook
	}
	return source.FormAuto
}

// showsCells reports whether a list of cells is one of a notebook.
func showsCells(r *source.Cursor) bool { return headHolds(r, `"cell_type"`, `"nbformat"`) }

// headHolds reports whether the first bytes of the input hold one of some words.
func headHolds(r *source.Cursor, words ...string) bool {
	head := r.In.Load(headWindow)
	for _, word := range words {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}

// firstMember reports whether the first member of the object that the input
// begins with has a name, and a value that begins with opening. It waits for no
// more of the input than it takes to know.
func firstMember(r *source.Cursor, name, opening string) bool {
	at := 1
	for _, want := range []string{`"` + name + `"`, ":", opening} {
		end, ok := token(&r.In, at, want)
		if !ok {
			return false
		}
		at = end
	}
	return true
}

// token reports whether the unread input has a token at i, behind white space,
// and where that ends.
func token(in *input.Input, i int, want string) (end int, ok bool) {
	for {
		rest := in.Rest()
		at := min(i, len(rest))
		at += value.SpaceSize(rest[at:])
		got := rest[at:]
		switch {
		case at > headWindow:
			return 0, false
		case len(got) >= len(want):
			return at + len(want), bytes.HasPrefix(got, []byte(want))
		case !bytes.HasPrefix([]byte(want), got) || !in.More():
			return 0, false
		}
	}
}

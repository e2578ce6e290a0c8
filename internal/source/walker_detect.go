package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// headWindow is within how many bytes of its beginning a recording of a browser
// or a notebook must show what it is.
const headWindow = 4 << 10

// detectWalked recognises a JSON text of which only some values hold records, by
// its first member.
func (r *Reader) detectWalked(c byte) recordReader {
	form := r.options.Form
	if form == FormAuto && c == '{' && !r.in.within {
		form = r.walkedForm()
	}
	switch {
	case form == FormHAR && c == '{':
		return newHAR(r)
	case form == FormNotebook && c == '{':
		return newNotebook(r)
	}
	return nil
}

// walkedForm is the form that the first member of an object shows.
func (r *Reader) walkedForm() Form {
	switch {
	case r.firstMember("log", "{"):
		return FormHAR
	case r.firstMember("cells", "[") && r.showsCells():
		return FormNotebook
	case r.firstMember("nbformat", ""), r.firstMember("nbformat_minor", ""):
		return FormNotebook
	case r.firstMember("metadata", "{") && r.headHolds(`"cells"`, `"kernelspec"`, `"nbformat"`):
		return FormNotebook
	}
	return FormAuto
}

// showsCells reports whether a list of cells is one of a notebook.
func (r *Reader) showsCells() bool { return r.headHolds(`"cell_type"`, `"nbformat"`) }

// headHolds reports whether the first bytes of the input hold one of some words.
func (r *Reader) headHolds(words ...string) bool {
	head := r.in.load(headWindow)
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
func (r *Reader) firstMember(name, opening string) bool {
	at := 1
	for _, token := range []string{`"` + name + `"`, ":", opening} {
		end, ok := r.in.token(at, token)
		if !ok {
			return false
		}
		at = end
	}
	return true
}

// token reports whether the unread input has a token at i, behind white space,
// and where that ends.
func (in *input) token(i int, token string) (end int, ok bool) {
	for {
		rest := in.rest()
		at := min(i, len(rest))
		at += value.SpaceSize(rest[at:])
		got := rest[at:]
		switch {
		case at > headWindow:
			return 0, false
		case len(got) >= len(token):
			return at + len(token), bytes.HasPrefix(got, []byte(token))
		case !bytes.HasPrefix([]byte(token), got) || !in.more():
			return 0, false
		}
	}
}

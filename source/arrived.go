package source

import "bytes"

// Arrived reports whether more of the input than the record that Next returned
// last is there already, so that the next call will hardly have to wait.
func (r *Reader) Arrived() bool {
	unread := r.in.unread()
	behind := unread[countSpace(unread):]
	return r.in.err != nil && len(behind) > 0 || bytes.IndexByte(behind, '\n') >= 0
}

// Shows reports whether one of some marks stands in what has arrived of the
// input behind the record that Next returned last.
func (r *Reader) Shows(marks *Marks) bool { return marks.in(r.in.unread()) }

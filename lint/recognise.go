package lint

// sighting is what the last input was, of those that were known by their first
// record.
type sighting struct {
	protocol Protocol
	verdict  Verdict
}

// recognise opens the conversation of an input that begins as an earlier one
// did, and reports whether it does: then there is nothing to detect.
func (r *run) recognise() bool {
	last := r.linter.sighted.Load()
	if last == nil {
		return false
	}
	stretch, ok := r.reader.Ahead()
	if !ok {
		return false
	}
	conv := r.linter.idleConversation(conversationKind{last.protocol, last.verdict.Inputs})
	if conv == nil {
		return false
	}
	session, ok := conv.session.(Recogniser)
	if !ok || !session.Recognises(stretch, r.reader.Form()) {
		conv.wiring.idle.Put(conv)
		return false
	}
	r.knows(last.protocol, last.verdict)
	r.conv = conv
	conv.begin(r, stretch.Conversation)
	return true
}

// knows settles what the input is.
func (r *run) knows(p Protocol, v Verdict) {
	r.protocol, r.verdict = p, v
	r.result.Protocol, r.result.Kind = p.Name(), v.Kind
}

// sighted notes by which record the input was known for what it is, if that was
// its first and nothing was found in it.
func (r *run) sighted() {
	atOnce := r.atOnce
	r.atOnce = false
	if !atOnce || len(r.pending) > 0 || len(r.conv.findings) > 0 || r.conv.skimmer == nil {
		return
	}
	session, ok := r.conv.session.(Recogniser)
	if !ok {
		return
	}
	session.Opened(r.reader.Form())
	if last := r.linter.sighted.Load(); last == nil || last.protocol != r.protocol || last.verdict != r.verdict {
		r.linter.sighted.Store(&sighting{r.protocol, r.verdict})
	}
}

package lint

// sighting is what the last input was, of those that were known by their first
// record.
type lastDetection struct {
	protocol Protocol
	verdict  Detection
}

// recognise opens the conversation of an input that begins as an earlier one
// did, and reports whether it does: then there is nothing to detect.
func (r *run) recognise() bool {
	last := r.linter.cacheDetection.Load()
	if last == nil {
		return false
	}
	stretch, ok := r.reader.Peek()
	if !ok {
		return false
	}
	conv := r.linter.idleConversation(conversationKind{last.protocol, last.verdict.Inputs})
	if conv == nil {
		return false
	}
	session, ok := conv.session.(DetectionCacher)
	if !ok || !session.HasOpening(stretch, r.reader.Form()) {
		conv.wiring.idle.Put(conv)
		return false
	}
	r.setProtocol(last.protocol, last.verdict)
	r.conv = conv
	conv.begin(r, stretch.Conversation)
	return true
}

// knows settles what the input is.
func (r *run) setProtocol(p Protocol, v Detection) {
	r.protocol, r.verdict = p, v
	r.result.Protocol, r.result.Kind = p.Name(), v.Kind
}

// sighted notes by which record the input was known for what it is, if that was
// its first and nothing was found in it.
func (r *run) cacheDetection() {
	atOnce := r.atOnce
	r.atOnce = false
	if !atOnce || len(r.pending) > 0 || len(r.conv.findings) > 0 || r.conv.skimmer == nil {
		return
	}
	session, ok := r.conv.session.(DetectionCacher)
	if !ok {
		return
	}
	session.CacheOpening(r.reader.Form())
	if last := r.linter.cacheDetection.Load(); last == nil || last.protocol != r.protocol || last.verdict != r.verdict {
		r.linter.cacheDetection.Store(&lastDetection{r.protocol, r.verdict})
	}
}

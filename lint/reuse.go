package lint

// manyFindings is for how many findings memory is kept for the next conversation.
const manyFindings = 64

// idleConversation returns a conversation that has ended and can be used
// again, or nil.
func (l *Linter) idleConversation(kind conversationKind) *conversation {
	wiring := l.wirings.of(kind)
	if wiring == nil {
		return nil
	}
	c, _ := wiring.idle.Get().(*conversation)
	return c
}

// release makes a conversation that has ended free for another one. What a rule
// remembers goes with its hooks, unless it forgets by itself.
func (c *conversation) release() {
	session, ok := c.session.(ResettableSession)
	if !ok || c.skimmer == nil {
		return
	}
	session.Reset()
	if len(c.result.Ignored) > 0 {
		clear(c.hooks)
		c.made, c.wanted = nil, c.wiring.wanted
	}
	c.forget()
	c.result = nil
	if clear(c.findings[:cap(c.findings)]); cap(c.findings) > manyFindings {
		c.findings = nil
	}
	c.wiring.idle.Put(c)
}

// forget has the hooks ready for another conversation, or made again for it.
func (c *conversation) forget() {
	kept := c.made[:0]
	for _, made := range c.made {
		if forget(c.hooks[made.rule]) {
			kept = append(kept, made)
		} else {
			c.hooks[made.rule] = nil
		}
	}
	clear(c.made[len(kept):])
	c.made = kept
}

// forget has hooks forget what they remember, if all of them can.
func forget(hooks []Hook) bool {
	for i := range hooks {
		if hooks[i].Reset == nil {
			return false
		}
		hooks[i].Reset()
	}
	return true
}

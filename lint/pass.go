package lint

// Pass is one rule's run over one conversation.
type Pass struct {
	Rule     *Rule
	Protocol Protocol // the input's; a rule about reading has none of its own
	State    any      // what the protocol's session shares with its rules
	Path     string   // of the input, as findings name it

	report func(*Pass, Finding)
}

// Report reports a finding. Place and Message are required; a Severity of
// zero means the rule's own in the session's dialect, a Path of "" the input.
// Rule and Conversation are filled in.
func (p *Pass) Report(f Finding) { p.report(p, f) }

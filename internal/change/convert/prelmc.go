package convert

import (
	"errors"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
)

// upgrade makes LMC of the records of Open Interpreter 0.1.16 and older. A stored
// message becomes up to three, its text, its code and its output. A chunk becomes
// one or more: its keys said what it was.
type upgrade struct {
	c    *conversion
	next func(*source.Record)

	code     bool   // start_of_code came, and the language did not yet
	language string // of the open block of code, as JSON; "" if it is unknown
	console  bool   // a console block is open
}

func (s *upgrade) add(r *source.Record) {
	if r.Root == nil || r.Root.Kind != source.Object || !protocol.MayBePreLMC(r.Root) {
		s.next(r)
		return
	}
	s.c.old++
	o, err := objectOf(r)
	switch {
	case err != nil:
		s.c.leaveOut(r, err)
	case slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return r.Root.Member(n.Name).Start != n.Start }):
		s.c.lose(LeftOut, r, "a key occurs twice, so that the message may be either")
	case o.find("role") >= 0:
		s.message(r, o)
	default:
		for i := range o {
			s.chunk(r, r.Root.Children[i].Name, o[i].value, &r.Root.Children[i])
		}
	}
}

// emit passes on a record with these members: names, and values as JSON, in turn.
func (s *upgrade) emit(r *source.Record, members ...string) {
	s.c.derive(r, newObject(members...), s.next)
}

// message converts a stored message. Keys that it had of its own stay with the
// first message of it.
func (s *upgrade) message(r *source.Record, o object) {
	rest := o.without("role", "message", "code", "language", "output")
	part := func(name string) (json string, ok bool) {
		n := r.Root.Member(name)
		if n == nil {
			return "", false
		}
		blank := n.Kind == source.Null || n.Kind == source.String && n.Text() == ""
		return o[o.find(name)].value, !blank
	}
	role := o[o.find("role")].value
	text, hasText := part("message")
	code, hasCode := part("code")
	language, hasLanguage := part("language")
	output, hasOutput := part("output")
	hasOutput = hasOutput || hasCode && output == `""` // it ran
	isText := hasText || !hasCode && !hasOutput && r.Root.Member("message") != nil
	emit := func(members ...string) {
		s.c.derive(r, append(newObject(members...), rest...), s.next)
		rest = nil
	}
	if isText {
		emit("role", role, "type", `"message"`, "content", text)
	}
	switch {
	case hasCode && !hasLanguage:
		s.c.lose(Changed, r, "the code has no language; python was assumed")
		language = `"python"`
	case hasLanguage && !hasCode:
		s.c.lose(Changed, r, "the language is left out: the message has no code")
	}
	if hasCode {
		emit("role", role, "type", `"code"`, "format", language, "content", code)
	}
	if hasOutput {
		emit("role", `"computer"`, "type", `"console"`, "format", `"output"`, "content", output)
	}
	if !isText && !hasCode && !hasOutput {
		s.c.lose(LeftOut, r, "the message has no text, code or output")
	}
}

// chunk converts one member of a chunk.
func (s *upgrade) chunk(r *source.Record, name, json string, n *source.Node) {
	const assistant, computer, yes = `"assistant"`, `"computer"`, "true"
	switch name {
	case "start_of_message":
		s.emit(r, "role", assistant, "type", `"message"`, "start", yes)
	case "message":
		s.emit(r, "role", assistant, "type", `"message"`, "content", json)
	case "end_of_message":
		s.emit(r, "role", assistant, "type", `"message"`, "end", yes)
	case "start_of_code":
		s.code, s.language = true, ""
	case "language":
		s.begin(r, json)
	case "code":
		s.begin(r, s.language)
		s.emit(r, "role", assistant, "type", `"code"`, "format", s.language, "content", json)
	case "end_of_code":
		s.begin(r, s.language)
		s.emit(r, "role", assistant, "type", `"code"`, "format", s.language, "end", yes)
	case "executing":
		s.executing(r, n)
	case "active_line", "output": // what code printed, or the line that runs
		if !s.console {
			s.console = true
			s.emit(r, "role", computer, "type", `"console"`, "start", yes)
		}
		s.emit(r, "role", computer, "type", `"console"`, "format", quoted(name), "content", json)
	case "end_of_execution":
		if s.console {
			s.console = false
			s.emit(r, "role", computer, "type", `"console"`, "end", yes)
		}
	default:
		s.c.lose(Changed, r, "the key %s is left out: LMC has no such key", name)
	}
}

// begin starts the block of code once its language is known. Without one it is
// python, the language that Open Interpreter runs by default.
func (s *upgrade) begin(r *source.Record, language string) {
	if language == "" && s.language == "" {
		s.c.lose(Changed, r, "the code has no language; python was assumed")
		language = `"python"`
	}
	s.language = language
	if s.code {
		s.code = false
		s.emit(r, "role", `"assistant"`, "type", `"code"`, "format", language, "start", "true")
	}
}

// errNoCode reports what is about to run without saying so.
var errNoCode = errors.New("executing has no code and language")

// executing converts what is about to run: it is the confirmation of its code.
func (s *upgrade) executing(r *source.Record, n *source.Node) {
	w := newTextWriter(r.Data, r.Python, false)
	value := func(name, otherwise string) string {
		m := n.Member(name)
		if m == nil {
			return otherwise
		}
		return string(w.Append(nil, m))
	}
	language, code := value("language", s.language), value("code", "")
	switch {
	case w.err != nil:
		s.c.leaveOut(r, w.err)
	case code == "" || language == "":
		s.c.leaveOut(r, errNoCode)
	default:
		s.c.derive(r, confirmationOf(language, code), s.next)
	}
}

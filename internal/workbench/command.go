package workbench

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// defaultLimit is how many messages the service returns unless it is asked for
// more. A list of as many may begin in the middle of the conversation.
const defaultLimit = 100

// commands pairs a conversation's commands with responses. Nothing in a
// response says which command it answers: it is paired by its position.
type commands struct {
	asked   []*PendingCommand // in their order; those that were answered are forgotten but for the last
	latest  *PendingCommand   // the last command that was answered
	orphans []source.Place
	types   map[string]bool
	first   string // content of the first message
	count   int
	dropped bool // a command was not remembered
}

// answer follows a message that may be a command, a response, or what an
// assistant sends in its place.
func (t *conversation) answer(m *Message) {
	if m.Record.Shape == ShapeRequest || t.follower.partial {
		return
	}
	c := &t.commands
	c.see(m)
	switch {
	case m.Type == "" || m.Role == "":
		t.disordered = true // it may be a command, or the response to one
	case m.Role == User && (m.Type == Command || m.Type == Chat && CommandName(m.Content) != ""):
		t.ask(m)
	case m.Type == Response:
		t.respond(m)
	case m.Role == Assistant && m.Type != Log && m.Type != "":
		c.instead(m.Type)
	case m.Role == User && m.Type != Notice && m.Type != Log:
		c.overtake()
	}
}

// see takes in what says whether the list is the whole conversation.
func (c *commands) see(m *Message) {
	if c.types == nil {
		c.types, c.first = map[string]bool{}, strings.Clone(m.Content[:min(len(m.Content), 200)])
	}
	c.types[m.Type] = true
	c.count++
}

func (t *conversation) ask(m *Message) {
	c := &t.commands
	c.overtake()
	if len(c.asked) == MaxCommands {
		c.dropped = true
		t.follower.overflow(m.Record)
		return
	}
	id, _ := ParseUUID(m.ID.Text())
	word, _, _ := strings.Cut(strings.TrimSpace(m.Content[:min(len(m.Content), 200)]), " ")
	c.asked = append(c.asked, &PendingCommand{Place: m.Place(), Name: strings.Clone(word), Target: strings.Clone(m.Target()), id: id, chat: m.Type == Chat})
}

// respond pairs a response with the oldest command without one, or else with
// the latest that has one.
func (t *conversation) respond(m *Message) {
	c := &t.commands
	var asked *PendingCommand
	if len(c.asked) > 0 {
		asked, c.asked = c.asked[0], c.asked[1:]
		c.latest = asked
	}
	if asked == nil {
		asked = c.latest
	}
	switch {
	case asked != nil:
		asked.Met = asked.Met || m.SenderID == asked.Target
		t.follower.emit(&Event{Kind: Answered, Record: m.Record, Message: m, Asked: asked})
	case len(c.orphans) < defaultLimit:
		c.orphans = append(c.orphans, m.Place())
	case !c.dropped:
		t.follower.emit(&Event{Kind: ResponseWithoutCommand, Record: m.Record, Message: m, Place: m.Place()})
	}
}

// instead notes what an assistant sends after commands that wait.
func (c *commands) instead(kind string) {
	for i := len(c.asked) - 1; i >= 0 && !c.asked[i].overtaken; i-- {
		if c.asked[i].Instead == "" {
			c.asked[i].Instead = kind
		}
	}
}

// overtake notes that the user goes on.
func (c *commands) overtake() {
	for i := len(c.asked) - 1; i >= 0 && !c.asked[i].overtaken; i-- {
		c.asked[i].overtaken = true
	}
}

// withdraw forgets a command that was deleted.
func (t *conversation) withdraw(id ID) {
	t.commands.asked = slices.DeleteFunc(t.commands.asked, func(a *PendingCommand) bool { return a.id == id })
}

// finish tells of commands without a response and of responses without a
// command, unless the list shows that messages were left out.
func (c *commands) finish(t *conversation) {
	if c.filtered() || t.disordered || t.follower.doubtful {
		return // the place of a message says nothing
	}
	for _, asked := range c.asked {
		if asked.chat {
			continue
		}
		t.follower.emit(&Event{Kind: Unanswered, Asked: asked, Place: asked.Place})
	}
	if c.cut() {
		return
	}
	for _, place := range c.orphans {
		t.follower.emit(&Event{Kind: ResponseWithoutCommand, Place: place})
	}
}

// filtered reports whether the list has messages of one type alone, as the
// service returns them when it is asked for that type. A command with which an
// assistant answered shows that it was not.
func (c *commands) filtered() bool {
	return len(c.types) == 1 && !slices.ContainsFunc(c.asked, func(a *PendingCommand) bool { return a.Instead != "" })
}

// cut reports whether the list has as many messages as the service returns by
// itself, so that it may begin in the middle.
func (c *commands) cut() bool {
	return c.count == defaultLimit && !strings.Contains(c.first, "created the conversation")
}

var slashed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(/[A-Za-z?][\w-]*)($|[\s(])`)
})

// CommandName returns the name of the command that a text begins with, as in
// /help, and "" for any other text: /usr/bin is none.
func CommandName(content string) string {
	if match := slashed().FindStringSubmatch(content); match != nil {
		return match[1]
	}
	return ""
}

package timeline

import (
	"cmp"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// workbenchConversation makes the view of an input of Semantic Workbench: each
// message is a bar in the lane of its sender, each other record a mark.
type workbenchConversation struct {
	*conversation
	names map[string]string // of participants, by id
}

// maxNames is how many names of participants are kept.
const maxNames = 1000

// Record implements [plugin.ConversationObserver].
func (c *workbenchConversation) Record(rec *source.Record) { c.begin(rec) }

// End implements [plugin.ConversationObserver].
func (c *workbenchConversation) End(dialect string) {
	if len(c.view.Lanes) == 0 {
		c.view.Lanes = []string{serviceLane}
	}
	c.end(dialect)
}

// serviceLane is the lane of records that are not messages.
const serviceLane = "service"

// Event implements [plugin.ConversationObserver].
func (c *workbenchConversation) Event(_ plugin.Mask, event any) {
	switch e, ok := event.(*workbench.Event); {
	case !ok:
	case e.Kind == workbench.Seen:
		c.seen(e.Record)
	case e.Kind == workbench.Said: // a message is a bar
		m := e.Message
		if m.Time != nil {
			c.time = parseTime(m.Time.Raw())
		}
		sender := c.names[m.SenderID]
		if sender == "" || len(sender) > maxLaneName {
			sender = cmp.Or(m.Role, "participant")
		}
		c.setLane(c.view.laneOf(laneName(sender)))
		content := c.recorder.newContent(false)
		content.text.Add([]byte(m.Content))
		c.addStored(m.Record.Source.Index, cmp.Or(m.Role, c.view.Lanes[c.lane]), m.Type, strings.TrimPrefix(m.ContentType, "text/plain"), content.content())
	}
}

// seen notes the participants that a record describes, and marks an event.
func (c *workbenchConversation) seen(r *workbench.Record) {
	for _, p := range r.Participants {
		if name := p.Member("name").Text(); name != "" && len(c.names) < maxNames {
			c.names[p.Member("id").Text()] = name
		}
	}
	if c.time == 0 {
		for _, n := range r.Times() {
			if c.time = parseTime(n.Raw()); c.time > 0 {
				break
			}
		}
	}
	if r.Message == nil && r.Event != "" {
		c.setLane(c.view.laneOf(serviceLane))
		c.mark(Mark{Lane: c.lane, Kind: WorkbenchEvent, Label: r.Event, Code: -1})
	}
}

package compare

import (
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// workbenchConversation makes the blocks of an input of Semantic Workbench: one of
// each message, and of each event. Ids and times are not compared, and neither are
// records that only describe participants or files.
type workbenchConversation struct {
	*conversation
	unseen *builder // of a record that has no event, as long as it may be invalid
}

// Record implements [plugin.ConversationObserver].
func (c *workbenchConversation) Record(rec *source.Record) {
	c.flush()
	c.count(rec)
	switch {
	case rec.IsLost():
		c.unreadable(rec)
	case !rec.IsGap && rec.Root != nil:
		c.unseen = c.recording.newBuilder(Other, rec)
		c.unseen.block.Records = 1
		c.unseen.text.Add(canonical.Append(nil, rec.Root))
	}
}

// flush adds the record before if it is invalid, so that there was no event.
func (c *workbenchConversation) flush() {
	if c.unseen != nil {
		c.add(c.unseen.end())
		c.unseen = nil
	}
}

// Event implements [plugin.ConversationObserver].
func (c *workbenchConversation) Event(_ plugin.Mask, event any) {
	switch e, ok := event.(*workbench.Event); {
	case !ok:
	case e.Kind == workbench.Seen:
		c.unseen = nil
		switch r := e.Record; {
		case r.Message != nil:
		case r.Event != "":
			b := c.recording.newBuilder(Event, r.Source)
			b.block.Type, b.block.Records = r.Event, 1
			c.add(b.end())
		default:
			c.recording.Skipped++
		}
	case e.Kind == workbench.Said:
		m := e.Message
		b := c.recording.newBuilder(Content, m.Record.Source)
		b.block.Role, b.block.Type, b.block.Format, b.block.Records = m.Role, m.Type, m.ContentType, 1
		switch n := m.ContentNode; {
		case n == nil:
		case n.Kind == source.String:
			b.text.Add(n.AppendExact(nil))
		default:
			b.addJSON(canonical.Append(nil, n))
		}
		c.add(b.end())
	}
}

// End implements [plugin.ConversationObserver].
func (c *workbenchConversation) End(string) { c.flush() }

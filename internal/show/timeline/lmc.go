package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// lmcRecorder makes the view of a conversation of LMC from the events of its
// tracker.
type lmcRecorder struct {
	*conversationRecorder
	sides [2]side // the server's, or the only one; the client's
}

// side is the state of one direction of a session.
type side struct {
	bar     *Bar // of the open block, or nil
	block   int  // its number
	command *Mark
	content *contentBuilder
	last    int   // the last record
	time    int64 // of that record
	at      int   // the record before the current one
	atTime  int64
}

// isOf reports whether the open bar is that of a block.
func (s *side) isOf(b *lmc.Block) bool { return s.bar != nil && s.block == b.Number }

// Record implements [plugin.ConversationObserver].
func (c *lmcRecorder) Record(rec *source.Record) {
	c.begin(rec)
	if rec.IsGap {
		return
	}
	s := &c.sides[0]
	if rec.Direction == source.Sent {
		s = &c.sides[1]
	}
	s.at, s.atTime = s.last, s.time
	s.last, s.time = rec.Index, c.time
	if s.bar != nil {
		c.setLane(s.bar.Lane)
	}
}

// End implements [plugin.ConversationObserver].
func (c *lmcRecorder) End(dialect string) {
	for i := range c.sides {
		if s := &c.sides[i]; s.bar != nil {
			s.bar.State |= Open
			c.close(s, s.last, s.time)
		}
	}
	c.dropLanes(dialect)
	c.end(dialect)
}

// dropLanes removes lanes in which nothing is, and nothing can be: a stream has no
// messages of the user, and only a server sends records of its own.
func (c *lmcRecorder) dropLanes(dialect string) {
	v := c.view
	impossible := map[string]bool{
		"user":   v.Kind == protocol.KindStream,
		"server": v.Kind != protocol.KindSession && (v.Kind != protocol.KindStream || dialect != "server"),
	}
	numbers := make([]int, len(v.Lanes)) // after it
	kept := v.Lanes[:0:0]
	for i, name := range v.Lanes {
		isUsed := slices.ContainsFunc(v.Bars, func(b *Bar) bool { return b.Lane == i }) ||
			slices.ContainsFunc(v.Marks, func(m *Mark) bool { return m.Lane == i })
		if numbers[i] = len(kept); isUsed || !impossible[name] {
			kept = append(kept, name)
		}
	}
	v.Lanes = kept
	for _, b := range v.Bars {
		b.Lane = numbers[b.Lane]
	}
	for _, m := range v.Marks {
		m.Lane = numbers[m.Lane]
	}
	for _, e := range v.Excerpts {
		e.Lane = min(numbers[e.Lane], len(kept)-1)
	}
}

// Event implements [plugin.ConversationObserver].
func (c *lmcRecorder) Event(on plugin.Mask, event any) {
	kind := lmc.Kind(on)
	if r := lmc.PartOf[lmc.Record](event); r != nil && r.Source.Index != c.record.Index { // it was decided later
		c.record = r.Source
		c.setTime(c.record.Time)
	}
	switch e := event.(type) {
	case *lmc.Record:
		switch {
		case lmc.Shape.Is(kind):
			c.shape(e)
		case lmc.Frame.Is(kind):
			c.frame(e)
		case session.BareCommand.Is(kind):
			c.mark(Mark{Lane: c.lane, Kind: Command, Label: e.Text(), Code: -1})
		}
	case *lmc.OpenedEvent:
		c.opened(e.Record, e.Block)
	case *lmc.ContentEvent:
		switch {
		case e.Block != nil:
			c.content(e.Record, e.Block)
		case lmc.Message.Is(kind) && e.Record != nil:
			r := e.Record
			content := c.recorder.newContent(protocol.HoldsImage(r))
			content.add(r)
			c.addStored(r.Source.Index, r.Role, r.Type, r.Format, content.content())
		}
	case *lmc.ClosedEvent:
		c.closed(e.Record, e.Block)
	case *lmc.ConfirmationEvent:
		code, label := -1, ""
		if e.Code != nil {
			code, label = e.Code.Number-1, e.Code.Language
		}
		c.mark(Mark{Lane: c.lane, Kind: Confirmation, Label: cmp.Or(e.Asked.Language, label), Code: code})
	case *lmc.ExecutionEvent:
		c.executed(e.Run)
	}
}

// sideOf returns the side that a block belongs to.
func (c *lmcRecorder) sideOf(b *lmc.Block) *side {
	if b.Sent {
		return &c.sides[1]
	}
	return &c.sides[0]
}

// shape notes the lane of a record, and its time if it has one of its own.
func (c *lmcRecorder) shape(r *lmc.Record) {
	if c.time == 0 {
		if n := r.Key("created_at"); n != nil {
			c.setTime(n.Raw())
		}
	}
	switch {
	case r.Role != "":
		c.setLane(c.view.laneOf(laneName(r.Role)))
	case r.Source.Direction == source.Sent:
		c.setLane(c.view.laneOf("user"))
	case r.Source.Direction == source.Received && r.IsTransport():
		c.setLane(c.view.laneOf("server"))
	}
	if r.IsAuth() {
		label := "key" // which is not shown
		if n := r.Key("auth"); n.Kind == source.Bool {
			label = string(n.Raw())
		}
		c.mark(Mark{Lane: c.lane, Kind: Authentication, Label: label, Code: -1})
	}
}

// laneName returns the lane of a role. A role is a word of the input.
func laneName(role string) string {
	if len(role) > maxLaneName || strings.ContainsFunc(role, func(r rune) bool { return r < ' ' }) {
		return "other"
	}
	return strings.ToValidUTF8(role, "\uFFFD")
}

// maxLaneName is how long the name of a lane is at most, in bytes.
const maxLaneName = 40

// opened begins a bar.
func (c *lmcRecorder) opened(r *lmc.Record, b *lmc.Block) {
	s := c.sideOf(b)
	if s.bar != nil { // it was empty and something explained that, or it is put aside
		c.close(s, s.at, s.atTime)
	}
	role := b.Role
	if role == "" && b.Sent {
		role = "user"
	}
	lane := c.lane
	if role != "" {
		lane = c.view.laneOf(laneName(role))
		c.setLane(lane)
	}
	s.content = c.recorder.newContent(b.Type == "image" && !strings.HasPrefix(b.Format, "path") && b.Format != "description")
	if b.Type == "command" {
		s.command = c.mark(Mark{Lane: lane, Kind: Command, Code: -1})
	}
	s.block = b.Number
	s.bar = &Bar{
		Lane: lane, Role: b.Role, Type: b.Type, Format: b.Format,
		First: r.Source.Index, Last: r.Source.Index, Start: c.time, End: c.time, Written: c.written,
	}
	if b.Stray {
		s.bar.State |= Startless
	}
	if s.command == nil {
		c.add(s.bar)
	}
}

// content adds a chunk to its bar.
func (c *lmcRecorder) content(r *lmc.Record, block *lmc.Block) {
	s := c.sideOf(block)
	if !s.isOf(block) { // another record cut it, and it is resumed
		if s.bar != nil {
			s.bar.State |= Cut
		}
		c.opened(r, block)
		s.bar.State |= Startless
	}
	b := s.bar
	b.Last, b.End = max(b.Last, r.Source.Index), max(b.End, c.time)
	if b.Type == "" { // a part of the user's message, whose flag has no type
		s.content = c.recorder.newContent(protocol.HoldsImage(r))
		b.Type, b.Format = r.Type, r.Format
	}
	if r.Type == "console" && r.Format == "active_line" {
		return
	}
	s.content.add(r)
}

// closed ends a bar.
func (c *lmcRecorder) closed(r *lmc.Record, b *lmc.Block) {
	s := c.sideOf(b)
	if !s.isOf(b) {
		return
	}
	s.bar.Role, s.bar.Type, s.bar.Format = b.Role, cmp.Or(b.Type, s.bar.Type), cmp.Or(b.Format, s.bar.Format)
	last, at := s.bar.Last, s.bar.End
	switch {
	case b.Cut && r == nil:
		s.bar.State |= Open
		last, at = s.last, s.time
	case b.Cut:
		s.bar.State |= Cut
	case b.Contents == 0 && !b.Lossy: // it is reported when the next record is known
		last, at = s.at, s.atTime
		if r == nil {
			last, at = s.last, s.time
		}
	case r != nil:
		last, at = r.Source.Index, c.time
	}
	if b.Contents == 0 {
		s.bar.State |= Empty
	}
	c.close(s, last, at)
}

// close completes the bar of the open block.
func (c *lmcRecorder) close(s *side, last int, at int64) {
	b := s.bar
	b.Last, b.End = max(b.Last, last), max(b.End, at)
	b.Content, b.done = s.content.content(), true
	if s.command != nil && b.Content != nil {
		s.command.Label = shorten(b.Content.Head)
	}
	s.bar, s.command = nil, nil
}

// frame marks a frame of the server.
func (c *lmcRecorder) frame(r *lmc.Record) {
	kind := Frame
	switch r.Type {
	case "status":
		kind = Status
	case "error":
		kind = ServerError
	}
	label := r.Text()
	if kind == ServerError { // of a traceback, the last line is the error
		label = strings.TrimSpace(label)
		label = label[strings.LastIndexByte(label, '\n')+1:]
	}
	c.mark(Mark{Lane: c.view.laneOf("server"), Kind: kind, Label: cmp.Or(label, r.Type), Code: -1})
}

// executed marks code that ran without the confirmation that it needs.
func (c *lmcRecorder) executed(run *lmc.Run) {
	state, ok := c.state.(*protocol.State)
	if !ok || run.Code == nil || run.Code.Confirmed != nil || run.Code.Note || run.Refused || !state.Confirms() {
		return
	}
	for i := len(c.view.Bars) - 1; i >= max(0, len(c.view.Bars)-maxOverlap); i-- {
		if b := c.view.Bars[i]; b.First == run.Code.Number-1 {
			b.State |= Unconfirmed
			return
		}
	}
}

// workbenchRecorder makes the view of an input of Semantic Workbench: each
// message is a bar in the lane of its sender, each other record a mark.
type workbenchRecorder struct {
	*conversationRecorder
	names map[string]string // of participants, by id
}

// maxNames is how many names of participants are kept.
const maxNames = 1000

// Record implements [plugin.ConversationObserver].
func (c *workbenchRecorder) Record(rec *source.Record) { c.begin(rec) }

// End implements [plugin.ConversationObserver].
func (c *workbenchRecorder) End(dialect string) {
	if len(c.view.Lanes) == 0 {
		c.view.Lanes = []string{serviceLane}
	}
	c.end(dialect)
}

// serviceLane is the lane of records that are not messages.
const serviceLane = "service"

// Event implements [plugin.ConversationObserver].
func (c *workbenchRecorder) Event(_ plugin.Mask, event any) {
	switch e, ok := event.(*workbench.Event); {
	case !ok:
	case e.Kind == workbench.Seen:
		c.seen(e.Record)
	case e.Kind == workbench.Said: // a message is a bar
		m := e.Message
		if m.Time != nil {
			c.setTime(m.Time.Raw())
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
func (c *workbenchRecorder) seen(r *workbench.Record) {
	for _, p := range r.Participants {
		if name := p.Member("name").Text(); name != "" && len(c.names) < maxNames {
			c.names[p.Member("id").Text()] = name
		}
	}
	if c.time == 0 {
		for _, n := range r.Times() {
			if c.setTime(n.Raw()); c.time > 0 {
				break
			}
		}
	}
	if r.Message == nil && r.Event != "" {
		c.setLane(c.view.laneOf(serviceLane))
		c.mark(Mark{Lane: c.lane, Kind: WorkbenchEvent, Label: r.Event, Code: -1})
	}
}

package compare

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// lmcRecorder makes the blocks of a conversation of LMC.
//
// It does not use those of the tracker, which resynchronizes after a mistake to
// find the next one: here each record counts as what it is, and none is lost. A
// start opens a block, content of its role, type and format belongs to it, and
// an end, another start, a confirmation or a frame closes it. Other content
// is a block of its own, with the content and the end like it that follow. What
// flags a block has is a part of it, so that a lost one is a difference.
type lmcRecorder struct {
	*conversationRecorder
	sides      [2]side // the server's, or the only one; the client's
	deliveries lmc.Deliveries
	code       *Entry // the last code of the assistant
	others     protocol.OtherEvents
}

// side is the state of one direction.
type side struct {
	open  *builder // the block that a start flag opened
	stray *builder // content that is not of the open block
	parts bool     // the start flag had no type: each part of the user's message is a block
}

// Record implements [plugin.ConversationObserver].
func (c *lmcRecorder) Record(rec *source.Record) {
	c.count(rec)
	s := &c.sides[0]
	if rec.Direction == source.Sent {
		s = &c.sides[1]
	}
	switch {
	case c.others.Skips(rec):
		c.recording.Skipped++
	case rec.IsLost():
		c.unreadable(rec)
	case rec.IsGap:
	case rec.Binary:
		c.content(s, lmc.NewBinary(rec))
	default:
		c.record(s, lmc.NewRecord(rec))
	}
}

// End implements [plugin.ConversationObserver].
func (c *lmcRecorder) End(string) {
	for i := range c.sides {
		c.sides[i].closeAll()
	}
}

// record follows one record. A record that is not one of LMC, such as one without
// content and flags or with a number as its role, is compared as canonical JSON.
func (c *lmcRecorder) record(s *side, r *lmc.Record) {
	hasWords, says := true, r.Flag() || r.Content != nil
	for _, name := range []string{"role", "type", "format", "recipient"} {
		n := r.Key(name)
		hasWords = hasWords && (n == nil || n.Kind == source.String || n.Kind == source.Null)
	}
	isFrame := hasWords && c.kind != protocol.KindTranscript
	switch {
	case isFrame && !says && (r.IsAck() || r.IsAuth()): // its key or id is different in every recording
		c.recording.Skipped++
	case isFrame && r.Role != "user" && c.isRedelivered(r):
		c.recording.Skipped++
	case !hasWords || !says:
		c.addRecord(Other, r.Source, canonical.Append(nil, r.Source.Root))
	case r.Flag():
		c.chunk(s, r)
	case r.Type == "confirmation" || r.Type == "status" || r.Type == "error" || r.Type == "completion" || r.IsServerFrame():
		s.closeAll()
		c.single(r)
	default:
		c.content(s, r)
	}
}

// isRedelivered reports whether a frame was delivered before, with the same id.
func (c *lmcRecorder) isRedelivered(r *lmc.Record) bool {
	if c.deliveries.Again(r) != nil {
		return true
	}
	c.deliveries.Keep(r)
	return false
}

// single adds a record without a block. Of a confirmation, the text is the code,
// so that its lines can be compared.
func (c *lmcRecorder) single(r *lmc.Record) {
	b := c.recording.newBuilder(Single, r.Source)
	b.block.Role, b.block.Type, b.block.Format = r.Role, r.Type, r.Format
	var code *source.Node
	if r.Type == "confirmation" && r.Content != nil && r.Content.Kind == source.Object {
		_, code = lmc.AskedCode(r.Content)
	}
	if code == nil {
		b.content(r)
		c.add(b.end())
		return
	}
	b.note(r)
	b.text.Add(code.AppendExact(nil))
	others := *r.Content
	others.Children = slices.DeleteFunc(slices.Clone(others.Children), func(n source.Node) bool { return n.Start == code.Start })
	b.addJSON(canonical.Append(nil, &others))
	made := b.end()
	c.add(made)
	if c.code != nil && c.code.Confirmed == nil {
		c.code.Confirmed = &made.Text
	}
}

// chunk follows a flag, which may have content.
func (c *lmcRecorder) chunk(s *side, r *lmc.Record) {
	if r.Start {
		s.closeAll()
		s.open, s.parts = c.begin(r), r.Role == "user" && r.IsTypelessFlag()
		s.open.flag("start", r.StartNode, r)
	}
	if r.Content != nil && r.Content.Kind != source.Null && !r.Empty() {
		c.content(s, r)
	}
	if !r.End {
		return
	}
	b := s.open
	switch {
	case s.stray != nil && s.stray.fits(r) && (b == nil || !b.fits(r)):
		b, s.stray = s.stray, nil
	case b == nil: // an end without a start is a block
		s.closeAll()
		b = c.begin(r)
	}
	b.note(r)
	b.flag("end", r.EndNode, r)
	b.close()
	if b == s.open {
		s.closeAll()
	}
}

// begin begins a block at a record, and adds it to the conversation.
func (c *lmcRecorder) begin(r *lmc.Record) *builder {
	b := c.recording.newBuilder(Content, r.Source)
	b.block.Role, b.block.Type, b.block.Format = r.Role, r.Type, r.Format
	b.note(r)
	c.add(b.block)
	if r.Type == "code" && r.Role == "assistant" {
		c.code = b.block
	}
	return b
}

// content adds the content of a record to the block that it belongs to.
func (c *lmcRecorder) content(s *side, r *lmc.Record) {
	switch {
	case s.open != nil && s.open.fits(r):
		s.open.adopt(r)
		s.open.content(r)
	case s.open != nil && s.parts && r.Role == s.open.block.Role:
		s.open.close()
		s.open = c.begin(r)
		s.open.content(r)
	case c.kind == protocol.KindTranscript && !r.End:
		b := c.begin(r)
		b.content(r)
		b.close()
	default:
		if s.stray == nil || !s.stray.fits(r) {
			s.stray.close()
			s.stray = c.begin(r)
		}
		s.stray.content(r)
	}
}

// fits reports whether a record belongs to the block by its role, type and
// format. What the flags of the block lack may be anything.
func (b *builder) fits(r *lmc.Record) bool {
	k := b.block
	if r.Binary {
		return k.Type == "audio"
	}
	return k.Role == r.Role && (k.Type == r.Type || k.Type == "" || r.Type == "" && r.Flag()) &&
		(k.Type == "console" || k.Format == r.Format || k.Format == "" && b.chunks == 0 || r.Format == "" && r.Flag())
}

// adopt takes from the first content what the start flag lacks.
func (b *builder) adopt(r *lmc.Record) {
	if k := b.block; b.chunks == 0 && !r.Binary {
		if k.Type == "" {
			k.Type = r.Type
		}
		if k.Format == "" && r.Format != "" {
			k.Format = r.Format
			if k.Type != "console" && len(b.flags) > 0 && !strings.HasSuffix(b.flags[0], withoutType) {
				b.flags[0] += " " + withoutFormat
			}
		}
	}
}

// close completes the block. It does nothing to nil, and nothing the second time.
func (b *builder) close() {
	if b != nil && !b.closed {
		b.closed = true
		b.end()
	}
}

func (s *side) closeAll() {
	s.open.close()
	s.stray.close()
	*s = side{}
}

// workbenchRecorder makes the blocks of an input of Semantic Workbench: one of
// each message, and of each event. Ids and times are not compared, and neither are
// records that only describe participants or files.
type workbenchRecorder struct {
	*conversationRecorder
	unseen *builder // of a record that has no event, as long as it may be invalid
}

// Record implements [plugin.ConversationObserver].
func (c *workbenchRecorder) Record(rec *source.Record) {
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
func (c *workbenchRecorder) flush() {
	if c.unseen != nil {
		c.add(c.unseen.end())
		c.unseen = nil
	}
}

// Event implements [plugin.ConversationObserver].
func (c *workbenchRecorder) Event(_ plugin.Mask, event any) {
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
func (c *workbenchRecorder) End(string) { c.flush() }

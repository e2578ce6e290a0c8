package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Recorder observes the check of one input. It implements [plugin.Observer].
type Recorder struct {
	recording Recording
	ended     [2]int // conversations without a finding, and with one

	bars, marks   int // of all conversations
	textBytes     int // kept of all messages
	imagesBytes   int
	excerpts      int
	excerptsBytes int
}

// Observe is an argument for lint.WithObserver: it returns a new Recorder for
// the input of that name.
func Observe(name string) plugin.Observer {
	return &Recorder{recording: Recording{Path: name}}
}

// Of returns the recording of an input that was checked with [Observe], else nil.
func Of(result lint.Result) *Recording {
	r, ok := result.Observer.(*Recorder)
	if !ok {
		return nil
	}
	return &r.recording
}

// Begin implements [plugin.Observer].
func (r *Recorder) Begin(c plugin.Conversation) plugin.ConversationObserver {
	made := &conversation{
		recorder: r, state: c.State,
		view: &Conversation{Number: c.Number, Protocol: c.Protocol, Kind: c.Kind},
	}
	r.recording.Conversations = append(r.recording.Conversations, made.view)
	if c.Protocol == (protocol.Workbench{}).Name() {
		return &workbenchConversation{conversation: made, names: map[string]string{}}
	}
	made.view.Lanes = []string{"user", "assistant", "computer", "server"}
	return &lmcConversation{conversation: made}
}

// conversation makes the view of one conversation, as far as it does not depend
// on the protocol.
type conversation struct {
	recorder *Recorder
	view     *Conversation
	state    any

	record   *source.Record // the current one
	time     int64          // of the current record
	lane     int            // of the current record
	reported bool           // it has a finding
	keepTo   int            // excerpts of records up to this one are kept

	recent      []*Excerpt // of the last records
	recentBytes int
}

// begin notes the next record. Its lane may be set until the next one begins.
func (c *conversation) begin(rec *source.Record) {
	c.record, c.time = rec, parseTime(rec.Time)
	if rec.IsGap {
		return
	}
	c.view.Records = max(c.view.Records, rec.Index+1)
	c.remember(rec)
}

// setLane sets the lane of the current record.
func (c *conversation) setLane(lane int) {
	c.lane = lane
	if n := len(c.recent); n > 0 && c.record != nil && c.recent[n-1].Record == c.record.Index {
		c.recent[n-1].Lane = lane
	}
}

// laneOf returns the number of a lane by its name, which it adds if it is new.
func (v *Conversation) laneOf(name string) int {
	if i := slices.Index(v.Lanes, name); i >= 0 {
		return i
	}
	switch {
	case len(v.Lanes) == maxLanes:
		name = "other"
		v.Lanes = append(v.Lanes, name)
	case len(v.Lanes) > maxLanes:
		return maxLanes
	default:
		v.Lanes = append(v.Lanes, name)
	}
	return len(v.Lanes) - 1
}

// add adds a bar. Bars are in the order in which they begin; that of a block whose start
// was lost is known after others.
func (c *conversation) add(b *Bar) {
	if c.recorder.bars == MaxBars {
		c.recorder.recording.NotDrawn++
		return
	}
	c.recorder.bars++
	at := len(c.view.Bars)
	for at > 0 && c.view.Bars[at-1].First > b.First {
		at--
	}
	c.view.Bars = slices.Insert(c.view.Bars, at, b)
}

// addStored adds the bar of a whole message, in the current lane.
func (c *conversation) addStored(record int, role, typ, format string, content *Content) {
	b := &Bar{
		Lane: c.lane, Role: role, Type: typ, Format: format, State: Stored,
		First: record, Last: record, Start: c.time, End: c.time, Content: content,
	}
	if content == nil {
		b.State |= Empty
	}
	c.add(b)
}

// mark appends a mark at the current record, and returns it.
func (c *conversation) mark(m Mark) *Mark {
	m.Record, m.Time, m.Label = c.record.Index, c.time, shorten(m.Label)
	if c.recorder.marks == MaxBars {
		c.recorder.recording.NotDrawn++
		return &m
	}
	c.recorder.marks++
	c.view.Marks = append(c.view.Marks, &m)
	return &m
}

// end completes the view, and removes it if the recording has too many.
func (c *conversation) end(dialect string) {
	r, v := c.recorder, c.view
	v.Dialect = dialect
	v.Timed = isTimed(v)
	for _, b := range v.Bars { // these may be any text of the input
		b.Role, b.Type, b.Format = shorten(b.Role), shorten(b.Type), shorten(b.Format)
	}
	c.recent = nil
	ended := &r.ended[0]
	if c.reported {
		ended = &r.ended[1]
	}
	if *ended++; *ended <= MaxConversations {
		return
	}
	r.recording.LeftOut++
	r.bars -= len(v.Bars)
	r.marks -= len(v.Marks)
	for _, b := range v.Bars {
		if b.Content != nil {
			r.textBytes -= len(b.Content.Head) + len(b.Content.Tail)
			r.imagesBytes -= len(b.Content.Image)
		}
	}
	r.recording.Conversations = slices.DeleteFunc(r.recording.Conversations, func(o *Conversation) bool { return o == v })
}

// Add adds the pin of a finding, and returns it with its conversation; nil if the
// finding is about another file, or its conversation was removed.
func (r *Recording) Add(f *lint.Finding) (*Conversation, Pin) {
	number := r.findings
	r.findings++
	i := slices.IndexFunc(r.Conversations, func(c *Conversation) bool { return c.Number == f.Conversation })
	if i < 0 || f.Path != r.Path {
		return nil, Pin{}
	}
	c := r.Conversations[i]
	p := Pin{Finding: number, Severity: f.Severity, Rule: f.Rule.ID, Record: f.Place.Record, Lane: c.LaneAt(f.Place.Record)}
	for j := range f.Related {
		other := &f.Related[j]
		if cmp.Or(other.Path, f.Path) == r.Path && other.Place.Record >= 0 {
			p.Related = append(p.Related, Spot{other.Place.Record, c.LaneAt(other.Place.Record)})
		}
	}
	c.Pins = append(c.Pins, p)
	return c, p
}

// LaneAt returns the lane of a record: as its excerpt says, or that of the
// shortest bar or of a mark there.
func (v *Conversation) LaneAt(record int) int {
	if i, ok := slices.BinarySearchFunc(v.Excerpts, record, compareRecord); ok {
		return v.Excerpts[i].Lane
	}
	if i, ok := slices.BinarySearchFunc(v.Marks, record, func(m *Mark, n int) int { return cmp.Compare(m.Record, n) }); ok {
		return v.Marks[i].Lane
	}
	from, _ := slices.BinarySearchFunc(v.Bars, record+1, func(b *Bar, n int) int { return cmp.Compare(b.First, n) })
	var best *Bar
	for i := from - 1; i >= max(0, from-maxOverlap); i-- {
		if b := v.Bars[i]; b.First <= record && record <= b.Last && (best == nil || b.Last-b.First < best.Last-best.First) {
			best = b
		}
	}
	if best == nil {
		return 0
	}
	return best.Lane
}

// maxOverlap is how many bars before a record are searched for one that it is in.
const maxOverlap = 64

// shorten cuts a text to maxLabelBytes, and valid UTF-8.
func shorten(text string) string {
	if len(text) > maxLabelBytes {
		return strings.ToValidUTF8(text[:maxLabelBytes], "") + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

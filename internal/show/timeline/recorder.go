package timeline

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// Recorder observes the check of one input. It implements [plugin.Observer].
type Recorder struct {
	recording Recording
	ended     [2]int // conversations without a finding, and with one

	bars, marks   int // of all conversations
	span          int // of the records of neighbors that were merged
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
	made := &conversationRecorder{
		recorder: r, state: c.State,
		view: &Conversation{Number: c.Number, Protocol: c.Protocol, Kind: c.Kind}, density: Density{Size: 1},
	}
	r.recording.Conversations = append(r.recording.Conversations, made.view)
	if c.Protocol == (protocol.Workbench{}).Name() {
		return &workbenchRecorder{conversationRecorder: made, names: map[string]string{}}
	}
	made.view.Lanes = []string{"user", "assistant", "computer", "server"}
	return &lmcRecorder{conversationRecorder: made}
}

// conversation makes the view of one conversation, as far as it does not depend
// on the protocol.
type conversationRecorder struct {
	recorder *Recorder
	view     *Conversation
	state    any

	record   *source.Record // the current one
	time     int64          // of the current record
	written  string         // the time of the current record as it is written, unless that is UTC
	lane     int            // of the current record
	reported bool           // it has a finding
	keepTo   int            // excerpts of records up to this one are kept

	density     Density
	recent      []*Excerpt // of the last records
	recentBytes int
}

// begin notes the next record. Its lane may be set until the next one begins.
func (c *conversationRecorder) begin(rec *source.Record) {
	c.record = rec
	c.setTime(rec.Time)
	if rec.IsGap {
		return
	}
	c.view.Records = max(c.view.Records, rec.Index+1)
	c.remember(rec)
}

// setTime sets the time of the current record.
func (c *conversationRecorder) setTime(raw []byte) {
	c.time, c.written = parseTime(raw), ""
	if c.time > 0 && raw[0] == '"' && !bytes.HasSuffix(raw, []byte(`Z"`)) {
		c.written = shorten(strings.Trim(string(raw), `"`))
	}
}

// setLane sets the lane of the current record.
func (c *conversationRecorder) setLane(lane int) {
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
func (c *conversationRecorder) add(b *Bar) {
	if c.recorder.bars == MaxBars && !c.recorder.merge() {
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
func (c *conversationRecorder) addStored(record int, role, typ, format string, content *Content) {
	b := &Bar{
		Lane: c.lane, Role: role, Type: typ, Format: format, State: Stored,
		First: record, Last: record, Start: c.time, End: c.time, Written: c.written, Content: content, done: true,
	}
	if content == nil {
		b.State |= Empty
	}
	c.add(b)
}

// merge merges neighbors in a lane, those that are closest to each other, and reports
// whether there is room for more. The first half of the bars and of the marks stays as it is.
func (r *Recorder) merge() bool {
	for r.span = max(r.span, 4); r.span < math.MaxInt/2; r.span *= 2 {
		var bars, marks int
		for _, c := range r.recording.Conversations {
			c.Bars = mergeNeighbors(c.Bars, MaxBars/2-bars, func(a, b *Bar) bool {
				if a.Lane != b.Lane || !a.done || !b.done || b.Last-a.First >= r.span {
					return false
				}
				a.Last, a.End, a.State, a.Content = max(a.Last, b.Last), max(a.End, b.End), a.State|b.State, nil
				a.Count = max(a.Count, 1) + max(b.Count, 1)
				return true
			})
			c.Marks = mergeNeighbors(c.Marks, MaxBars/2-marks, func(a, b *Mark) bool {
				if a.Lane != b.Lane || a.Kind != b.Kind || b.Record-a.Record >= r.span {
					return false
				}
				a.Label, a.Code, a.Count = "", -1, max(a.Count, 1)+max(b.Count, 1)
				return true
			})
			bars += len(c.Bars)
			marks += len(c.Marks)
		}
		if r.bars, r.marks = bars, marks; max(bars, marks) <= MaxBars*7/8 {
			return true
		}
	}
	return max(r.bars, r.marks) < MaxBars
}

// mergeNeighbors merges each element of a list, after the first ones and before the last
// ones, which may still change, with one of the few before it if they can be merged.
func mergeNeighbors[T any](list []*T, first int, merge func(into, e *T) bool) []*T {
	first = max(first, 0)
	if len(list)-maxOverlap <= first {
		return list
	}
	kept := list[:first]
next:
	for _, e := range list[first : len(list)-maxOverlap] {
		for i := len(kept) - 1; i >= max(first, len(kept)-maxLanes); i-- {
			if merge(kept[i], e) {
				continue next
			}
		}
		kept = append(kept, e)
	}
	kept = append(kept, list[len(list)-maxOverlap:]...)
	clear(list[len(kept):])
	return kept
}

// mark appends a mark at the current record, and returns it.
func (c *conversationRecorder) mark(m Mark) *Mark {
	m.Record, m.Time, m.Label = c.record.Index, c.time, shorten(m.Label)
	if c.recorder.marks == MaxBars && !c.recorder.merge() {
		c.recorder.recording.NotDrawn++
		return &m
	}
	c.recorder.marks++
	c.view.Marks = append(c.view.Marks, &m)
	return &m
}

// end completes the view, and removes it if the recording has too many.
func (c *conversationRecorder) end(dialect string) {
	r, v := c.recorder, c.view
	v.Dialect = dialect
	v.Timed = isTimed(v)
	if c.density.Total > minDensity {
		v.Density = &c.density
	}
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

// A finding may be about a record that was read long before, and its neighbors
// are shown, too. The last records are kept until it is known that no finding is
// about them, as far as the limit allows; those that a finding is about are kept
// for good. What is about an older record shows the excerpt in the finding.

// remember keeps the start of a record.
func (c *conversationRecorder) remember(rec *source.Record) {
	head := rec.Data[:min(len(rec.Data), excerptBytes)]
	e := &Excerpt{
		Record: rec.Index, Line: rec.Start.Line, Column: rec.Start.Column, Offset: rec.Start.Offset,
		Text: string(head), Bytes: len(rec.Data), Size: len(head), Decoded: rec.IsDecoded(),
	}
	if rec.Index <= c.keepTo && c.reported {
		c.keep(e)
	}
	c.recent = append(c.recent, e)
	if c.recentBytes += e.Size; c.recentBytes > maxRecentBytes { // the oldest go
		old := len(c.recent) / 4
		for _, e := range c.recent[:old] {
			c.recentBytes -= e.Size
		}
		c.recent = slices.Delete(c.recent, 0, old)
	}
}

// Reported implements [plugin.ConversationObserver]. It counts the finding, and keeps the records at the places
// of a finding, and those next to the first place.
func (c *conversationRecorder) Reported(severity uint8, places []source.Place) {
	if len(places) > 0 && places[0].Record >= 0 {
		c.density.add(places[0].Record, lint.Severity(severity))
	}
	for i, p := range places {
		from, to := p.Record, p.Record
		if from < 0 {
			continue
		}
		if i == 0 {
			from, to = from-neighbors, to+neighbors
			c.keepTo = max(c.keepTo, to)
		}
		at, _ := slices.BinarySearchFunc(c.recent, from, compareRecord)
		for ; at < len(c.recent) && c.recent[at].Record <= to; at++ {
			c.keep(c.recent[at])
		}
	}
	c.reported = true
}

// keep keeps an excerpt for good, unless there are too many.
func (c *conversationRecorder) keep(e *Excerpt) {
	r := c.recorder
	at, found := slices.BinarySearchFunc(c.view.Excerpts, e.Record, compareRecord)
	if found || r.excerpts >= maxExcerpts || r.excerptsBytes >= maxExcerptsBytes {
		return
	}
	r.excerpts++
	r.excerptsBytes += e.Size
	c.view.Excerpts = slices.Insert(c.view.Excerpts, at, e)
}

// compareRecord orders an excerpt and the number of a record.
func compareRecord(e *Excerpt, record int) int { return cmp.Compare(e.Record, record) }

// Valid returns the text as valid UTF-8 without an incomplete character at its
// end.
func (e *Excerpt) Valid() string {
	text := e.Text
	if e.Size < e.Bytes {
		text = text[:value.PartialRune([]byte(text))]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// Mark returns the part of the text that a span of the input is, in UTF-16 code
// units of [Excerpt.Valid], as JavaScript counts. It reports false if the span
// does not begin in the text.
func (e *Excerpt) Mark(span source.Span) (from, to int, ok bool) {
	start, end := span.Start.Offset-e.Offset, span.End.Offset-e.Offset
	if e.Decoded || start < 0 || start > int64(e.Size) || start == int64(e.Size) && e.Size < e.Bytes {
		return 0, 0, false
	}
	end = min(max(start, end), int64(e.Size))
	from, to = utf16Length(e.Text[:start]), utf16Length(e.Text[:end])
	return from, min(to, utf16Length(e.Valid())), true
}

// utf16Length returns how many UTF-16 code units a text has as valid UTF-8.
func utf16Length(text string) int {
	return len(utf16.Encode([]rune(strings.ToValidUTF8(text, "\uFFFD"))))
}

// contentBuilder collects what a block says, in bounded memory.
type contentBuilder struct {
	recorder *Recorder
	text     *blocks.TextBuilder
	binary   int64 // bytes of binary frames
	image    bool  // the text is an image in base64
}

// newContent begins the content of a block. How much of its text is kept depends on what
// is kept of other blocks already.
func (r *Recorder) newContent(image bool) *contentBuilder {
	most, tail := wholeBytes, tailBytes
	switch {
	case image:
		most, tail = maxImageBytes, 0
	case r.textBytes >= maxAllBytes:
		most, tail = 0, 0
	case r.textBytes >= maxTextBytes:
		most, tail = shortHeadBytes, 0
	}
	return &contentBuilder{recorder: r, text: blocks.NewTextBuilder(most, tail), image: image}
}

// add appends the content of a record.
func (b *contentBuilder) add(r *lmc.Record) {
	switch {
	case r.Binary:
		b.binary += int64(base64.StdEncoding.DecodedLen(len(r.Source.Data)))
	case r.Content == nil:
	case r.Content.Kind != source.String:
		b.text.Add(bytes.Clone(r.Content.Raw()))
	default:
		b.text.AddContent(r)
	}
}

// content returns what the block says, nil if it is nothing.
func (b *contentBuilder) content() *Content {
	text := b.text.Text()
	if text.Bytes == 0 && b.binary == 0 {
		return nil
	}
	c := &Content{Binary: b.binary}
	if b.image {
		if c.Image, c.MediaType = b.recorder.picture(&text); c.Image == "" {
			c.Binary += int64(base64.StdEncoding.DecodedLen(int(text.Bytes)))
		}
		b.recorder.imagesBytes += len(c.Image)
		return c
	}
	head, tail := text.Head, text.Tail
	if _, whole := text.Whole(); !whole {
		head = head[:value.PartialRune(head)]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		c.Omitted = text.Bytes - int64(len(head)) - int64(len(tail))
	}
	c.Head, c.Tail = strings.ToValidUTF8(string(head), "\uFFFD"), strings.ToValidUTF8(string(tail), "\uFFFD")
	b.recorder.textBytes += len(c.Head) + len(c.Tail)
	return c
}

// maxPixels is how many pixels an image has at most that a page shows.
const maxPixels = 40 << 20

// picture returns an image in base64, if it is whole, a valid PNG or JPEG by
// its structure and header, and small enough.
func (r *Recorder) picture(content *blocks.Text) (text, mediaType string) {
	if _, whole := content.Whole(); !whole || r.imagesBytes+len(content.Head) > maxImagesBytes {
		return "", ""
	}
	var s media.Scanner
	s.Reset()
	s.Add(content.Head)
	if s.Fault().Kind != media.Sound || !s.Complete() || s.Truncated() {
		return "", ""
	}
	text = strings.TrimRight(string(content.Head), " \t\r\n")
	data := base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))
	var header func(io.Reader) (image.Config, error)
	switch s.Kind() {
	case media.PNG:
		header, mediaType = png.DecodeConfig, "image/png"
	case media.JPEG:
		header, mediaType = jpeg.DecodeConfig, "image/jpeg"
	default:
		return "", ""
	}
	size, err := header(data)
	if err != nil || size.Width <= 0 || size.Height <= 0 || int64(size.Width)*int64(size.Height) > maxPixels {
		return "", ""
	}
	return text, mediaType
}

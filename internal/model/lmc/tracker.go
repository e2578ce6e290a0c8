// Package lmc models the LMC protocol: what a record means, and what happens
// when records follow each other.
//
// A [Record] views a source record by the protocol's keys. A [Tracker] follows
// a stream of chunks or a saved conversation, and turns records into events, each of a [Kind]. The tracker decides which block is open, what is
// confirmed and what is executed, and resynchronizes after a mistake, so that
// one mistake is one event and rules need no protocol state of their own.
package lmc

import "github.com/lmclint/lmclint/internal/source"

// Tracker follows a stream: it finds the open block, the code that waits for a
// confirmation, and the execution under way. After a mistake it resynchronizes,
// so that each mistake is one event and the next record is checked on its own.
type Tracker struct {
	framing
	anomaly

	execution

	stored storedBlocks

	deliveries Deliveries // of a stream

	emit      Emit
	wanted    Kind // the kinds of events that are emitted
	memory    memory
	end       source.PlaceRef // of the last record
	truncated bool            // the input ends inside a record
	isClient  bool            // follows what a session's client sends
	isWhole   bool            // follows whole messages
}

// NewTracker returns a tracker that passes its events to emit. IsNote reports
// whether code of a language is text that never runs.
func NewTracker(isNote func(language string) bool, emit Emit) *Tracker {
	return &Tracker{emit: emit, wanted: ^Kind(0), execution: execution{isNote: isNote}}
}

// NewTranscript returns a tracker of a saved conversation, a list of whole messages.
func NewTranscript(emit Emit) *Tracker {
	return &Tracker{emit: emit, wanted: ^Kind(0), isWhole: true}
}

// NewClientTracker returns a tracker of what the client of a session sends.
func NewClientTracker(isNote func(language string) bool, emit Emit) *Tracker {
	t := NewTracker(isNote, emit)
	t.isClient = true
	return t
}

// Open returns the open block, or nil.
func (t *Tracker) Open() *Block { return t.open }

// OpenFor is [Tracker.Open] for a record of whatever direction.
func (t *Tracker) OpenFor(*Record) *Block { return t.open }

// Fits reports whether a record belongs to the open block by its role, type
// and format.
func (t *Tracker) Fits(r *Record) bool { return t.open != nil && t.open.fits(r) }

// IsMidBlock reports whether a block is open that has a start and content.
func (t *Tracker) IsMidBlock() bool {
	b := t.Started()
	return b != nil && b.Contents > 0
}

// Started returns the open block if it has a start and no end, else nil.
func (t *Tracker) Started() *Block {
	if t.open == nil || t.open.Stray || t.state == maybeEnded {
		return nil
	}
	return t.open
}

// LacksStart reports whether content outside a block lost its start, and no
// earlier anomaly explains it.
func (t *Tracker) LacksStart() bool {
	if t.uncertain || t.state == afterStrayEnd {
		return false // its start was lost, or the end before was meant as its start
	}
	return t.open == nil && recurrences[t.trouble].content == unexplained || t.open != nil && t.open.Stray
}

// SkipContentWithoutStart notes that the caller has handled content without a
// start, which may follow. The block that starts next lacks the content.
func (t *Tracker) SkipContentWithoutStart(r *Record) {
	if t.open == nil {
		t.endTransientState(r)
		t.state = afterEarlyContent
	}
}

// ReportEmpty emits the end of an empty block now, instead of after the next record.
func (t *Tracker) ReportEmpty() {
	if t.state == afterEmptyBlock {
		t.endTransientState(nil)
	}
}

// CloseUnended closes the open block before r, which comes instead of its end.
func (t *Tracker) CloseUnended(r *Record) { t.closeBefore(r) }

// SetWanted limits the kinds of events that are emitted. The default is all.
func (t *Tracker) SetWanted(kinds Kind) { t.wanted = kinds }

// Step follows one record.
func (t *Tracker) Step(r *Record) {
	t.SetLast(r.Source)
	r.Stored = t.isWhole && t.stored.has(r)
	send(t, Shape, r)
	t.Follow(r)
}

// SetLast sets the last record that was passed to Follow. No event is about the end of
// whole messages.
func (t *Tracker) SetLast(src *source.Record) {
	if !t.isWhole {
		t.end.Set(src, nil)
	}
}

// SkipContent notes that the input may omit content of the open block.
func (t *Tracker) SkipContent() {
	if t.open != nil {
		t.open.Lossy = true
	}
}

// SkipUnreadable skips a record that could not be read.
func (t *Tracker) SkipUnreadable(src *source.Record) {
	t.SetLast(src)
	if t.isWhole {
		sendIn(t, Message, &t.memory.content, ContentEvent{})
	}
	t.MarkUncertain()
}

// CutOff notes that the input ends inside a record.
func (t *Tracker) CutOff() { t.truncated = true }

// Follow is Step without a Shape event; SetLast must be called before the stream ends. It
// decides what a record is. A chunk should have exactly one of start, end and content; of
// one with more, the reading counts that explains the most.
func (t *Tracker) Follow(r *Record) {
	flag := r.Flag()
	content := r.Content != nil && (!flag || !r.isFlagOnly())
	switch {
	case t.isWhole:
		t.stored.follow(r)
		sendIn(t, Message, &t.memory.content, ContentEvent{Record: r})
		switch r.Type {
		case "image", "audio", "file":
			sendIn(t, Attachment, &t.memory.content, ContentEvent{Record: r})
		}
	case r.Binary:
		t.followContent(r)
	case t.isConfirmation(r, content):
		t.followConfirmation(r)
	case content && r.isFrame(): // it needs no block
		t.leaveBlock(r, false)
		send(t, Frame, r)
	case r.isSingle():
		t.leaveBlock(r, false)
	case r.Type == "confirmation":
		if r.Format == "execution" && flag { // which a confirmation has not
			t.closeBefore(r)
		}
		t.MarkUncertain()
	case content && !flag:
		t.followContent(r)
	case r.IsTransport(), r.Type == "stop_live_display" && r.Invalid == 0 && !flag && r.Content == nil:
		t.endTransientState(r) // it is about the connection or the program, and may come inside a block
	case !flag, r.isFrame():
		t.MarkUncertain()
	case r.Start && !r.End && !content:
		t.followStart(r)
	case r.End && !r.Start && !content:
		t.followEnd(r)
	default:
		t.followConflicting(r)
	}
}

// isFlagOnly reports whether a record with a flag and content has content that says nothing,
// as programs write that fill in every key.
func (r *Record) isFlagOnly() bool {
	flag := r.StartNode
	if flag == nil {
		flag = r.EndNode
	}
	switch {
	case r.Start == r.End || flag.Kind != source.Bool || string(flag.Raw()) == "false":
		return false
	case r.Content.Kind == source.Null:
		return r.Type != "console"
	}
	return r.Empty()
}

// isConfirmation reports whether a record is a confirmation. Without a valid type it is
// one by its content: no other record has an object there. Inside a block, what has an
// invalid format and no object may as well be content of the block.
func (t *Tracker) isConfirmation(r *Record, content bool) bool {
	isTyped := r.Type == "confirmation"
	switch {
	case r.HasInvalid(InvalidType) && !r.Flag() && (r.Content.Member("content") != nil || r.Content.Member("code") != nil):
		return true
	case isTyped && content:
		return t.open == nil || !r.HasInvalid(InvalidFormat) || r.Content.Kind == source.Object
	}
	return isTyped && !r.Flag() && r.Content == nil && !r.HasInvalid(InvalidType)
}

// followConflicting follows a chunk with more than one of start, end and content.
func (t *Tracker) followConflicting(r *Record) {
	switch fits := t.Fits(r); {
	case !fits && t.open != nil && t.recurs(r): // like the content that disturbed the block, which is lossy since
		return
	case fits && r.End:
		if r.Content != nil {
			t.add(r)
		}
		t.open.Lossy = true
	case fits:
		t.add(r)
		t.state, t.open.isAtStart = t.open.withContent(), r.Start
	case r.Start:
		t.followStart(r)
		if r.Content != nil {
			t.add(r)
			t.state, t.open.isAtStart = filled, true
		}
	default:
		t.MarkUncertain()
		return
	}
	if r.End {
		t.state = maybeEnded
	}
}

// send emits an event, if its kind is wanted.
func send[E any](t *Tracker, kind KindOf[E], event *E) {
	if Kind(kind)&t.wanted != 0 {
		t.emit(Kind(kind), event)
	}
}

// memory is where the events are that are being emitted: they are valid during the call
// only, so that they need no allocation.
type memory struct {
	opened       OpenedEvent
	content      ContentEvent
	closed       ClosedEvent
	confirmation ConfirmationEvent
	execution    ExecutionEvent
	output       OutputEvent
	err          FramingError
	unclosed     UnclosedEvent
	truncated    TruncatedEvent
}

// sendIn is send for an event in its memory.
func sendIn[E any](t *Tracker, kind KindOf[E], memory *E, event E) {
	*memory = event
	send(t, kind, memory)
}

// Finish ends the stream.
func (t *Tracker) Finish() {
	t.apply(framingTable[t.state][startOther].action, nil)
	t.endRun()
	t.reportUnexecuted()
	send(t, Finished, &t.end)
}

// CanRepeat reports whether records that differ from r, the last one, in their
// texts only may be passed to Repeat, and whether their texts are needed. The
// texts must not be empty.
func (t *Tracker) CanRepeat(r *Record) (ok, needsText bool) {
	b := t.open
	if b == nil || b.Contents == 0 || b.invalid != 0 || b.Type != r.Type || !b.fits(r) {
		return false, false
	}
	// A chunk like r must leave the tracker in the same state, and emit no event.
	plain := r.plainText()
	if plain == 0 || plain.Is(t.wanted) || b.Nulls > 0 || t.run != nil && !t.run.decided {
		return false, false
	}
	if b.text == nil {
		return true, false
	}
	return b.text.repeats.replay.to == 0, needsAllText(b.Type) || b.Type == "message" && !b.text.repeats.over
}

// Compared returns with what the texts of the open block are compared that CanRepeat needs:
// the first one, and the bytes of all text so far. A text that is equal or as long must be
// passed to Follow.
func (t *Tracker) Compared() (first []byte, size int) { return t.open.text.repeats.compared() }

// Repeat is Follow for so many more records that CanRepeat allows. Text is their
// texts, joined, if these are needed.
func (t *Tracker) Repeat(records int, text []byte) {
	b := t.open
	b.Contents += records
	if b.text != nil && len(text) > 0 {
		b.text.repeats.append(text, records)
		b.text.keepText(b.Type, text)
	}
}

// storedBlocks finds the blocks of a stream that were saved in a conversation of whole
// messages.
type storedBlocks struct {
	open     signature // of the last start flag
	isOpen   bool
	hasBlock bool // a block has content
}

// has reports whether a record is a chunk of a stored block, or a record of the stream that
// comes between its blocks.
func (s *storedBlocks) has(r *Record) bool {
	switch {
	case r.Flag():
		return false
	case s.isOpen && s.open.fits(r):
		return true
	}
	return s.hasBlock && (r.Type == "confirmation" || r.isFrame())
}

// follow follows a record.
func (s *storedBlocks) follow(r *Record) {
	r.Stored = s.has(r)
	switch {
	case r.Start && !r.End && r.Content == nil:
		s.open, s.isOpen = signatureOf(r), true
	case r.Stored:
		s.hasBlock = true
	default:
		s.isOpen = false
	}
}

// maxIDs is how many ids are kept.
const maxIDs = 4096

// Deliveries recognizes records of the server that it delivers again under the
// same id, as it does in acknowledge mode. The zero Deliveries is ready to use.
type Deliveries struct {
	known map[TextDigest]*Delivery // by id
	order []TextDigest             // a ring, once it is full
	next  int                      // the oldest in the ring

	frame Digester // memory for the digest of a record
}

// Delivery is a record with an id.
type Delivery struct {
	// Pending is the record that waits for an acknowledgement, if the caller
	// follows these, or nil.
	Pending *source.PlaceRef
	Repeats int // how often it was delivered again

	frame  TextDigest
	shared bool // different records have the id: it does not identify one
}

// Again returns the delivery of a record that was delivered before, else nil.
func (d *Deliveries) Again(r *Record) *Delivery {
	id, ok := idOf(r)
	if !ok || r.SharesID() {
		return nil
	}
	found := d.known[id]
	if found == nil || found.shared || found.frame != d.digest(r) {
		return nil
	}
	found.Repeats++
	return found
}

// Keep keeps the id of a record that was not delivered before, and returns nil
// if the record has none. IsNew is set unless other records had the id. Dropped
// is the delivery that is forgotten instead, or nil.
func (d *Deliveries) Keep(r *Record) (found *Delivery, isNew bool, dropped *Delivery) {
	id, ok := idOf(r)
	if !ok {
		return nil, false, nil
	}
	if found = d.known[id]; found != nil {
		found.shared = true
		return found, false, nil
	}
	if d.known == nil {
		d.known = map[TextDigest]*Delivery{}
	}
	found = &Delivery{frame: d.digest(r)}
	d.known[id] = found
	if len(d.order) < maxIDs {
		d.order = append(d.order, id)
		return found, true, nil
	}
	oldest := d.order[d.next]
	d.order[d.next] = id
	d.next = (d.next + 1) % maxIDs
	dropped = d.known[oldest]
	delete(d.known, oldest)
	return found, true, dropped
}

// idOf returns the id of a record. It must be a string that is not empty.
func idOf(r *Record) (id TextDigest, ok bool) {
	if r.ID == nil || r.ID.Kind != source.String || r.ID.Text() == "" {
		return id, false
	}
	return DigestText(r.ID.Text()), true
}

// digest returns the digest of a record's role, type, format, flags and content.
func (d *Deliveries) digest(r *Record) TextDigest {
	d.frame.Reset()
	for _, word := range []string{r.Role, r.Type, r.Format} {
		d.frame.Add(append([]byte(word), 0))
	}
	for _, n := range []*source.Node{r.StartNode, r.EndNode, r.Content} {
		if n != nil {
			d.frame.Add(n.Raw())
		}
		d.frame.Add([]byte{0})
	}
	return d.frame.Digest()
}

// Find returns the delivery of an id, or nil.
func (d *Deliveries) Find(id string) *Delivery { return d.known[DigestText(id)] }

// Len is how many deliveries are kept.
func (d *Deliveries) Len() int { return len(d.order) }

// At returns a delivery that is kept; 0 is the oldest.
func (d *Deliveries) At(i int) *Delivery { return d.known[d.order[(d.next+i)%len(d.order)]] }

// Redelivered reports whether a record of a stream was delivered before, with
// the same id. The caller must not pass such a record to Step: it counts once.
func (t *Tracker) Redelivered(r *Record) bool {
	if t.isWhole || r.ID == nil || r.Role == "user" || r.IsAck() {
		return false
	}
	d := t.deliveries.Again(r)
	if d == nil {
		t.deliveries.Keep(r)
		return false
	}
	t.end.Set(r.Source, nil)
	if d.Repeats == 1 {
		send(t, Redelivered, r)
	}
	return true
}

// SharesID reports whether a record may be the frame that completes a response.
// All such frames of a server have one id.
func (r *Record) SharesID() bool {
	switch r.Type {
	case "completion":
		return true
	case "status":
		return r.Text() == "complete" || r.Content == nil || r.Content.Kind != source.String
	}
	return r.Role == "server" && r.Text() == "complete"
}

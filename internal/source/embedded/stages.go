package embedded

import (
	"bytes"
	"hash/fnv"
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// conversations numbers the conversations of a log: the stages at which a
// program logs its records, its connections, and the lists of messages that it
// logs. The first stage of the input, or of its first connection, belongs to the
// conversation of the input.
type conversations struct {
	last        int                  // number of the last conversation besides that of the input
	index       map[int]int          // of the next record of a conversation besides that of the input, by its number
	input       stageSet             // of the conversation of the input
	connections map[string]*stageSet // of the connections besides the first, by id
	overlaps    overlaps             // of the connections

	lists   [][]uint64 // digests of the records of the last lists
	batches map[string]batch

	sent        []stagedRecord // the last frames that the client sent
	connection  int            // number of the conversation of the frames, 0 before the first
	perspective perspective
}

// stageSet is the stages at which a program logs the records of one conversation.
type stageSet struct {
	number   int         // of the conversation of the first stage, 0 for that of the input
	numbers  map[int]int // of the conversations of the other stages
	byPrefix map[string]int
	recent   []stagedRecord // the newest last
	first    []stagedRecord // the last records of the first stage
	matched  map[int]int    // how many records of the first stage precede the next one of another stage
	dropped  int            // how many records of the first stage are not in first any more
	streamed streamedBlocks // of the first stage

	hasStream bool // the first stage is a stored conversation, and what has another prefix a stream
}

// perspective says whether a program that logs frames is the server of the
// connection.
type perspective int

const (
	unknownPerspective perspective = iota
	clientsLog
	serversLog
)

// Limits of what is kept of a log.
const (
	maxStages      = 16
	maxPrefixKinds = 1000
	recentRecords  = 16
	maxLag         = 256 // records of the first stage
	recentLists    = 8
	maxMembers     = 32
	longContent    = 8 // bytes
)

// stagedRecord is a record of a log as later records are compared with it.
type stagedRecord struct {
	members []uint64 // digests of its members
	prefix  string   // kind of its prefix
	stage   int
	ref     source.RecordRef
	isEnd   bool // it is an end flag
}

// newNumber returns the number of a new conversation.
func (s *conversations) newNumber() int {
	s.last++
	return s.last
}

// connectionNumber returns the number of the conversation of the log's
// connection.
func (s *conversations) connectionNumber() int {
	if s.connection == 0 {
		s.connection = s.newNumber()
	}
	return s.connection
}

// sentByUser matches the start of a record that only a client sends.
var sentByUser = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"role": ?"user"|"(auth|ack)": ?"`)
})

// direction returns who sent a frame that a program logged as outgoing or not.
// The text before the first frame, or else its sender, says whether the program
// is the server.
func (s *conversations) direction(prefix []byte, isOutgoing bool, text []byte) source.Direction {
	if s.perspective == unknownPerspective {
		s.perspective = clientsLog
		if bytes.Contains(prefix, []byte("server")) || !bytes.Contains(prefix, []byte("client")) && sentByUser().Match(text) != isOutgoing {
			s.perspective = serversLog
		}
	}
	if isOutgoing == (s.perspective == serversLog) {
		return source.Received
	}
	return source.Sent
}

// assign makes a record the next one of the conversation of a stage or the
// connection.
func (s *conversations) assign(rec *source.Record, number int) {
	if s.index == nil {
		s.index = map[int]int{}
	}
	rec.Assign(number, s.index[number])
	s.index[number]++
}

// setStage makes a record one of the conversation of its connection and of its
// stage, by the kind of its prefix. All prefixes are of the first stage until a
// record is logged again after another prefix, a whole message follows the chunks
// of a stream after one of its own, or a stream follows whole messages.
// Connections that overlap are conversations of their own.
func (s *conversations) setStage(rec *source.Record, prefix, connection string) {
	set := s.connectionOf(rec, connection)
	if set.byPrefix == nil {
		set.byPrefix = map[string]int{}
	}
	stage, known := set.byPrefix[prefix]
	rec.Interleaved, rec.Repeated = true, s.isInList(rec) || s.wasSent(rec)
	if rec.Root == nil || rec.Root.Kind != value.Object {
		s.assignStage(rec, set, stage)
		return
	}
	r := stagedRecord{members: memberDigests(rec.Root), prefix: prefix, isEnd: rec.Root.Member("end") != nil}
	if original := set.originalOf(&r, rec.Root, known); original != nil && (!known || original.stage == stage) && original.stage+1 < maxStages {
		stage = original.stage + 1
	}
	switch {
	case stage != 0:
	case set.streamed.isStored(rec.Root, prefix):
		stage = storedStage
	case !known && (set.hasStream || set.streamed.beginsStream(rec.Root)):
		stage, set.hasStream = streamStage, true
	}
	if known || len(set.byPrefix) < maxPrefixKinds {
		set.byPrefix[prefix] = stage
	}
	s.assignStage(rec, set, stage)
	rec.CopyOf = set.copied(&r, stage)
	r.stage, r.ref = stage, source.RecordRef{Conversation: rec.Conversation, Index: rec.Index}
	set.recent = appendBounded(set.recent, r, recentRecords)
	if stage == 0 {
		set.streamed.add(rec.Root, prefix)
		if len(set.first) == maxLag {
			set.dropped++
		}
		set.first = appendBounded(set.first, r, maxLag)
	}
}

// copied returns the record of the first stage that a record of another stage
// repeats, or nil. It is the first equal one after the last such record.
func (s *stageSet) copied(r *stagedRecord, stage int) *source.RecordRef {
	if stage == 0 {
		return nil
	}
	from := max(0, s.matched[stage]-s.dropped)
	i := slices.IndexFunc(s.first[min(from, len(s.first)):], func(c stagedRecord) bool { return isCopy(c.members, r.members) })
	if i < 0 {
		return nil
	}
	if s.matched == nil {
		s.matched = map[int]int{}
	}
	s.matched[stage] = s.dropped + from + i + 1
	ref := s.first[from+i].ref
	return &ref
}

// appendBounded appends a value to a list, and removes the first one if the list
// is as long as limit.
func appendBounded[T any](list []T, value T, limit int) []T {
	if len(list) == limit {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, value)
}

// assignStage makes a record one of the conversation of a stage.
func (s *conversations) assignStage(rec *source.Record, set *stageSet, stage int) {
	number := set.number
	if stage != 0 {
		if set.numbers == nil {
			set.numbers = map[int]int{}
		}
		if set.numbers[stage] == 0 {
			set.numbers[stage] = s.newNumber()
		}
		number = set.numbers[stage]
	}
	if number != 0 {
		s.assign(rec, number)
	}
}

// originalOf returns the last record that a record repeats, or nil. A record with
// little text is compared with the one before it only: a program may repeat that.
// Before an end flag, only the first record of the log is compared, with which
// another stage begins. If the prefix is known, only flags of the open block are.
func (s *stageSet) originalOf(r *stagedRecord, root *value.Node, isKnown bool) *stagedRecord {
	if isKnown && root.Member("content") != nil {
		return nil
	}
	ended := false
	for i := len(s.recent) - 1; i >= 0; i-- {
		c := &s.recent[i]
		isLast := i == len(s.recent)-1
		switch {
		case c.prefix == r.prefix && isLast:
			return nil
		case ended && (isKnown || c.ref.Index > 0):
		case c.prefix != r.prefix && (isLast || isDistinct(root)) && isCopy(c.members, r.members):
			return c
		}
		ended = ended || c.isEnd
	}
	return nil
}

// isCopy reports whether all members of one record are in the other.
func isCopy(a, b []uint64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 1 && !slices.ContainsFunc(a, func(member uint64) bool { return !slices.Contains(b, member) })
}

// isDistinct reports whether a record is a flag or has so much content that two
// equal records are likely one that was logged twice.
func isDistinct(root *value.Node) bool {
	content := root.Member("content")
	return content == nil || len(content.Raw()) > longContent
}

// memberDigests returns the digests of the first members of an object.
func memberDigests(root *value.Node) []uint64 {
	digests := make([]uint64, 0, min(len(root.Children), maxMembers))
	for i := range root.Children[:min(len(root.Children), maxMembers)] {
		digests = append(digests, digest(&root.Children[i]))
	}
	return digests
}

// digest returns a hash of the name and the value of a node, which is equal for
// JSON and Python literals.
func digest(n *value.Node) uint64 {
	h := fnv.New64a()
	var add func(*value.Node)
	add = func(n *value.Node) {
		_, _ = h.Write([]byte{byte(n.Kind), byte(len(n.Children))})
		_, _ = h.Write([]byte(n.Name))
		switch n.Kind {
		case value.String:
			_, _ = h.Write(n.AppendText(nil))
		case value.Number:
			_, _ = h.Write(n.Raw())
		case value.Bool:
			_, _ = h.Write([]byte{n.Raw()[0] | 0x20})
		}
		for i := range n.Children {
			add(&n.Children[i])
		}
	}
	add(n)
	return h.Sum64()
}

// digestsOf returns the digests of the elements of a list.
func digestsOf(list *value.Node) []uint64 {
	digests := make([]uint64, len(list.Children))
	for i := range list.Children {
		digests[i] = digest(&list.Children[i])
	}
	return digests
}

// addList notes a list of records, and returns how many of its first records an
// earlier list starts with, too.
func (s *conversations) addList(list *value.Node) (repeated int) {
	digests := digestsOf(list)
	for _, earlier := range s.lists {
		same := 0
		for same < min(len(earlier), len(digests)) && earlier[same] == digests[same] {
			same++
		}
		repeated = max(repeated, same)
	}
	s.lists = appendBounded(s.lists, digests, recentLists)
	return repeated
}

// batch is the last list after prefixes of one kind, of one connection.
type batch struct {
	digests   []uint64 // of its records
	isStream  bool     // its records are those of a stream
	isGrowing bool     // the lists have all chunks so far
	isEnd     bool     // it ends with an end flag
}

// addBatch notes a list that follows a prefix; nil is one that cannot be read. It
// reports whether its records belong to the stream or conversation of the log, not
// to a conversation that the list is: the list or an earlier one begins with a
// start flag, or this list and the one before it have one message each. Repeated
// is how many of the first records were logged before: some programs log all
// chunks so far.
func (s *conversations) addBatch(list *value.Node, prefix string) (isBatch bool, repeated int) {
	last, known := s.batches[prefix]
	if list == nil || len(list.Children) == 0 {
		return last.isStream, 0
	}
	records := list.Children
	next := batch{digests: digestsOf(list), isEnd: records[len(records)-1].Member("end") != nil}
	begins := isStartFlag(&records[0])
	isStored := last.isEnd && hasWholeMessages(records)
	next.isStream = begins || last.isStream && !isStored
	if begins && len(last.digests) <= len(next.digests) && slices.Equal(last.digests, next.digests[:len(last.digests)]) {
		next.isGrowing = last.isGrowing || len(last.digests) < len(next.digests)
	}
	if next.isGrowing {
		repeated = len(last.digests)
	}
	isSingle := list.Name == "" && len(next.digests) == 1 && len(last.digests) == 1 && next.digests[0] != last.digests[0]
	if s.batches == nil {
		s.batches = map[string]batch{}
	}
	if known || len(s.batches) < maxPrefixKinds {
		s.batches[prefix] = next
	}
	return next.isStream || isSingle, repeated
}

// hasWholeMessages reports whether records are of several kinds without a flag.
func hasWholeMessages(records []value.Node) bool {
	areMixed := false
	for i := range records {
		if isFlag(&records[i]) {
			return false
		}
		areMixed = areMixed || blockKind(&records[i]) != blockKind(&records[0])
	}
	return areMixed
}

// isStartFlag reports whether a value is a start flag without content.
func isStartFlag(n *value.Node) bool {
	return n.Member("start") != nil && n.Member("content") == nil && isRecordValue(n)
}

// connectionStage is the stage of the frames of the log's connection.
const connectionStage = -1

// addFrame makes a record the next frame of the log's connection.
func (s *conversations) addFrame(rec *source.Record, direction source.Direction) {
	s.assign(rec, s.connectionNumber())
	rec.Direction, rec.OneSided, rec.Interleaved = direction, true, true
	if rec.Root == nil || rec.Root.Kind != value.Object {
		return
	}
	r := stagedRecord{members: memberDigests(rec.Root)}
	if rec.CopyOf = s.input.copied(&r, connectionStage); direction == source.Sent {
		s.sent = appendBounded(s.sent, r, recentRecords)
	}
}

// wasSent reports whether a record repeats one of the last frames that the
// client sent.
func (s *conversations) wasSent(rec *source.Record) bool {
	if len(s.sent) == 0 || rec.Root == nil || rec.Root.Kind != value.Object {
		return false
	}
	members := memberDigests(rec.Root)
	return slices.ContainsFunc(s.sent, func(c stagedRecord) bool { return isCopy(c.members, members) })
}

// isInList reports whether one of the last lists contains a record.
func (s *conversations) isInList(rec *source.Record) bool {
	if len(s.lists) == 0 || rec.Root == nil {
		return false
	}
	d := digest(rec.Root)
	return slices.ContainsFunc(s.lists, func(list []uint64) bool { return slices.Contains(list, d) })
}

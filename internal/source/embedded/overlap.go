package embedded

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// A server logs several connections at once. The id or the address on a line says
// to which of them its record belongs:
//
//	DEBUG ws: conn=7 sent {"role": "assistant", "type": "message", "start": true}
//	INFO 10.0.0.4:51344 - {"role": "assistant", "type": "message", "start": true}

// overlaps finds out when the connections of a log are to be separated: once two
// overlap, as a block of one starts before a block of another ends. Connections
// that come one after another before that stay one conversation, as those of a
// client that connects again.
type overlaps struct {
	openID   string          // id of the connection whose block is open in the conversation of the input, or ""
	openKind uint64          // role and type of that block
	seen     map[string]bool // ids of the connections in that conversation
	isProven bool            // two connections overlapped: each new one is separate
	isNone   bool            // the ids are not those of connections: a block has records with several
}

// maxConnections is how many connections of a log are separated.
const maxConnections = 256

// connectionWords matches an id, or an address with a port.
var connectionWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:conn|connection|conversation|session|sid|client|socket|websocket|ws|peer)(?:[_-]?id)?["']?(?:[=:#-] ?|[ (\[]#?)["']?([\w.:-]*\d[\w.:-]*)` +
		`|\b(?:conn|connection|conversation|session|client)(?:[_-]?id)?=["']?([\w-]+)` +
		`|\b(\d{1,3}(?:\.\d{1,3}){3}(?::|', )\d+)\b|(\[[0-9a-f:]*:[0-9a-f:]*\]:\d+)\b|\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]`)
})

// connectionNames are texts in lower case. What connectionWords matches contains
// one of them, or is an address or an id of 36 characters.
var connectionNames = [][]byte{[]byte("conn"), []byte("conversation"), []byte("session"), []byte("sid"), []byte("client"), []byte("socket"), []byte("ws"), []byte("peer"), []byte("]:")}

// maxConnectionID is how many bytes of an id are compared.
const maxConnectionID = 64

// connectionIn returns the id of the connection that text names, or "".
func connectionIn(text []byte) string {
	lower := bytes.ToLower(text)
	if bytes.Count(text, []byte{'.'}) < 3 && bytes.Count(text, []byte{'-'}) < 4 && !slices.ContainsFunc(connectionNames, func(name []byte) bool { return bytes.Contains(lower, name) }) {
		return ""
	}
	found := connectionWords().FindSubmatch(text)
	if found == nil {
		return ""
	}
	id := string(bytes.Join(found[1:], nil))
	return id[:min(len(id), maxConnectionID)]
}

// connectionAfter returns the id of the connection that is named after a record,
// before another record.
func connectionAfter(text []byte) string {
	text = text[:min(len(text), maxLogMark)]
	if next := bytes.IndexAny(text, "{["); next >= 0 {
		text = text[:next]
	}
	return connectionIn(text)
}

// connectionKeys are the members of a log line with the id of a connection, in
// lower case and without underscores.
var connectionKeys = []string{
	"conn", "connid", "connection", "connectionid", "conversationid", "session", "sessionid", "sid", "client", "clientid", "socketid", "wsid",
	"remoteaddr", "remoteaddress", "clientaddr", "peer",
}

// connectionOf returns the id of the connection that a line of a log of JSON names
// at its top or in an object there, or "".
func connectionOf(line *value.Node) string {
	for i := range line.Children {
		n := &line.Children[i]
		if n.Member(roleKey) != nil {
			continue // the record
		}
		if n.Kind == value.Object {
			if id := connectionAmong(n); id != "" {
				return id
			}
		}
	}
	return connectionAmong(line)
}

func connectionAmong(object *value.Node) string {
	for i := range object.Children {
		n := &object.Children[i]
		key := strings.ReplaceAll(strings.ToLower(n.Name), "_", "")
		switch {
		case !slices.Contains(connectionKeys, key):
		case n.Kind == value.String && n.Text() != "":
			return n.Text()[:min(len(n.Text()), maxConnectionID)]
		case n.Kind == value.Number:
			return string(n.Raw()[:min(len(n.Raw()), maxConnectionID)])
		}
	}
	return ""
}

// connectionOf returns the stages of the connection of a record: those of the
// conversation of the input unless the connection is separate. The record may come
// between those of another conversation.
func (s *conversations) connectionOf(rec *source.Record, id string) *stageSet {
	rec.Interleaved = rec.Interleaved || id != "" || len(s.connections) > 0
	if set := s.connections[id]; set != nil {
		return set
	}
	if id == "" || rec.Root == nil || rec.Root.Kind != value.Object || len(s.connections) == maxConnections || !s.overlaps.separates(rec.Root, id) {
		return &s.input
	}
	if s.connections == nil {
		s.connections = map[string]*stageSet{}
	}
	set := &stageSet{number: s.newNumber()}
	s.connections[id] = set
	// What was before it in the conversation of the input is missing here.
	rec.FollowsOtherText = s.overlaps.seen[id]
	return set
}

// separates reports whether a record of a connection that is not separate yet
// makes it so. Else the record is one of the conversation of the input.
func (o *overlaps) separates(root *value.Node, id string) bool {
	isStart, isOther := root.Member("start") != nil, o.openID != "" && o.openID != id
	switch {
	case o.isNone:
		return false
	case o.isProven && !o.seen[id]:
		return true
	case isOther && !isStart && blockKind(root) == o.openKind && !o.isProven:
		o.isNone = true
	case isOther:
		o.isProven = true
		return true
	case root.Member("end") != nil:
		o.openID = ""
	case isStart, len(o.seen) == 0 && !isUser(root): // the log may begin within a block
		o.openID, o.openKind = id, blockKind(root)
	}
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	if len(o.seen) < maxPrefixKinds {
		o.seen[id] = true
	}
	return false
}

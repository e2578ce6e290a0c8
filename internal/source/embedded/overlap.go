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

// overlaps separates the connections of a log once two of them overlap: a block of
// one starts before a block of another ends. Connections that come one after
// another stay one conversation, as those of a client that connects again.
type overlaps struct {
	openID     string         // id of the connection whose block is open, or ""
	openKind   uint64         // role and type of that block
	numbers    map[string]int // of the conversations of connections that overlapped, by id
	isDisabled bool           // the ids are not those of connections: a block has records with several
}

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

// setConnection makes a record one of the conversation of its connection, if that
// overlaps with another, and reports whether it did. Even if it did not, the record
// may come between those of another conversation.
func (s *conversations) setConnection(rec *source.Record, id string) bool {
	rec.Interleaved = rec.Interleaved || id != "" || len(s.overlaps.numbers) > 0
	if id == "" {
		return false
	}
	number, isSeparate := s.overlaps.numbers[id]
	if !isSeparate {
		if rec.Root == nil || rec.Root.Kind != value.Object || !s.overlaps.begin(rec.Root, id) {
			return false
		}
		number = s.newNumber()
		s.overlaps.numbers[id] = number
	}
	s.assign(rec, number)
	return true
}

// begin reports whether a record is the first one of a connection before a block
// of another ends.
func (o *overlaps) begin(root *value.Node, id string) bool {
	isStart := root.Member("start") != nil
	switch isOther := o.openID != "" && o.openID != id; {
	case o.isDisabled:
	case isOther && !isStart && blockKind(root) == o.openKind:
		o.isDisabled = true
	case isOther && len(o.numbers) < maxPrefixKinds:
		if o.numbers == nil {
			o.numbers = map[string]int{}
		}
		return true
	case isStart:
		o.openID, o.openKind = id, blockKind(root)
	case root.Member("end") != nil:
		o.openID = ""
	}
	return false
}

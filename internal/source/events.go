package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// doneMark is what some servers send in place of a last record.
const doneMark = "[DONE]"

// httpHead is how the head of an HTTP response begins, as curl -i writes it.
const httpHead = "HTTP/"

// events reads a stream of server-sent events. Each line of data holds a
// record, or several; a record that is not closed on its line goes on in the
// next data line of its event.
type events struct {
	r       *Cursor
	name    string // of the event at hand, as far as it was read
	inData  bool   // what is left of the line is data
	midLine bool   // a record was read from this line
	comma   bool   // the record may have a comma behind it
	head    bool   // this is the head of an HTTP response
	torn    bool   // the last record ended too early: what follows in its event may be the rest of it
	skip    bool   // the rest of the event is not read
	joined  *Nested
	gap     separator // of the last records that stood in a row
}

func newEvents(r *Cursor) *events {
	r.Form = FormSSE
	r.In.Bound, r.In.EndAtReturn = true, true
	return &events{r: r}
}

func (e *events) Next() (*Record, error) {
	for {
		rec, err := e.data()
		if rec != nil && !rec.IsGap {
			rec.Event = e.name
		}
		if rec != nil || err != nil {
			return rec, err
		}
		if rec, err = e.line(); rec != nil || err != nil {
			return rec, err
		}
	}
}

// line moves to the value of the next data line, past all that says nothing
// about records. It returns a record for a line that is no field but looks
// like one.
func (e *events) line() (*Record, error) {
	in := &e.r.In
	for {
		head := in.Load(longestField)
		f, value := fieldOf(head)
		switch f {
		case noField:
			e.name, e.skip, e.torn, e.head = "", false, false, false
			if !in.NextLine() {
				return nil, in.End()
			}
			continue
		case dataField:
			if !e.skip {
				in.Skip(value)
				e.inData, e.midLine, e.comma = true, false, false
				return nil, nil
			}
		case eventField:
			in.Skip(value)
			e.name = string(bytes.TrimSpace(in.Load(maxEventName)))
		case otherField:
			e.head = e.head || bytes.HasPrefix(head, []byte(httpHead))
			if rec := e.outside(); rec != nil {
				return rec, nil
			}
		}
		in.Discard()
		e.passLine()
	}
}

// passLine moves behind the end of a line that was read.
func (e *events) passLine() { e.r.In.NextLine() }

// data gives the records of the data at hand. It returns nil behind the last.
func (e *events) data() (*Record, error) {
	if e.joined != nil {
		if rec := e.fromJoined(); rec != nil {
			return rec, nil
		}
		e.joined = nil
	}
	for e.inData {
		c, ok := e.r.In.Peek()
		switch {
		case !ok:
			e.inData = false
			e.passLine()
		case !e.midLine && (c == doneMark[0] && e.isDone() || c == '{' && e.isPing()):
			e.r.In.Discard()
		case e.torn && !e.midLine && !BeginsValue(c):
			e.r.In.Discard()
		case e.comma && c == ',':
			e.r.In.Skip(1)
			e.comma = false
		case e.midLine && !BeginsValue(c):
			if rec := e.r.strayOnLine(); rec != nil {
				return rec, nil
			}
		default:
			return e.value()
		}
	}
	return nil, nil
}

// isDone reports whether the line holds the word that ends a stream.
func (e *events) isDone() bool {
	head := e.r.In.Load(len(doneMark))
	return string(head) == doneMark && e.r.In.FollowedBy(len(doneMark)) == 0
}

// pings are the names of events that only keep a connection open.
var pings = []string{"ping", "heartbeat", "keepalive", "keep-alive"}

// isPing reports whether the line holds nothing, in an event that has nothing
// to say.
func (e *events) isPing() bool {
	return slices.Contains(pings, e.name) && string(e.r.In.Load(len("{}"))) == "{}" && e.r.In.FollowedBy(len("{}")) == 0
}

// value reads the record that the unread line begins with.
func (e *events) value() (*Record, error) {
	e.midLine, e.comma, e.r.strayed = true, e.r.Scan.Python, false
	if e.name == "" {
		e.name = e.nameAhead()
	}
	p := e.r.Cut()
	if p.Stop != nil && p.Stop.Truncated && !p.TooLarge {
		if rec, ok := e.join(); ok {
			return rec, nil
		}
		p = e.r.Cut() // looking ahead may have moved it
	}
	rec, err := e.r.LineRecord(p)
	e.torn = err == nil && IsTruncated(rec)
	return rec, err
}

// nameAhead returns the name of the event if that stands behind its data.
func (e *events) nameAhead() string {
	in := &e.r.In
	limit := int(e.r.Options.MaxRecordBytes)
	_, next, ok := in.LineFrom(0, limit)
	for ok && next < limit+contextBytes {
		var end, value int
		var f field
		at := next
		if end, next, ok = in.LineFrom(at, contextBytes); !ok {
			return ""
		}
		line := in.Unread()[at:end]
		switch f, value = fieldOf(line); f {
		case eventField:
			name := bytes.TrimSpace(line[value:])
			return string(name[:min(len(name), maxEventName)])
		case noField, dataField:
			return ""
		}
	}
	return ""
}

// outside makes a record of a line that is no field of an event but holds what
// may be a record: those who read the stream pass over it.
func (e *events) outside() *Record {
	in := &e.r.In
	if e.head {
		return nil
	}
	line := in.Load(contextBytes)
	at := value.SpaceSize(line)
	if i := bytes.IndexByte(line, ':'); i >= 0 && i <= at+value.MaxWord && !BeginsValue(line[min(at, len(line)-1)]) {
		at = i + 1 + value.SpaceSize(line[i+1:])
	}
	if at == len(line) || !BeginsValue(line[at]) || e.torn && !OpensObject(line[at:]) {
		return nil
	}
	before := value.Quote(bytes.TrimSpace(line[:at]))
	detail := "found " + before + " before a record, expected `data:`; whoever reads the events passes over this line"
	if len(bytes.TrimSpace(line[:at])) == 0 {
		detail = "found a record without `data:` before it; whoever reads the events passes over this line"
	}
	rec := e.r.NewRecord(input.TrimBehind(line, at+1), "", value.Result{Stop: &value.Fault{Kind: InvalidForm, End: at + 1, Detail: detail}})
	rec.Event = e.name
	e.r.discardBehind(rec)
	return rec
}

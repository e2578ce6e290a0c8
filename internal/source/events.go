package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// doneMark is the data that ends some streams. It is not a record.
const doneMark = "[DONE]"

// events reads a stream of server-sent events. A data line contains one record
// or several. A record that is incomplete at the end of its line continues on
// the next data line of its event.
type events struct {
	segment
	name      string  // name of the current event, if its event line was read
	begun     int64   // offset of the first field of an event after which no data were read, or -1
	inData    bool    // the rest of the line is data
	midLine   bool    // a record was read from this line
	truncated bool    // the last record was incomplete: the rest of its event may be the rest of the record
	outside   *Record // returned next, or nil

	notJoinedTo int64 // offset up to which data lines are not one value
}

func (e *events) Next() (*Record, error) {
	for {
		if rec := e.outside; rec != nil {
			e.outside = nil
			return rec, nil
		}
		rec, err := e.data()
		if rec != nil && !rec.IsGap {
			rec.Event, rec.InEvent = e.name, true
		}
		if rec != nil || err != nil {
			return rec, err
		}
		if rec, err = e.line(); rec != nil || err != nil {
			return rec, err
		}
	}
}

// line advances to the value of the next data line. It returns a record for a
// line that is not a field but looks like a record.
func (e *events) line() (*Record, error) {
	in := e.Segment
	for {
		head := in.Load(longestField)
		f, value := fieldOf(head)
		if e.begun < 0 && len(head) > 0 && head[0] != ':' {
			e.begun = in.Pos.Offset
		}
		switch f {
		case noField:
			e.name, e.begun, e.truncated = "", -1, false
			in.Discard()
			if !in.NextLine() {
				return nil, in.End()
			}
			for in.NextLine() { // which is empty, too
			}
			continue
		case dataField:
			in.Skip(value)
			e.inData, e.midLine, e.begun = true, false, -1
			return nil, nil
		case eventField:
			in.Skip(value)
			e.name = string(bytes.TrimSpace(in.Load(maxEventName)))
		case otherField:
			if rec := e.outsideData(); rec != nil {
				return rec, nil
			}
		}
		in.Discard()
		e.endLine()
	}
}

// endLine moves to the next line.
func (e *events) endLine() {
	e.inData = false
	e.NextLine()
}

// data returns the next record of the current data line, and nil, nil after the
// last.
func (e *events) data() (*Record, error) {
	for e.inData {
		c, ok := e.Peek()
		switch {
		case !ok:
			e.endLine()
		case !e.midLine && (e.isAlone(doneMark) || c == '{' && e.isPing()):
			e.Discard()
		case e.truncated && !e.midLine && !BeginsValue(c):
			e.Discard()
		case e.midLine && !BeginsValue(c):
			if rec := e.strayOnLine(); rec != nil {
				return rec, nil
			}
		default:
			return e.value()
		}
	}
	return nil, nil
}

// isAlone reports whether the data is a text.
func (e *events) isAlone(text string) bool {
	return string(e.Load(len(text))) == text && e.FollowedBy(len(text)) == 0
}

// pings are names of events that only keep the connection open.
var pings = []string{"ping", "heartbeat", "keepalive", "keep-alive"}

// isPing reports whether the data is an empty object in an event that only
// keeps the connection open.
func (e *events) isPing() bool { return slices.Contains(pings, e.name) && e.isAlone("{}") }

// value reads the record at the start of the unread line.
func (e *events) value() (*Record, error) {
	e.beginValue()
	p := e.readValue()
	if p.Stop != nil && p.Stop.Truncated && !p.TooLarge {
		if rec := e.join(); rec != nil {
			return rec, nil
		}
		p = e.readValue() // join may have moved the buffer
	}
	rec, err := e.lineRecord(p)
	e.truncated = err == nil && IsTruncated(rec)
	return rec, err
}

// beginValue notes that a value is read from the line.
func (e *events) beginValue() {
	e.midLine, e.separatorReported = true, false
}

// join returns the record of a value that spans several data lines of its event, or nil
// if they are not valid together. In its Data, what is between their values is blank.
//
// Lines that are not are not tried again from a later one, so that the work is linear.
func (e *events) join() *Record {
	if e.Pos.Offset < e.notJoinedTo {
		return nil
	}
	text := bytes.Clone(e.LineAt(0))
	b := value.BracketMatcher{Python: e.Scan.Python}
	for !b.Feed(text) && len(text) <= int(e.Options.MaxRecordBytes) {
		at := e.nextData(len(text))
		if at < 0 {
			break
		}
		line := e.LineAt(at)
		for _, c := range e.Unread()[len(text):at] {
			if c != '\n' {
				c = ' '
			}
			text = append(text, c)
		}
		text = append(text, line...)
	}
	v := e.Scan.Scan(text, true)
	if v.Stop != nil || len(value.TrimRight(text[v.End:])) > 0 {
		e.notJoinedTo = e.Pos.Offset + int64(len(text))
		return nil
	}
	rec := e.NewRecord(text[:v.End:v.End], "", v)
	rec.lines = bytes.Clone(e.Unread()[:v.End])
	e.Skip(len(text))
	return rec
}

// nextData returns the offset of the value of the event's next data line after the
// line that ends at an offset, or -1.
func (e *events) nextData(end int) int {
	for in := e.Segment; end < len(in.Unread()) && in.Unread()[end] == '\n'; {
		line := e.LineAt(end + 1)
		switch f, value := fieldOf(line); f {
		case dataField:
			return end + 1 + value
		case noField:
			return -1
		}
		end += 1 + len(line)
	}
	return -1
}

// outsideData returns a record for a line that is not a field but contains a value:
// consumers of event streams skip such a line. It returns nil for any other
// line.
func (e *events) outsideData() *Record {
	in := e.Segment
	line := in.Load(contextBytes)
	at := value.SpaceSize(line)
	if i := bytes.IndexAny(line, ":{["); i > at && i <= at+value.MaxWord {
		switch at = i; {
		case line[i] == ':':
			at += 1 + value.SpaceSize(line[i+1:])
		case FirstQuote(line[i:]) == 0: // a bracket in text
			return nil
		}
	}
	if at == len(line) || !BeginsValue(line[at]) || e.truncated && FirstQuote(line[at:]) == 0 {
		return nil
	}
	before := value.Quote(bytes.TrimSpace(line[:at]))
	detail := "found " + before + " before a record, expected `data:`; consumers of the events skip this line"
	if len(bytes.TrimSpace(line[:at])) == 0 {
		detail = "found a record without `data:` before it; consumers of the events skip this line"
	}
	rec := e.NewRecord(input.TrimEnd(line, at+1), "", value.Result{Stop: &value.Fault{Kind: InvalidForm, End: at + 1, Detail: detail}})
	rec.Event = e.name
	e.discardAfter(rec)
	return rec
}

// maxEventName is the maximum size of an event name in bytes; a longer one is
// truncated.
const maxEventName = 256

// field is the kind of a line of an event stream.
type field int

const (
	otherField field = iota // not defined; consumers skip the line
	noField                 // an empty line, which ends an event
	dataField
	eventField
	metaField // a comment, id or retry
)

// fields are the kinds of lines by what precedes the colon.
var fields = map[string]field{"": metaField, "data": dataField, "event": eventField, "id": metaField, "retry": metaField}

// longestField is the size in bytes of the longest name of a field that
// contains something, with its colon and space.
const longestField = len("event: ")

// fieldOf returns the kind of a line and the offset of its value. Line may be
// truncated to longestField bytes.
func fieldOf(line []byte) (f field, value int) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if len(line) == 0 {
		return noField, 0
	}
	name, rest, hasColon := bytes.Cut(line, []byte{':'})
	value = len(name)
	if hasColon {
		value += len(":")
	}
	if bytes.HasPrefix(rest, []byte{' '}) {
		value++
	}
	return fields[string(name)], value
}

// detectEvents detects an event stream: the first lines contain only fields and
// comments, up to a data line.
func (d *detector) detectEvents(c byte) RecordReader {
	isNamed := d.Options.Form == FormSSE
	if !isNamed && (d.Options.Form != FormAuto || BeginsValue(c)) {
		return nil
	}
	if d.endsLineAtCR() {
		d.In.EndLinesAtCR()
	}
	if !isNamed && !d.hasData() {
		return nil
	}
	d.Form = FormSSE
	return &events{segment: d.line(), begun: -1}
}

// endsLineAtCR reports whether the first line is a field or a comment and ends with a
// carriage return alone, as lines of an event stream may. It waits for no line feed.
func (d *detector) endsLineAtCR() bool {
	for searched := 0; searched < SniffWindow; {
		text := d.In.Unread()
		end := bytes.IndexAny(text[searched:], "\r\n")
		if at := searched + end; end >= 0 && (text[at] == '\n' || at+1 < len(text)) {
			f, _ := fieldOf(text[:at])
			return f != otherField && text[at] == '\r' && text[at+1] != '\n'
		} else if end < 0 {
			searched = len(text)
		}
		if !d.In.Fetch() {
			return false
		}
	}
	return false
}

// hasData reports whether the input has a data line with a value, before which only fields,
// comments and empty lines are.
func (d *detector) hasData() bool {
	for i := 0; i < SniffWindow; i++ { // after the line feed
		line := d.LineAt(i)
		switch f, _ := fieldOf(line); {
		case f == dataField && len(line) > len("data"):
			return true
		case f == otherField:
			return false
		}
		if i += len(line); i == len(d.In.Unread()) || d.In.Unread()[i] != '\n' {
			return false
		}
	}
	return false
}

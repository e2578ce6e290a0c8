package embedded

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// The members in which Docker and Fluent Bit, journald, loguru, Loki, Google Cloud
// Logging and Rust's tracing keep what a program wrote.
const (
	dockerText  = "log"
	journalText = "MESSAGE"
	loguruText  = "text" // beside "record", with serialize=True
	lokiText    = "line"
	googleText  = "textPayload"
	googleJSON  = "jsonPayload" // what is JSON itself
	tracingJSON = "fields"      // of Rust's tracing
)

var (
	// logTexts are the members of a line of a log that may contain that.
	logTexts = []string{dockerText, journalText, "msg", "message", "event", loguruText, lokiText, googleText}

	// A log line also has one of these, or one of levels or times.
	dockerKeys  = []string{"stream", "kubernetes", "date"}
	journalKeys = []string{"__REALTIME_TIMESTAMP", "__CURSOR", "_PID", "PRIORITY"}
	lokiKeys    = []string{"labels", "timestamp"}
	googleKeys  = []string{"insertId", "logName", "receiveTimestamp"}
	levels      = []string{"level", "levelname", "severity", "lvl", "Level", "@l"}
	times       = []string{"@timestamp", "@t"} // of Elastic's Filebeat and of Serilog
)

// isLogLine reports whether an object is a line of a log as Docker, journald
// or a program's logger writes it.
func isLogLine(root *value.Node) bool {
	has := func(keys []string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return root.Member(key) != nil })
	}
	switch text := logText(root); {
	case text == nil && loggedRecord(root) == nil && recordIn(root, value.Array) == nil:
		return false
	case root.Member(googleJSON) != nil, text != nil && text.Name == googleText:
		return has(googleKeys)
	case text == nil:
	case text.Name == lokiText:
		return has(lokiKeys)
	case text.Name == dockerText:
		return has(dockerKeys)
	case text.Name == journalText:
		return has(journalKeys)
	case text.Name == loguruText:
		record := root.Member("record")
		return record != nil && record.Member("level") != nil && record.Member("message") != nil
	}
	return (has(levels) || has(times)) && root.Member("type") == nil
}

// logText returns the member that contains what a program wrote, or nil: the first
// of logTexts, but another text that is a record if the first does not name a
// role. Google Cloud Logging and tracing keep the text of a structured entry as its
// message.
func logText(root *value.Node) *value.Node {
	text := textAmong(root)
	if payload := root.Member(googleJSON); payload != nil && !isRecordValue(payload) {
		text = textAmong(payload)
	}
	if fields := root.Member(tracingJSON); text == nil && fields != nil {
		text = textAmong(fields)
	}
	if text == nil || !namesRole(text.Text()) {
		if n := recordIn(root, value.String); n != nil {
			return n
		}
	}
	return text
}

// textAmong returns the first string among logTexts, or nil.
func textAmong(object *value.Node) *value.Node {
	for _, key := range logTexts {
		if n := object.Member(key); n != nil && n.Kind == value.String {
			return n
		}
	}
	return nil
}

// logLines reads log lines that are JSON objects, as Docker, journald and
// loggers write them. Text without records is skipped.
type logLines struct {
	stdout    pieces         // of a text that continues in another line
	stderr    pieces         // the same of the other output stream, whose lines may be between those
	hasRecord bool           // the current text contains a record
	prefix    prefixComparer // of the records in the texts
	numbers   conversations  // of the records in the texts
	stage     string         // kind of the message beside the record that is not in a text, "" if there is none
	id        string         // of the connection of that record, or ""
	skipped   skippedLines
	ended     bool
	text      *source.TextMap // the current text
	log       *embeddedReader // of that
}

// open returns the record that is in a line of a log, or begins to read those
// that are in its text.
func (l *logLines) open(w *wrapperDecoder, r *source.Cursor, rec *source.Record) *source.Record {
	if n := loggedRecord(rec.Root); n != nil {
		l.id, l.stage = connectionOf(rec.Root), prefixKind(nil) // [wrapperDecoder.Next] clears the stage
		if text := textAmong(rec.Root); text != nil && text != n && len(text.Raw()) <= maxStageMessage {
			l.stage = prefixKind(text.Raw())
		}
		return w.unwrap(r, rec, frame{value: n})
	}
	l.prefix.outerConnection = connectionOf(rec.Root)
	text := logText(rec.Root)
	if text == nil || !namesRole(text.Text()) {
		if list := recordIn(rec.Root, value.Array); list != nil {
			l.skipped.rememberRecord(rec)
			w.text = l.read(w, r, rec.RawOf(list), false)
			return rec.WithoutValues(list)
		}
	}
	if text == nil {
		l.skipped.rememberRecord(rec)
		l.skipped.add()
		return rec.WithoutValues()
	}
	split := &l.stdout
	if stream := rec.Root.Member("stream"); stream != nil && stream.Text() == "stderr" {
		split = &l.stderr
	}
	if !split.isPending() {
		l.skipped.rememberRecord(rec)
	}
	left := rec.WithoutValues(text)
	if o := split.add(rec, text, r.Options.MaxRecordBytes); o != nil {
		w.text = l.read(w, r, o, false)
	}
	return left
}

// maxStageMessage is the maximum size in bytes of a message that names a stage.
const maxStageMessage = 64

// setStage makes a record that is not in a text one of its connection and stage,
// and reports whether that is not the conversation of the input, in which the
// record would have the index.
func (l *logLines) setStage(rec *source.Record, index int) bool {
	if l.stage == "" {
		return false
	}
	rec.SetIndex(index)
	l.numbers.setStage(rec, l.stage, l.id)
	return rec.IsAssigned()
}

// loggedRecord returns the record that a log line contains as an object, or
// nil.
func loggedRecord(root *value.Node) *value.Node {
	for _, key := range loggedKeys {
		if n := root.Member(key); n != nil && n.Kind == value.Object && isRecordValue(n) {
			return n
		}
	}
	return recordIn(root, value.Object)
}

// read starts reading the records of a text. IsLast says that no text follows.
func (l *logLines) read(w *wrapperDecoder, r *source.Cursor, o *source.TextMap, isLast bool) *source.Nested {
	l.hasRecord, l.text = false, o
	return w.nest(r, o, source.FormLog, func(inner *source.Cursor) source.RecordReader {
		inner.In.IsNested = !isLast
		l.log = newEmbedded(inner, source.FormLog)
		l.log.prefix, l.log.conversations = l.prefix, &l.numbers
		return l.log
	})
}

// next returns the next record of a text, and nil at its end.
func (l *logLines) next(t *source.Nested) *source.Record {
	rec := t.Next()
	for rec != nil && rec.IsGap {
		rec = t.Next() // skip the report of lines without records
	}
	l.prefix = l.log.prefix
	l.hasRecord = l.hasRecord || rec != nil
	if rec == nil && !l.hasRecord && !l.log.sawRecord && len(bytes.TrimSpace(l.text.Text)) > 0 {
		l.skipped.add()
	}
	return rec
}

// finish returns what remains after the last line: the records of an incomplete
// text, and then the report of the skipped lines.
func (l *logLines) finish(w *wrapperDecoder, r *source.Cursor) *source.Record {
	for _, split := range []*pieces{&l.stdout, &l.stderr} {
		if o := split.join(); o != nil {
			w.text = l.read(w, r, o, true)
			if rec := w.nextPending(r); rec != nil {
				return rec
			}
		}
	}
	if l.ended || l.skipped.lines == 0 || w.index == 0 && l.numbers.last == 0 {
		return nil
	}
	l.ended = true
	rec := r.NewGap(nil, r.In.Pos)
	rec.Problems = l.skipped.Skipped()
	return rec
}

// dockerPiece is the size in bytes of the pieces into which Docker splits
// longer text.
const dockerPiece = 16 << 10

// pieces joins the pieces of a text that Docker split: all but the last have
// dockerPiece bytes.
type pieces struct {
	parts []*source.TextMap
	size  int64 // of all parts, in bytes
}

// isPending reports whether there are pieces of an incomplete text.
func (p *pieces) isPending() bool { return len(p.parts) > 0 }

// add adds a text. It returns a complete text, or nil if more pieces must
// follow.
func (p *pieces) add(rec *source.Record, n *value.Node, limit int64) *source.TextMap {
	o := rec.TextOf(n)
	split := n.Name == dockerText && !o.IsNested() && len(o.Text) >= dockerPiece && !bytes.HasSuffix(o.Text, []byte{'\n'})
	if !split && !p.isPending() {
		return o
	}
	p.parts = append(p.parts, o)
	if p.size += int64(len(o.Text)); split && p.size <= limit {
		return nil
	}
	return p.join()
}

// join returns the text of the pieces so far, or nil if there are none.
func (p *pieces) join() *source.TextMap {
	if !p.isPending() {
		return nil
	}
	joined := source.JoinTexts(p.parts)
	*p = pieces{}
	return joined
}

package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// idle waits for what follows the last frame of a connection. It is guarded by
// connection.order.
type idle struct {
	timer  *time.Timer
	line   int    // of the last line of the log
	offset int64  // of its start
	last   []byte // that line, if it may be the last one but complete
	at     time.Time
}

// maxLast is how long the line of the last frame of a response is at most.
const maxLast = 512

// seen notes the line of a frame in the log, and starts to wait for the next one.
// The caller holds order.
func (c *connection) seen(d direction, kind websocket.MessageType, line []byte) {
	i, after := &c.idle, c.proxy.options.IdleAfter
	i.last, i.at = nil, time.Now()
	if after <= 0 || d != toClient || kind != websocket.MessageText || len(line) > maxLast {
		return
	}
	i.last = line
	if i.timer == nil {
		i.timer = time.AfterFunc(after, c.isIdle)
	} else {
		i.timer.Reset(after)
	}
}

// isIdle reports a response that has no complete, when nothing followed its last
// frame for a time.
func (c *connection) isIdle() {
	c.order.Lock()
	var found *lint.Finding
	after := c.proxy.options.IdleAfter
	if !c.isEnding() && time.Since(c.idle.at) >= after { // else a frame came while the timer fired
		found = c.idle.finding(c.name, after)
	}
	c.order.Unlock()
	if found != nil {
		c.proxy.options.Observer.Idle(*found)
	}
}

// finding returns what is wrong if the frame of the last line ends a response but for
// complete, else nil: the end of a message, or an error of the server. Code may run for
// long, and a model may think before its first word.
func (i *idle) finding(name string, after time.Duration) *lint.Finding {
	var line struct {
		Time  string
		Frame json.RawMessage
	}
	var frame struct {
		Role, Type string
		End        bool
	}
	if json.Unmarshal(i.last, &line) != nil || json.Unmarshal(line.Frame, &frame) != nil {
		return nil
	}
	isError := frame.Role == "server" && frame.Type == "error"
	if !isError && (frame.Role != "assistant" || frame.Type != "message" || !frame.End) {
		return nil
	}
	from := bytes.Index(i.last, line.Frame)
	start := source.Position{Line: i.line, Column: utf8.RuneCount(i.last[:from]) + 1, Offset: i.offset + int64(from)}
	end := start
	end.Column += utf8.RuneCount(line.Frame)
	end.Offset += int64(len(line.Frame))
	return &lint.Finding{
		Path: name, Conversation: -1,
		Message: fmt.Sprintf("the response has no complete %s after its last frame", after),
		Place: source.Place{
			Span: source.Span{Start: start, End: end}, Record: -1, Time: line.Time,
			Excerpt: source.Excerpt{Text: string(line.Frame), Column: start.Column},
		},
	}
}

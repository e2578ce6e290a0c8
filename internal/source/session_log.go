package source

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// directionKeys are the members of a logged frame that may contain its direction,
// and frameKeys those that may contain the frame; the first that exists is used.
// A direction key from index unsureKeys on is used only if it has a known word.
const unsureKeys = 2

var (
	directionKeys = []string{"dir", "direction", "type", "from"}
	frameKeys     = []string{"frame", bytesKey, "text", "data", "message", "payload", "body"}
)

// interruptedKey is the member of a note that is true if the connection did not end
// there, but the recording of it.
const interruptedKey = "interrupted"

// bytesKey is the member that contains a binary frame.
const bytesKey = "bytes_base64"

// directionWords are the names of the directions in logs, in lower case.
var directionWords = map[string]Direction{
	"send": Sent, "sent": Sent, "out": Sent, "outgoing": Sent, "outbound": Sent, "client": Sent, "tx": Sent, "c2s": Sent, ">": Sent, "->": Sent, "→": Sent,
	"recv": Received, "receive": Received, "received": Received, "in": Received, "incoming": Received, "inbound": Received,
	"server": Received, "rx": Received, "s2c": Received, "<": Received, "<-": Received, "←": Received,
}

// noteWords are the values of a direction key for lines that are not frames.
var noteWords = []string{
	"note", "info", "open", "close", "error", "comment", "meta",
}

// opcodes of frames, as RFC 6455 has them.
const binaryFrame = "2"

var controlFrames = []string{"8", "9", "10"}

// isSessionFrame reports whether an object is a logged frame, or a note in a log.
func isSessionFrame(root *value.Node) bool {
	n, direction := directionOf(root)
	if n == nil {
		return false
	}
	isSure := slices.Contains(directionKeys[:unsureKeys], n.Name)
	return direction != Undirected && frameOf(root) != nil || isSure && isNote(n)
}

// directionOf returns the member with the direction of a frame, and the
// direction.
func directionOf(root *value.Node) (n *value.Node, direction Direction) {
	for i, key := range directionKeys {
		if n = root.Member(key); n == nil || n.Kind != value.String {
			continue
		}
		direction = directionWords[strings.ToLower(n.Text())]
		if i < unsureKeys || direction != Undirected || isNote(n) {
			return n, direction
		}
	}
	return nil, Undirected
}

func isNote(n *value.Node) bool { return slices.Contains(noteWords, strings.ToLower(n.Text())) }

func frameOf(root *value.Node) *value.Node {
	for _, key := range frameKeys {
		if n := root.Member(key); n != nil {
			return n
		}
	}
	return nil
}

// sessionFrame returns the frame of a line of a session log.
func sessionFrame(root *value.Node) frame {
	n, direction := directionOf(root)
	f := frame{value: frameOf(root), Frame: Frame{Direction: direction, Time: timeOf(root)}}
	f.IsLogged = n != nil && n.Name == directionKeys[0] && direction != Undirected
	switch {
	case n == nil:
		return wrongFrame(f, root, "found no direction, expected `dir` with send, recv or note")
	case direction == Undirected && isNote(n):
		return frame{interrupted: rawOf(root, interruptedKey) == "true"}
	case direction == Undirected:
		return wrongFrame(f, n, "found the direction "+value.Quote(n.Raw())+", expected send, recv or note")
	case slices.Contains(controlFrames, rawOf(root, "opcode")):
		return frame{}
	case f.value == nil:
		return wrongFrame(f, root, "found no frame, expected `frame`, `text` or `bytes_base64`")
	}
	f.Binary = f.value.Name == bytesKey || rawOf(root, "opcode") == binaryFrame || rawOf(root, "binary") == "true"
	return f.checked()
}

// checked returns the frame with a fault if its value cannot be a frame.
func (f frame) checked() frame {
	isText := f.value.Kind == value.String
	switch {
	case f.Binary && !isText:
		return wrongFrame(f, f.value, "found "+value.KindPhrase(f.value.Kind)+", expected a string with the bytes of the frame")
	case f.value.Kind != value.Object && !isText:
		reject := RejectValue(f.value)
		f.wrong = &reject
	case !f.Binary && isText && strings.TrimSpace(f.value.Text()) == "":
		return wrongFrame(f, f.value, "found an empty frame, expected a record")
	}
	return f
}

// wrongFrame returns the frame with a fault at n.
func wrongFrame(f frame, n *value.Node, detail string) frame {
	end := n.End
	if n.Kind == value.Object {
		end = n.Start + 1
	}
	f.wrong = &value.Fault{Kind: InvalidForm, Start: n.Start, End: end, Detail: detail}
	return f
}

// rawOf returns the source text of a member, or "" if it does not exist.
func rawOf(root *value.Node, name string) string {
	if n := root.Member(name); n != nil {
		return string(n.Raw())
	}
	return ""
}

// IsBinaryFrame reports whether a logged frame is a binary one.
func IsBinaryFrame(frame *value.Node) bool { return rawOf(frame, "opcode") == binaryFrame }

package lmc

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// InvalidParts are the parts of a record that are already reported, so that
// nothing may be concluded from them.
type InvalidParts uint8

// The parts of a record that may be invalid.
const (
	InvalidRole InvalidParts = 1 << iota
	InvalidType
	InvalidFormat
	InvalidContent // the content, or which of content and flags is meant
	InvalidLine    // the line that an active_line names
	// InvalidLanguage is a format of code that is not a language of the
	// directory, or another spelling of one.
	InvalidLanguage
)

// Record is a source record viewed by the keys of the protocol. It is valid as
// long as the source record is.
type Record struct {
	Source             *source.Record
	Root               *source.Node // the object of Source as [Present] returns it
	Role, Type, Format string       // "" if absent or not a string
	Start, End         bool         // the key is present, whatever its value but null: consumers test the key
	StartNode, EndNode *source.Node
	Content            *source.Node // nil if absent
	ID                 *source.Node // of the key id, nil if absent
	Language           string       // of code, as the directory spells it; "" if unknown
	Invalid            InvalidParts
	Stored             bool // of a saved conversation: a chunk of a block in it, which its flags report

	// Binary marks a binary frame: a piece of an audio block, without keys.
	Binary bool
}

// NewRecord returns the view of a source record, whose Root must be an object.
// Both "end" and its spelling "stop" of 0.1.17 end a block.
func NewRecord(src *source.Record) *Record {
	r := new(Record)
	r.View(src)
	return r
}

// View makes r the view of another source record, as NewRecord makes one.
func (r *Record) View(src *source.Record) {
	*r = Record{Source: src, Root: Present(src.Root)}
	for i := range r.Root.Children {
		switch n := &r.Root.Children[i]; n.Name {
		case "role":
			r.Role = wordOf(n)
		case "type":
			r.Type = wordOf(n)
		case "format":
			r.Format = wordOf(n)
		case "content":
			r.Content = n
		case "start":
			r.Start, r.StartNode = true, n
		case "end", "stop":
			r.End, r.EndNode = true, n
		case "id":
			r.ID = n
		}
	}
}

// Present returns an object without the members that are null, as serializers write
// what is not set: they count as absent. A content that is null remains where a record
// of the type has a content, unless the record is a flag or a frame about the connection.
func Present(object *source.Node) *source.Node {
	if object == nil || !slices.ContainsFunc(object.Children, isNull) {
		return object
	}
	isSet := func(key string) bool { n := object.Member(key); return n != nil && !IsUnset(n) }
	hasContent := object.Member("format").Text() == "active_line" || !slices.Contains(bareTypes, object.Member("type").Text()) &&
		!slices.ContainsFunc([]string{"start", "end", "stop", "auth", "ack"}, isSet)
	isAbsent := func(n source.Node) bool {
		return isNull(n) && n.Name != "active_line" && (n.Name != "content" || !hasContent) // of a pre-LMC record
	}
	if !slices.ContainsFunc(object.Children, isAbsent) {
		return object
	}
	present := *object
	present.Children = slices.DeleteFunc(slices.Clone(object.Children), isAbsent)
	return &present
}

// IsUnset reports whether a value of a flag says that the flag is not set: null, false, 0,
// "false", or an empty string, array or object.
func IsUnset(n *source.Node) bool {
	switch n.Kind {
	case source.Bool:
		return n.Value() == false
	case source.Number:
		return string(n.Raw()) == "0"
	case source.String:
		return n.Text() == "" || strings.EqualFold(n.Text(), "false")
	case source.Array, source.Object:
		return len(n.Children) == 0
	}
	return n.Kind == source.Null
}

func isNull(n source.Node) bool { return n.Kind == source.Null }

// bareTypes are the types of records that have no content.
var bareTypes = []string{"tool_call", "view_image_call", "edit_approved", "view_image_approval", "stop_live_display"}

// HasNulls reports whether the record has members that are null and count as absent.
func (r *Record) HasNulls() bool { return r.Source.Root != r.Root }

// Null returns the member of that name that is null and counts as absent, or nil.
func (r *Record) Null(name string) *source.Node {
	if n := r.Source.Root.Member(name); r.Key(name) == nil {
		return n
	}
	return nil
}

// NewBinary returns the view of a binary frame, which has no Root. All that is
// known of it is its type, audio.
func NewBinary(src *source.Record) *Record {
	return &Record{Source: src, Type: "audio", Binary: true, Invalid: InvalidRole | InvalidFormat}
}

// Clone returns a copy of the record that remains valid.
func (r *Record) Clone() *Record {
	src := r.Source.Clone()
	if r.Binary {
		return NewBinary(src)
	}
	c := NewRecord(src)
	c.Invalid, c.Language = r.Invalid, r.Language
	return c
}

// Key returns the member of that name, or nil.
func (r *Record) Key(name string) *source.Node { return r.Root.Member(name) }

// Flag reports whether the record has a start or an end key.
func (r *Record) Flag() bool { return r.Start || r.End }

// IsSet reports whether the record has a start or an end key whose value says so.
func (r *Record) IsSet() bool {
	return r.Start && !IsUnset(r.StartNode) || r.End && !IsUnset(r.EndNode)
}

// Text returns the content if it is a string, else "".
func (r *Record) Text() string { return r.Content.Text() }

// IsServerFrame reports whether the record is a frame of the server itself,
// such as a status. Types that come in blocks are not, though the role is server.
func (r *Record) IsServerFrame() bool {
	if r.Role != "server" {
		return false
	}
	switch r.Type {
	case "message", "code", "console", "image", "audio", "file", "review":
		return false
	}
	return true
}

// isFrame reports whether the record is a server frame, also if its role is the
// mistake: of a type that only servers send, and no record of the client.
func (r *Record) isFrame() bool {
	switch r.Type {
	case "status", "error", "completion":
		if r.Invalid == 0 && (r.Role != "user" || r.Text() == "complete") {
			return true
		}
	}
	return r.Role == "server" && r.IsServerFrame()
}

// IsServed reports whether only streams of the WebSocket server have such a
// record: a server frame, even if its role is wrong, a frame about the
// connection, or a user's command or flag without a type.
func (r *Record) IsServed() bool {
	isComplete := r.Type == "status" && r.Text() == "complete"
	switch r.Role {
	case "":
		return r.IsAuth() || r.IsAck() || isComplete
	case "server":
		return r.IsServerFrame() || isComplete
	case "user":
		return r.Type == "command" || r.IsTypelessFlag() || isComplete
	}
	return isComplete
}

// IsTypelessFlag reports whether the record is a flag without a type or format,
// and without another key that may be meant for them.
func (r *Record) IsTypelessFlag() bool {
	if !r.Flag() || r.Content != nil {
		return false
	}
	for i := range r.Root.Children {
		switch r.Root.Children[i].Name {
		case "role", "start", "end", "stop", "id":
		default:
			return false
		}
	}
	return true
}

// IsFromFork reports whether only the community's fork of Open Interpreter has
// such a record.
func (r *Record) IsFromFork() bool {
	switch r.Type {
	case "edit", "edit_approved", "view_image_call", "view_image_approval", "stop_live_display":
		return true
	case "message":
		return r.Format == "reasoning"
	case "confirmation":
		return r.Format == "edit" || r.Key("confirmation_id") != nil || r.Content.Member("removed") != nil
	case "command":
		id, isNamed := strings.CutPrefix(r.Text(), "go:") // with the id of what it approves
		odd := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' }
		return isNamed && id != "" && !strings.ContainsFunc(id, odd)
	}
	return false
}

// IsTransport reports whether the record is a valid frame about the
// connection, {"auth": …} or {"ack": …}, which is not part of the stream.
func (r *Record) IsTransport() bool {
	return r.Role == "" && r.Type == "" && r.Invalid == 0 && !r.Flag() && r.Content == nil
}

// Replaces reports whether the content replaces the reasoning that was streamed
// before it, instead of continuing it.
func (r *Record) Replaces() bool {
	if r.Format != "reasoning" {
		return false
	}
	n := r.Key("replace")
	return n != nil && n.Kind == source.Bool && string(n.Raw()) == "true"
}

// isSingle reports whether the record is whole, and comes between blocks.
func (r *Record) isSingle() bool {
	switch r.Type {
	case "view_image_approval", "edit_approved", "notice":
		return r.Invalid == 0 && !r.Flag()
	}
	return false
}

// IsAck reports whether the record acknowledges another one.
func (r *Record) IsAck() bool { return r.Role == "" && r.Type == "" && r.Key("ack") != nil }

// IsAuth reports whether the record is the client's key, or the server's answer to it.
func (r *Record) IsAuth() bool { return r.Role == "" && r.Type == "" && r.Key("auth") != nil }

// IsContinuedBy reports whether next belongs to the block that r starts, by
// its type and format. It ignores the role of r.
func (r *Record) IsContinuedBy(next *Record) bool {
	started := signatureOf(r)
	started.invalid |= InvalidRole
	return !next.Start && started.fits(next)
}

// Marker is how the interpreter's markers of active lines begin, such as
// ##active_line3##. It adds them to code that it runs, and removes them from the
// output.
const Marker = "##active_line"

// MarkerSign is in every marker, and in both parts of one that two chunks share.
const MarkerSign = "##"

// MayHaveMarker reports whether the content is console output that may have a
// marker of an active line, or a part of one. JSON does not escape its characters.
func (r *Record) MayHaveMarker() bool {
	return r.Type == "console" && r.Format == "output" && bytes.Contains(r.Content.RawContent(), []byte(MarkerSign))
}

// plainText returns the kind of [PlainText] that the record is if its content is text that
// is not empty, has no terminal escapes and no markers, else 0.
func (r *Record) plainText() KindOf[ContentEvent] {
	kind := PlainTextOf(r.Type)
	switch {
	case kind == 0, kind == PlainOutput && (r.Format != "output" || r.MayHaveMarker()):
		return 0
	case len(r.Content.RawContent()) == 0, !r.Content.IsPlain():
		return 0
	}
	return kind
}

// Empty reports whether the content is an empty string.
func (r *Record) Empty() bool {
	return r.Content != nil && r.Content.Kind == source.String && len(r.Content.RawContent()) == 0
}

// Blank reports whether the content is a string of only whitespace.
func (r *Record) Blank() bool {
	if r.Content == nil || r.Content.Kind != source.String {
		return false
	}
	raw := bytes.TrimSpace(r.Content.RawContent())
	if len(raw) > 0 && raw[0] != '\\' {
		return false // decided by the first character of most texts
	}
	return strings.TrimSpace(r.Text()) == ""
}

// Place is the place of the whole record.
func (r *Record) Place() source.Place { return r.Source.Place() }

// PlaceOf is the place of a key's value, or of the whole record without that key.
func (r *Record) PlaceOf(key string) source.Place {
	if n := r.Key(key); n != nil {
		return r.Source.PlaceOf(n)
	}
	return r.Place()
}

// HasInvalid reports whether any of the parts is invalid.
func (r *Record) HasInvalid(parts InvalidParts) bool { return r.Invalid&parts != 0 }

// Name joins a role, type and format for messages, as in "computer console" or
// "assistant code (python)". They come from the input: what is not printable is
// escaped, and what is long is truncated.
func Name(role, typ, format string) string {
	words := make([]string, 0, 3)
	for _, w := range []string{role, typ} {
		if w != "" {
			words = append(words, printable(w))
		}
	}
	if format != "" {
		words = append(words, "("+printable(format)+")")
	}
	return strings.Join(words, " ")
}

// printable returns a word of the input unchanged, if it is short and printable.
func printable(word string) string {
	quoted := value.Quoted(word)
	if inside := quoted[1 : len(quoted)-1]; inside == value.Truncate(word) {
		return inside
	}
	return quoted
}

// commonWords are the roles, types and formats of most records.
var commonWords = map[string]string{
	"user": "user", "assistant": "assistant", "computer": "computer", "message": "message", "code": "code",
	"console": "console", "output": "output", "active_line": "active_line", "python": "python", "shell": "shell",
}

// wordOf returns the text of a role, type or format. Common ones need no
// allocation.
func wordOf(n *source.Node) string {
	text := n.Bytes()
	if word, ok := commonWords[string(text)]; ok {
		return word
	}
	return string(text)
}

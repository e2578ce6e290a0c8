package protocol

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
)

// maxDetected is the maximum number of records that detection inspects.
const maxDetected = 1000

// maxDetectedInBody is the maximum number of records of each body in a HAR file
// that detection inspects.
const maxDetectedInBody = 100

// Sniff detects whether an input is LMC, and its kind.
func (LMC) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	isText := form == source.FormText
	enough := final || len(first) >= maxDetected
	decided := enough || !isText && len(first) >= source.DecisiveValues
	if len(first) > 1 && isByteOrderMark(first[0]) {
		first = first[1:]
	}
	records := objectRecords(first)
	claim := countMatches(records, resemblesLMC)
	if claim == 0 && namesProtocol(config, LMC{}) && countMatches(records, isWorkbench) > 0 {
		if !enough && len(records) < maxCounted {
			return plugin.Detection{}
		}
		return plugin.Detection{LooksLike: "it is Semantic Workbench, not LMC" + withoutDialect(config)}
	}
	if !config.Explicit() {
		switch {
		case claim > 0:
		case !decided:
			return plugin.Detection{}
		case isText && slices.ContainsFunc(first, isUnreadable), slices.ContainsFunc(first, isDamagedRecord):
		case isText && len(first) == 0 && config.AllowEmpty && !config.Discovered:
		case isText && len(records) == 0:
			return plugin.Detection{LooksLike: resemblanceOfText(first)}
		case len(records) > 0:
			return plugin.Detection{LooksLike: foreignFormat(records)}
		case slices.ContainsFunc(first, isColored):
			return plugin.Detection{LooksLike: "its records are colored for a terminal: write them without colors (NO_COLOR=1, jq -M, print instead of rich.print)"}
		case config.Form == "" && isBinary(first):
			return plugin.Detection{LooksLike: "it is binary data"}
		case config.Form == "" && hasCSV(first):
			return plugin.Detection{LooksLike: looksLikeCSV}
		case config.Form == "" && isProse(first):
			return plugin.Detection{LooksLike: textResemblance(first)}
		case config.Discovered && hasNoRoleKey(first):
			return plugin.Detection{LooksLike: "no object could be read, and nothing in it names a role"}
		case config.Discovered && len(first) == 0 && form == source.FormJSON:
			return plugin.Detection{LooksLike: "it is an empty list"}
		case config.Form == "" && len(first) == 0 && emptyForms[form] != "":
			return plugin.Detection{LooksLike: emptyForms[form]}
		}
	}
	v := detectionOf(config.Kind)
	if config.Kind == "" {
		v = detectKind(ofFirstConversation(first), enough)
		if JoinsLists(form) && isStreamOfLists(objectRecords(first)) {
			v = detectionOf(KindStream)
		}
	}
	v.JoinsLists = v.Kind == KindStream && JoinsLists(form)
	v.MatchCount = claim
	v.Unreadable = enough && len(records) == 0 && countUnreadable(first) > maxUnreadable
	return v
}

// namesProtocol reports whether the user named a protocol, or a dialect, which only
// LMC has.
func namesProtocol(config plugin.Config, p plugin.Protocol) bool {
	return !config.Tentative && (config.Protocol == p.Name() || p == LMC{} && namesDialect(config))
}

// withoutDialect says which flag to omit for an input of another protocol.
func withoutDialect(config plugin.Config) string {
	if namesDialect(config) {
		return ", and has no dialects: check it without --dialect " + config.Dialect
	}
	return ": check it without --protocol " + config.Protocol
}

// maxUnreadable is how many records may be reported one by one if none can be
// read.
const maxUnreadable = 4

// isByteOrderMark reports whether a gap is the byte order mark of the input.
func isByteOrderMark(r *source.Record) bool {
	return r.IsGap && len(r.Problems) == 1 && r.Problems[0].Kind == source.ByteOrderMark
}

// countUnreadable returns how many records are not JSON objects, or 0 if one of
// them has another problem.
func countUnreadable(first []*source.Record) (n int) {
	for _, r := range first {
		for _, p := range r.Problems {
			switch p.Kind {
			case source.InvalidJSON, source.NotAnObject, source.TruncatedRecord:
				n++
			case source.StrayLines, source.PythonLiteral, source.Comments:
			default:
				return 0
			}
		}
	}
	return n
}

// ofFirstConversation returns the records of the conversation that begins first.
func ofFirstConversation(first []*source.Record) (records []*source.Record) {
	for _, r := range first {
		if !r.IsGap && (len(records) == 0 || r.Conversation == records[0].Conversation) {
			records = append(records, r)
		}
	}
	return records
}

// detectKind returns the kind of a conversation, or no kind if that needs more
// records.
func detectKind(first []*source.Record, enough bool) plugin.Detection {
	if slices.ContainsFunc(first, hasDirection) {
		return detectionOf(KindSession)
	}
	return detectionOf(kindOf(objectRecords(first), enough))
}

// maxCounted is the maximum number of records that are counted to choose between
// protocols.
const maxCounted = 20

// countMatches returns how many of the first records belong to a protocol, and
// at least 1 if the last one does: earlier calls have tested those in between.
func countMatches(records []*source.Record, known func(*source.Record) bool) (n int) {
	for _, r := range records[:min(len(records), maxCounted)] {
		if known(r) {
			n++
		}
	}
	if n == 0 && len(records) > maxCounted && known(records[len(records)-1]) {
		n = 1
	}
	return n
}

// severalKinds are the forms in which each conversation is of a kind of its own:
// connections, streams and lists of messages.
var severalKinds = []source.Form{source.FormHAR, source.FormText}

// JoinsLists reports whether the lists of a stream in a form are parts of one
// conversation.
func JoinsLists(form source.Form) bool { return !slices.Contains(severalKinds, form) }

// Classify detects the kind of each conversation of an input that may contain
// several kinds.
func (LMC) Classify(first []*source.Record, form source.Form, config plugin.Config, detected plugin.Detection, final bool) plugin.Detection {
	final = final || len(first) >= maxDetectedInBody
	hasNone := !slices.ContainsFunc(first, isObject) && !slices.ContainsFunc(first, hasDirection)
	switch {
	case !slices.Contains(severalKinds, form) || config.Kind != "" || final && hasNone:
		return detected
	case hasNone:
		return plugin.Detection{}
	}
	return detectKind(first, final)
}

// hasDirection reports whether a record has a direction, as in a session.
func hasDirection(r *source.Record) bool { return r.Direction != source.Undirected }

// detectionOf returns the detection of a kind, or an empty one for "".
func detectionOf(kind string) plugin.Detection {
	switch kind {
	case KindTranscript:
		return plugin.Detection{Kind: kind, Inputs: lint.Transcripts}
	case KindStream:
		return plugin.Detection{Kind: kind, Inputs: lint.Streams}
	case KindSession:
		return plugin.Detection{Kind: kind, Inputs: lint.Sessions}
	}
	return plugin.Detection{Kind: kind}
}

// objectRecords returns the records that are objects.
func objectRecords(first []*source.Record) []*source.Record {
	var records []*source.Record
	for _, r := range first {
		if isObject(r) {
			records = append(records, r)
		}
	}
	return records
}

func isObject(r *source.Record) bool {
	return !r.IsGap && r.Root != nil && r.Root.Kind == source.Object
}

// isProse reports whether an input is text: at most half of it looks like parts
// of records.
func isProse(first []*source.Record) bool {
	prose := 0
	for _, r := range first {
		if isStrayText(r) && !bytes.Contains(r.Data, []byte(`"role`)) && len(anyKey().FindAll(r.Data, 2)) < 2 {
			prose++
		}
	}
	return len(first) > 0 && 2*prose >= len(first)
}

// isColored reports whether a line begins with a color of a terminal.
func isColored(r *source.Record) bool { return bytes.HasPrefix(r.Data, []byte("\x1b[")) }

// hasCSV reports whether the first line names columns, or a line has an object in
// the notation of CSV, which doubles its quotes.
func hasCSV(first []*source.Record) bool {
	return len(first) > 0 && source.IsTableHeader(first[0].Data) || slices.ContainsFunc(first, func(r *source.Record) bool { return source.HasCSVObject(r.Data) })
}

// roleKey matches the key role in a record, also in one that was encoded twice.
var roleKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']role\\?["']`)
})

// hasNoRoleKey reports whether an input without readable objects has no key role,
// as far as its text was kept: numbers, settings with comments, or one large object,
// for example. Of an input that is not UTF-8, no text is kept.
func hasNoRoleKey(first []*source.Record) bool {
	for _, r := range first {
		notUTF8 := r.IsGap && slices.ContainsFunc(r.Problems, func(p source.Problem) bool { return p.Kind == source.InvalidUTF8 })
		if notUTF8 || roleKey().Match(r.Data) {
			return false
		}
	}
	return len(first) > 0
}

// isBinary reports whether most lines are not text, and none starts a record. A
// recording in another encoding still has readable keys.
func isBinary(first []*source.Record) bool {
	lines, strange := 0, 0
	for _, r := range first {
		if bytes.Contains(r.Data, []byte(`"role`)) {
			return false
		}
		if r.IsGap && len(r.Problems) > 0 {
			continue
		}
		lines++
		if bytes.IndexByte(r.Data, 0) >= 0 || !utf8.Valid(r.Data) {
			strange++
		}
	}
	return strange > lines/2
}

// emptyForms describes inputs without records, by the forms that may be valid
// without any.
var emptyForms = map[source.Form]string{
	source.FormText: "it is text without any record",
	source.FormHAR:  "it is browser traffic (HAR) without any record",
}

// isStrayText reports whether a record is text that is not meant to be JSON.
func isStrayText(r *source.Record) bool {
	return len(r.Data) > 0 && !beginsRecord(r.Data) && (r.IsGap && len(r.Problems) == 0 || len(r.Problems) > 0 && r.Problems[0].Kind == source.InvalidJSON)
}

// beginsRecord reports whether text starts like an object or a list of objects.
// Prose may start with a bracket, too.
func beginsRecord(text []byte) bool {
	next := bytes.TrimLeft(text[1:], " \t\r\n")
	switch {
	case len(next) == 0:
		return text[0] == '{' || text[0] == '['
	case text[0] == '{':
		return strings.IndexByte(`"'}{`, next[0]) >= 0 || isWord(next[0])
	case text[0] == '[':
		return strings.IndexByte(`{[]`, next[0]) >= 0
	}
	return false
}

// isWord reports whether c can start a key without quotes.
func isWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// kindOf returns transcript or stream, or "" if it needs more records. A list of objects
// with chunks in them is not a list of messages.
func kindOf(records []*source.Record, enough bool) string {
	if len(records) > 0 && isInList(records[0]) && !isWrapped(records[0]) {
		return kindOfList(records, enough)
	}
	if len(records) == 1 && isActiveLine(records[0]) {
		// It is a row of the documentation's table of messages, unless it is the tail of a
		// stream: the next record decides.
		if enough {
			return KindTranscript
		}
		return ""
	}
	showsStream := isStreamOnly
	if len(records) > 0 && isQuestion(records[0]) {
		showsStream = isChunkOrFrame
	}
	if slices.ContainsFunc(records, showsStream) || endsDeltas(records) {
		return KindStream
	}
	if enough {
		return KindTranscript
	}
	return ""
}

// isInList reports whether an array is around a record in its document.
func isInList(r *source.Record) bool {
	return slices.ContainsFunc(strings.Split(r.Pointer, "/")[1:], func(step string) bool { return strings.Trim(step, "0123456789") == "" })
}

// isWrapped reports whether a record is the member of another object.
func isWrapped(r *source.Record) bool {
	name := r.Pointer[strings.LastIndexByte(r.Pointer, '/')+1:]
	return strings.Trim(name, "0123456789") != ""
}

// kindOfList returns the kind of an array: a transcript, unless it starts like
// a stream that was collected into a list. Records of the server may precede the
// stream, and the start may have been delivered again.
func kindOfList(records []*source.Record, enough bool) string {
	kind := kindOfStart(records, enough)
	switch {
	case kind != KindTranscript || len(records) == 0 || isQuestion(records[0]):
	case hasManyFlags(records):
		return KindStream
	case !enough && len(records) < flagWindow:
		return ""
	}
	return kind
}

// kindOfStart is kindOfList for a list whose first records are valid.
func kindOfStart(records []*source.Record, enough bool) string {
	var first *lmc.Record
	var deliveries lmc.Deliveries
	again := false
	for _, src := range records {
		r := lmc.NewRecord(src)
		switch {
		case r.IsAuth(), first == nil && r.IsServerFrame():
		case first == nil && (!r.Start || r.Content != nil):
			return KindTranscript
		case first == nil:
			first = r
			deliveries.Keep(r)
		case deliveries.Again(r) != nil:
			again = true
		case r.Role == first.Role && (r.Type == first.Type || first.IsTypelessFlag()) && !r.Start && (r.Content != nil || r.End):
			return KindStream
		default:
			return KindTranscript
		}
	}
	switch {
	case !enough:
		return ""
	case again:
		return KindStream
	}
	return KindTranscript
}

// isQuestion reports whether a record is a message of the user, with which most
// stored conversations begin.
func isQuestion(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return r.Role == "user" && !r.Flag() && r.Content != nil && !IsCommand(r)
}

// How many flags among the first records of a list show that it is a stream whose
// first records are broken, not a list of messages in which one flag was left.
const (
	minFlags   = 4
	flagWindow = 64 // records
)

// hasManyFlags reports whether at least minFlags and a tenth of the records are
// flags without content.
func hasManyFlags(records []*source.Record) bool {
	flags := 0
	for _, src := range records {
		if r := lmc.NewRecord(src); r.Flag() && r.Content == nil {
			flags++
		}
	}
	return flags >= minFlags && flags*10 >= len(records)
}

// isStreamOnly reports whether a record can only be part of a stream.
func isStreamOnly(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return r.Flag() || IsEphemeral(r) && r.Type != "review" || isPreLMCChunk(src.Root)
}

// isChunkOrFrame reports whether a record can only be part of a stream, even where the
// input begins with a whole message of the user: the documentation lists active_line as
// a message, so that it and a confirmation may be stored there.
func isChunkOrFrame(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return r.Flag() || IsServerFrame(r) || isPreLMCChunk(src.Root)
}

// isActiveLine reports whether a record is the line that runs, and not a flag.
func isActiveLine(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return r.Type == "console" && r.Format == "active_line" && !r.Flag()
}

// isPreLMCChunk reports whether a record is a pre-LMC chunk: pre-LMC messages have a
// role.
func isPreLMCChunk(root *source.Node) bool { return isPreLMC(root) && root.Member("role") == nil }

// resemblesLMC reports whether a record of data looks like LMC, valid or not.
func resemblesLMC(src *source.Record) bool {
	if isPreLMC(src.Root) {
		return isCertainlyPreLMC(src.Root) && ForeignShape(src.Root) == ""
	}
	if ForeignShape(src.Root) != "" {
		return false
	}
	switch (LMC{}).MeaningOf(src.Root) {
	case source.Plain:
		return true
	case source.Weak:
		return src.Root.Member("role") == nil || isMisspelled(src.Root)
	}
	return isMisspelled(src.Root)
}

// isMisspelled reports whether a record with misspelled keys is LMC by their
// values: a known role, and the role computer, a type or a format that only LMC
// has.
func isMisspelled(root *source.Node) bool {
	var meant [4]*source.Node // for ownKeys
	for i := range root.Children {
		n := &root.Children[i]
		key, ok := spelling.Nearest(n.Name, ownKeys)
		if !ok {
			key = KeyFor(n.Name)
			ok = key == "type" || key == "content"
		}
		if at := slices.Index(ownKeys, key); ok && meant[at] == nil {
			meant[at] = n
		}
	}
	role, typ, format := textOf(meant[0]), textOf(meant[1]), textOf(meant[2])
	return meant[3] != nil && slices.Contains(words().roles, role) &&
		(slices.Contains(words().types, typ) || role == "computer" || slices.Contains(ownFormats, format))
}

// ownKeys are the keys of a message.
var ownKeys = []string{"role", "type", "format", "content"}

// ownFormats lists the formats that records of other protocols do not have.
var ownFormats = []string{
	"output", "active_line", "base64", "base64.png", "base64.jpeg", "bytes.wav", "bytes.raw", "execution",
	"python", "shell", "javascript", "applescript", "r", "powershell", "ruby", "react", "java",
}

// IsLMCType reports whether a word is a type of one of LMC's dialects.
func IsLMCType(word string) bool { return slices.Contains(words().types, word) }

// isStreamOfLists reports whether lists are parts of one stream whose first list shows
// too little: it ends with the start of a block that the next one continues, or its
// first records are broken, and there are many flags.
func isStreamOfLists(records []*source.Record) bool {
	next := slices.IndexFunc(records, func(r *source.Record) bool { return r.Conversation != records[0].Conversation })
	if next < 0 {
		return false
	}
	return kindOfStart(records[:next], false) == "" && kindOfStart(records[:next+1], false) == KindStream ||
		hasBothFlags(records) && hasManyFlags(records[:min(len(records), flagWindow)])
}

// hasBothFlags reports whether the first record is a start, or several of the first
// are, and several others are ends.
func hasBothFlags(records []*source.Record) bool {
	starts, ends := 0, 0
	for _, src := range records[:min(len(records), flagWindow)] {
		switch r := lmc.NewRecord(src); {
		case r.Content != nil:
		case r.Start:
			starts++
		case r.End:
			ends++
		}
	}
	return lmc.NewRecord(records[0]).Start || starts > 1 && ends > 1
}

// isUnreadable reports whether a record could not be read. In a text, that is one which
// says before the damage that it is a record.
func isUnreadable(r *source.Record) bool { return !r.IsGap && r.Root == nil && r.IsLost() }

// isDamagedRecord reports whether an unreadable part of an input is meant as a record
// of LMC: it names a role and another key of one.
func isDamagedRecord(r *source.Record) bool {
	return r.Root == nil && r.IsLost() && roleKey().Match(r.Data[:min(len(r.Data), MaxInspected)]) && hasRecordKeys(r)
}

// hasRecordKeys reports whether text has two keys of a record.
func hasRecordKeys(r *source.Record) bool {
	return len(anyKey().FindAll(r.Data[:min(len(r.Data), MaxInspected)], 2)) == 2
}

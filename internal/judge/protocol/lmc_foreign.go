package protocol

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// foreignFormats are the known formats other than LMC. Some have role, type and content,
// too. The first that fits a record names it.
var foreignFormats = []struct {
	key      string   // a member that its records have
	words    []string // how the text of that member begins, if that matters
	hasParts bool     // the member is a list of typed parts
	with     string   // another member that they have, or ""
	without  string   // a member that they do not have, or ""
	name     string
}{
	{key: "jsonrpc", name: "JSON-RPC messages, as MCP and ACP use them"},
	{key: "object", words: []string{"chat.completion"}, name: "an OpenAI chat completion"},
	{key: "choices", name: "an OpenAI chat completion"},
	{key: "type", words: []string{"response."}, name: "an OpenAI Responses stream"},
	{key: "type", words: []string{"content_block_"}, name: "an Anthropic stream"},
	{key: "type", words: []string{"message_"}, without: "role", name: "an Anthropic stream"},
	{
		key: "type", words: []string{"TEXT_MESSAGE_", "RUN_", "TOOL_CALL_", "STEP_", "STATE_", "MESSAGES_SNAPSHOT", "THINKING_"},
		name: "AG-UI events",
	},
	{key: "type", words: []string{"session.", "conversation.item", "input_audio_buffer."}, name: "an OpenAI Realtime session"},
	{key: "type", words: []string{"text-", "reasoning-", "tool-input-", "start-step", "finish-step"}, name: "a Vercel AI SDK stream"},
	{key: "parentUuid", name: "a Claude Code transcript"},
	{key: "leafUuid", name: "a Claude Code transcript"},
	{key: "type", words: []string{"session_meta", "response_item", "turn_context"}, with: "payload", name: "a Codex session"},
	{key: "conversations", name: "ShareGPT conversations"},
	{key: "content", hasParts: true, name: "OpenAI or Anthropic messages (content is a list of typed parts)"},
	{key: "parts", hasParts: true, name: "Vercel AI SDK messages"},
	{key: "parts", with: "kind", name: "A2A messages"},
	{key: "parts", without: "content", name: "Gemini messages (parts instead of content)"},
	{key: "type", words: []string{"human", "ai"}, without: "role", name: "LangChain messages"},
	{key: "tool_calls", without: "type", name: "OpenAI chat messages"},
	{key: "message_type", with: "sender", name: "incomplete Semantic Workbench messages"},
}

// ForeignShape returns the name of the known format, other than LMC, that a record has,
// or "".
func ForeignShape(root *source.Node) string {
	for i := range foreignFormats {
		f := &foreignFormats[i]
		n := root.Member(f.key)
		begins := func(word string) bool { return strings.HasPrefix(n.Text(), word) }
		switch {
		case n == nil, f.with != "" && root.Member(f.with) == nil, f.without != "" && root.Member(f.without) != nil,
			f.hasParts && !HasParts(n), f.words != nil && !slices.ContainsFunc(f.words, begins):
			continue
		}
		return f.name
	}
	return ""
}

// HasParts reports whether a value is a list of objects with a type.
func HasParts(n *source.Node) bool {
	return n != nil && n.Kind == source.Array && len(n.Children) > 0 && n.Children[0].Member("type") != nil
}

// lookalikes are what inputs without a record are, by a pattern that one of their first
// lines matches. The first that fits says it.
var lookalikes = []struct {
	pattern, is string
	inData      bool // not in a text
}{
	{pattern: `^\x1b\[`, is: "its records are colored for a terminal: write them without colors (NO_COLOR=1, jq -M, print instead of rich.print)"},
	{pattern: `^\d+:\d+:[a-z_]+[;,]`, is: "it is a dump of mitmproxy: convert it with mitmdump -nr FILE --set hardump=out.har, and check out.har"},
	{pattern: `(^|[,;\t])"\{ ?""\w+"" ?:`, is: looksLikeCSV},                                                                    // the quotes in a field are doubled
	{pattern: `^([\w ."-]+[,;\t])*"?(role|content)"?[,;\t]([\w ."-]+[,;\t])*"?(role|content)"?([,;\t]|\r?$)`, is: looksLikeCSV}, // the names of columns
	{pattern: "(?m)(?:^\\s*|\\{ )role: ['\"`]\\w+['\"`],", is: "its records are JavaScript objects, as console.log shows them: print JSON.stringify(chunk) instead, and check that"},
	{
		pattern: `^### \[(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [A-Z][a-z]+ \d{1,2} \d{1,2}:\d{2} [AP]M\] .*:`,
		is: "it looks like a Markdown transcript of Semantic Workbench, which has neither ids nor roles nor metadata; " +
			"lint the messages themselves (GET /conversations/{id}/messages) or an export",
	},
	{
		pattern: `\d\d:\d\d:\d\d|\b\d{4}-\d\d-\d\d\b|\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b`, // a time or a level
		is:      "it looks like a log: to read the records in it, pass --form text",
		inData:  true,
	},
	{is: "none of its first lines starts with a JSON record", inData: true},
}

const looksLikeCSV = "it is CSV: write the column with the records as JSON Lines, and check that"

// looksLike returns what an input is in whose first records there is none of LMC. It
// returns "" for one that is read all the same: parts of it are meant as records, or the
// user named its form, or it is empty.
func looksLike(first []*source.Record, form source.Form, config plugin.Config) string {
	isText := form == source.FormText
	isColored := func(r *source.Record) bool { return bytes.HasPrefix(r.Data, []byte("\x1b[")) } // as for a terminal
	mayBeRecord := func(r *source.Record) bool {                                                 // of LMC, or the rest of an input in another encoding
		return namesRole(r) || r.IsGap && len(r.Problems) > 0 && r.Problems[0].Kind == source.InvalidUTF8
	}
	var objects []*source.Node
	for _, r := range first {
		switch {
		case r.Root == nil && r.IsLost() && (isText && !r.IsGap || namesRole(r) && hasRecordKeys(r)):
			return ""
		case r.Root != nil && r.Root.Kind == source.Object && (!isText || r.Root.Member("role") != nil || ForeignShape(r.Root) != ""):
			objects = append(objects, r.Root)
		}
	}
	switch {
	case len(objects) > 0:
		return foreignFormat(objects, form)
	case config.Form != "" && !isText, isText && len(first) == 0 && config.AllowEmpty && !config.Discovered:
		return ""
	case len(first) == 0 && form == source.FormJSON && config.Discovered:
		return "it is an empty list"
	case len(first) == 0 && form == source.FormHAR:
		return "it is browser traffic (HAR) without any record"
	case len(first) > 0 && !slices.ContainsFunc(first, mayHaveObject):
		return "none of its values is an object, as records are"
	case areMost(first, isBinary) && !startsRecord().Match(first[0].Data) && !slices.ContainsFunc(first, namesRole):
		return "it is binary data"
	case !isText && !slices.ContainsFunc(first, isColored) && !areMost(first, isStray) && (!config.Discovered || slices.ContainsFunc(first, mayBeRecord)):
		return ""
	}
	for _, row := range lookalikes {
		pattern := regexp.MustCompile(row.pattern)
		if (!isText || !row.inData) && slices.ContainsFunc(first, func(r *source.Record) bool { return pattern.Match(r.Data) }) {
			return row.is
		}
	}
	if isText {
		for _, r := range first {
			if m := behindText().FindSubmatch(r.Data); m != nil {
				return "it is text with records that are not read, as in a program: to read them, pass --after '" + strings.ReplaceAll(string(m[1]), "'", `'\''`) + "'"
			}
		}
		return "it is text without any record"
	}
	return ""
}

// behindText matches the start of a record behind something other than a prefix: a name and
// an equals sign, as of a variable, or a backtick, quote or bracket.
var behindText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([\pL_][\w.]*\s*=\s*|[^\s:]+)\[?\{\s*["'](?:role|type)["']\s*:\s*["']`)
})

// startsRecord matches the start of an object or of a list of objects or lists, which text
// may have by chance only.
var startsRecord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{\s*(["'{}A-Za-z]|$)|^\[\s*([{\[\]]|$)`)
})

// mayHaveObject reports whether a value is or contains an object, or text of one, or is
// no JSON.
func mayHaveObject(r *source.Record) bool {
	return r.Root == nil || r.Fatal() != nil && r.Fatal().Kind != source.NotAnObject || bytes.ContainsRune(r.Data, '{')
}

// isStray reports whether a record is text that is not meant to be JSON.
func isStray(r *source.Record) bool {
	isText := r.IsGap && len(r.Problems) == 0 || len(r.Problems) > 0 && r.Problems[0].Kind == source.InvalidJSON
	return isText && len(r.Data) > 0 && !namesRole(r) && !hasRecordKeys(r) && !startsRecord().Match(r.Data)
}

// foreignFormat returns what objects that are not LMC look like, by the first of them
// that has a known format.
func foreignFormat(objects []*source.Node, form source.Form) string {
	for i := range objects[0].Children {
		switch n := &objects[0].Children[i]; {
		case areConversations(n):
			return "it is a list of conversations under " + Quoted(n.Name) + ": write each on a line, as jq -c '." + jqKey(n.Name) + "[]' does"
		case isConversation(n):
			return "its records are in an object under " + Quoted(n.Name) + ": check that object, as jq -c '." + jqKey(n.Name) + "' writes it"
		}
	}
	for _, object := range objects {
		if shape := ForeignShape(object); shape != "" {
			return "it looks like " + shape
		}
	}
	switch has := objects[0].Member; {
	case has("role") != nil && has("message_type") != nil:
		return "its records mix two protocols: LMC's have a role and a type, Semantic Workbench's a sender and a message_type"
	case has("role") != nil && has("type") == nil && has("content") != nil:
		return "it looks like OpenAI chat messages (role and content, but no type)"
	case has("role") != nil:
		return "its records have a role, but no role and type of LMC"
	}
	for i := range objects[0].Children {
		list := &objects[0].Children[i]
		switch {
		case list.Kind != source.Array || len(list.Children) == 0 || list.Children[0].Member("role") == nil || list.Children[0].Member("type") == nil:
		case source.IsListName(list.Name) && form == source.FormSSE:
			return "its events are lists of records: write each on a line, as sed -n 's/^data: //p' does"
		case source.IsListName(list.Name):
			return "it is a list of conversations: write each on a line, as jq -c '.[]' does"
		default:
			return "its records are in a list under " + Quoted(list.Name) + `; name it "messages" or "chunks"`
		}
	}
	return "its first records have none of LMC's keys (role with type, start, end or content)"
}

// areConversations reports whether a value is a list of objects with a list of records.
func areConversations(n *source.Node) bool {
	return n.Kind == source.Array && len(n.Children) > 0 && isConversation(&n.Children[0])
}

// isConversation reports whether a value is an object with a list of records.
func isConversation(n *source.Node) bool {
	records := source.ListOf(n)
	return records != nil && len(records.Children) > 0 && (LMC{}).MeaningOf(&records.Children[0]) == source.Plain
}

// jqKey returns how a program of jq writes a key after a period.
func jqKey(key string) string {
	if identifier().MatchString(key) {
		return key
	}
	return Quoted(key)
}

var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*$`) })

// areMost reports whether at least half of the records are something.
func areMost(records []*source.Record, is func(*source.Record) bool) bool {
	n := count(records, is)
	return n > 0 && 2*n >= len(records)
}

// count returns how many records are something.
func count(records []*source.Record, is func(*source.Record) bool) (n int) {
	for _, r := range records {
		if is(r) {
			n++
		}
	}
	return n
}

// isBinary reports whether a line is not text. A recording in another encoding still has
// readable keys.
func isBinary(r *source.Record) bool {
	return (!r.IsGap || len(r.Problems) == 0) && (bytes.IndexByte(r.Data, 0) >= 0 || !utf8.Valid(r.Data))
}

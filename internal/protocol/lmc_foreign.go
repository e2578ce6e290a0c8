package protocol

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

// foreignFormat returns what records that are not LMC look like, by the first
// of them that matches a known format.
func foreignFormat(records []*source.Record) string {
	for _, r := range records[:min(len(records), 10)] {
		shape := ForeignShape(r.Root)
		if workbench.ShapeOf(r.Root, "") == workbench.ShapeMessage {
			shape = "Semantic Workbench messages"
		}
		if shape != "" {
			return "it looks like " + shape
		}
	}
	if root := records[0].Root; root.Member("role") != nil && root.Member("message_type") != nil {
		return "its records mix two protocols: LMC's have a role and a type, Semantic Workbench's a sender and a message_type"
	}
	if root := records[0].Root; root.Member("role") != nil && root.Member("content") != nil {
		return "it looks like OpenAI chat messages (role and content, but no type)"
	}
	return "its records have none of LMC's keys (role with type, start, end or content)"
}

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
		switch {
		case n == nil, f.with != "" && root.Member(f.with) == nil, f.without != "" && root.Member(f.without) != nil,
			f.hasParts && !HasParts(n), f.words != nil && !startsWith(n.Text(), f.words...):
			continue
		}
		return f.name
	}
	return ""
}

// startsWith reports whether text starts with one of the words.
func startsWith(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(text, word) })
}

// flowDump matches the start of a dump of mitmproxy: lengths and names, as
// netstrings.
var flowDump = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d+:\d+:[a-z_]+[;,]`)
})

// resemblanceOfText returns what a text without any record looks like, by its first lines
// and its first object.
func resemblanceOfText(first []*source.Record) string {
	i := slices.IndexFunc(first, func(r *source.Record) bool { return r.Root != nil })
	switch {
	case i >= 0 && ForeignShape(first[i].Root) != "" || i >= 0 && first[i].Root.Member("role") != nil:
		return foreignFormat(first[i : i+1])
	case isBinary(first):
		return "it is binary data"
	case hasCSV(first):
		return looksLikeCSV
	case len(first) > 0:
		if looks := textResemblance(first); looks != noJSON && looks != looksLikeLog {
			return looks
		}
	}
	return emptyForms[source.FormText]
}

// looksLikeCSV describes an input with columns.
const looksLikeCSV = "it is CSV: write the column with the records as JSON Lines, and check that"

// looksLikeLog describes data that is a log.
const looksLikeLog = "it looks like a log: to read the records in it, pass --form text"

// noJSON describes an input without objects.
const noJSON = "no line starts with a JSON record"

// textResemblance returns what an input without any record looks like.
func textResemblance(first []*source.Record) string {
	if flowDump().Match(first[0].Data) {
		return "it is a dump of mitmproxy: convert it with mitmdump -nr FILE --set hardump=out.har, and check out.har"
	}
	if slices.ContainsFunc(first, func(r *source.Record) bool { return shownByNode().Match(r.Data) }) {
		return "its records are JavaScript objects, as console.log shows them: print JSON.stringify(chunk) instead, and check that"
	}
	if slices.ContainsFunc(first, func(r *source.Record) bool { return logLine().Match(r.Data) }) {
		return looksLikeLog
	}
	return noJSON
}

// logLine matches a line with a time or a level.
var logLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d\d:\d\d:\d\d|\b\d{4}-\d\d-\d\d\b|\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b`)
})

// shownByNode matches a role as Node's console.log shows it.
var shownByNode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^\s*|\{ )role: ['"\x60]\w+['"\x60],`)
})

// HasParts reports whether a value is a list of objects with a type.
func HasParts(n *source.Node) bool {
	return n != nil && n.Kind == source.Array && len(n.Children) > 0 && n.Children[0].Member("type") != nil
}

// textOf returns the text of a value that may be absent.
func textOf(n *source.Node) string {
	if n == nil {
		return ""
	}
	return n.Text()
}

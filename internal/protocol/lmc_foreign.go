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

// ForeignShape returns the name of the known format, other than LMC, that a
// record has, or "". Some of these formats have role, type and content, too.
func ForeignShape(root *source.Node) string {
	typ := textOf(root.Member("type"))
	switch {
	case root.Member("jsonrpc") != nil:
		return "JSON-RPC messages, as MCP and ACP use them"
	case strings.HasPrefix(textOf(root.Member("object")), "chat.completion"), root.Member("choices") != nil:
		return "an OpenAI chat completion"
	case strings.HasPrefix(typ, "response."):
		return "an OpenAI Responses stream"
	case strings.HasPrefix(typ, "content_block_"), strings.HasPrefix(typ, "message_") && root.Member("role") == nil:
		return "an Anthropic stream"
	case startsWith(typ, "TEXT_MESSAGE_", "RUN_", "TOOL_CALL_", "STEP_", "STATE_", "MESSAGES_SNAPSHOT", "THINKING_"):
		return "AG-UI events"
	case startsWith(typ, "session.", "conversation.item", "input_audio_buffer."):
		return "an OpenAI Realtime session"
	case startsWith(typ, "text-", "reasoning-", "tool-input-", "start-step", "finish-step"):
		return "a Vercel AI SDK stream"
	case root.Member("parentUuid") != nil, root.Member("leafUuid") != nil:
		return "a Claude Code transcript"
	case startsWith(typ, "session_meta", "response_item", "turn_context") && root.Member("payload") != nil:
		return "a Codex session"
	case root.Member("conversations") != nil:
		return "ShareGPT conversations"
	case HasParts(root.Member("content")):
		return "OpenAI or Anthropic messages (content is a list of typed parts)"
	case HasParts(root.Member("parts")):
		return "Vercel AI SDK messages"
	case root.Member("parts") != nil && root.Member("kind") != nil:
		return "A2A messages"
	case root.Member("parts") != nil && root.Member("content") == nil:
		return "Gemini messages (parts instead of content)"
	case (typ == "human" || typ == "ai") && root.Member("role") == nil:
		return "LangChain messages"
	case root.Member("tool_calls") != nil && root.Member("type") == nil:
		return "OpenAI chat messages"
	case root.Member("message_type") != nil && root.Member("sender") != nil:
		return "incomplete Semantic Workbench messages"
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

package rules

import (
	"strings"

	"github.com/lmclint/lmclint/source"
)

// resemblance says what a record that is not LMC looks like.
func resemblance(src *source.Record) string {
	if shape := foreignShape(src.Root); shape != "" {
		return "it looks like " + shape
	}
	if src.Root.Member("role") != nil && src.Root.Member("content") != nil {
		return "it looks like OpenAI chat messages (role and content, but no type)"
	}
	return "its records have none of LMC's keys (role with type, start, end or content)"
}

// foreignShape names the format of a record that is well known and not LMC,
// or returns "". Some of these have role, type and content, too [wild.md].
func foreignShape(root *source.Node) string {
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
	case strings.HasPrefix(typ, "TEXT_MESSAGE_"), strings.HasPrefix(typ, "RUN_"), strings.HasPrefix(typ, "TOOL_CALL_"):
		return "AG-UI events"
	case hasParts(root.Member("content")):
		return "OpenAI or Anthropic messages (content is a list of typed parts)"
	case hasParts(root.Member("parts")):
		return "Vercel AI SDK messages"
	case root.Member("tool_calls") != nil && root.Member("type") == nil:
		return "OpenAI chat messages"
	case root.Member("message_type") != nil && root.Member("sender") != nil:
		return "Semantic Workbench messages"
	}
	return ""
}

// hasParts reports whether a value is a list of objects that have a type.
func hasParts(n *source.Node) bool {
	return n != nil && n.Kind == source.Array && len(n.Children) > 0 && n.Children[0].Member("type") != nil
}

// textOf returns the text of a value that may be absent.
func textOf(n *source.Node) string {
	if n == nil {
		return ""
	}
	return n.Text()
}

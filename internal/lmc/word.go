package lmc

import "github.com/lmclint/lmclint/internal/source"

// wordOf is the text of a role, type or format. For those that most records
// have it takes no memory.
func wordOf(n *source.Node) string {
	if n.Kind != source.String || n.Escaped() {
		return n.Text()
	}
	switch string(n.RawContent()) {
	case "user":
		return "user"
	case "assistant":
		return "assistant"
	case "computer":
		return "computer"
	case "message":
		return "message"
	case "code":
		return "code"
	case "console":
		return "console"
	case "output":
		return "output"
	case "active_line":
		return "active_line"
	case "python":
		return "python"
	case "shell":
		return "shell"
	}
	return n.Text()
}

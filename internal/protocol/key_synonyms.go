package protocol

// KeyFor returns the key that other programs and protocols call word, or "".
func KeyFor(word string) string {
	switch word {
	case "from", "sender", "author", "speaker":
		return "role"
	case "kind", "messageType", "message_type":
		return "type"
	case "language", "lang", "messageFormat", "message_format":
		return "format"
	case "text", "message", "body", "value", "delta", "output", "code", "data":
		return "content"
	case "begin", "started", "is_start":
		return "start"
	case "finish", "finished", "done", "is_end", "ended":
		return "end"
	}
	return ""
}

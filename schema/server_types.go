package schema

func commandType() Type {
	return Type{
		Name:    "command",
		Summary: "An order to the server: go approves the code, stop ends the response.",
		Example: "go",
		Roles:   []string{"user"},
		Chunk:   true, Flags: true,
	}
}

func statusType() Type {
	return Type{
		Name:    "status",
		Summary: "The server's mark that a response is complete.",
		Example: "complete",
		Roles:   []string{"server"},
		Chunk:   true,
	}
}

func errorType() Type {
	return Type{
		Name:    "error",
		Summary: "The traceback of an exception in the server.",
		Example: "Traceback (most recent call last):\n…",
		Roles:   []string{"server"},
		Chunk:   true,
	}
}

func completionType() Type {
	return Type{
		Name:    "completion",
		Summary: "The mark of older servers that a response is complete.",
		Example: "DONE",
		Roles:   []string{"server"},
		Chunk:   true,
	}
}

package main

// formerError says what a command line may have instead of what it has, which an
// earlier version had.
type formerError struct{ former, now string }

func (e *formerError) Error() string { return e.former + " is gone: " + e.now }

// What earlier versions had, and what does the same now.
var (
	formerCommands = map[string]string{
		"assemble": name + " convert --to messages --as CONSUMER STREAM",
		"history":  `jq -r '.. | .message_type? // empty' FILE | sort | uniq -c`,
		"mutate":   "the conformance suite has recordings with one mistake each",
		"stats":    `jq -r '.. | .message_type? // empty' FILE | sort | uniq -c`,
	}
	formerFlags = map[string]string{
		"cpuprofile": "the benchmarks of go test write profiles",
		"exit-zero":  "pass --fail-on never",
		"follow":     "tail -n +1 -F FILE | " + name + " -",
		"memprofile": "the benchmarks of go test write profiles",
		"output":     "redirect standard output, or pass --format FORMAT:FILE to check",
		"stats":      "pass --timing",
		"to-dialect": "convert writes the records of the dialect that they have",
		"watch":      name + " watch PATH",
	}
	formerFormats = map[string]string{
		"rdjsonl": "reviewdog reads sarif",
		"tap":     "pass junit",
	}
)

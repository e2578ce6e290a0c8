package main

import (
	"bytes"
	"io"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/lint"
)

// headBytes is how much of a file shows whether it is a report or an archive.
const headBytes = 2 << 10

// ownReport matches the start of a text that quotes records: a report of
// lmclint as text, concise, github or jsonl, what it prints to standard error, and
// a unified diff.
var ownReport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:error|warning|note)\[(?:LMC|WB)\d{3}\]: |::(?:error|warning|notice) title=(?:LMC|WB)\d{3} |` +
		`\{"rule":"(?:LMC|WB)\d{3}","name":"|lmclint: |` +
		`[^\n]*:\d+:\d+: (?:error|warning|note): [^\n]* \[(?:LMC|WB)\d{3} [a-z0-9-]+\]|--- [^\n]+\n\+\+\+ [^\n]+\n@@ -)`)
})

// colorCode matches what a terminal shows as colors and links.
var colorCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\`)
})

// isWide reports whether a text starts like UTF-16 or UTF-32.
func isWide(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.IndexByte(head[:min(len(head), 2)], 0) >= 0
}

// rejectOther fails if a file is something that has records in it and is no
// recording: a report that is kept beside recordings is not checked with them. Nor
// is, of what was found in a directory, a text in UTF-16 that names no role.
func rejectOther(file io.ReaderAt, found bool) error {
	buffer := make([]byte, headBytes)
	n, _ := file.ReadAt(buffer, 0) // what cannot be read is an error later
	head := buffer[:n]
	const tarMagic, tarMagicAt = "ustar", 257
	if n > tarMagicAt && bytes.HasPrefix(head[tarMagicAt:], []byte(tarMagic)) {
		return &lint.UnknownInputError{Looks: "it is a tar archive: unpack it first"}
	}
	if found && isWide(head) && !bytes.Contains(bytes.ReplaceAll(head, []byte{0}, nil), []byte("role")) {
		return &lint.UnknownInputError{Looks: "it is UTF-16, and names no role"}
	}
	const object = `{"rule":"`
	if n == 0 || head[0] == '[' || head[0] == '{' && !bytes.HasPrefix(head, []byte(object)) {
		return nil
	}
	if head = colorCode().ReplaceAll(head, nil); !ownReport().Match(head) {
		return nil
	}
	if bytes.HasPrefix(head, []byte("---")) {
		return &lint.UnknownInputError{Looks: "it is a unified diff"}
	}
	return &lint.UnknownInputError{Looks: "it is a report of lmclint"}
}

package embedded

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// logMark matches what only logs have before a record: a time, a level, or the
// name of an output stream.
var logMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d\d:\d\d:\d\d|\d{4}[-/.]\d\d[-/.]\d\d|` +
		`\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|trace|debug|info|notice|warn|warning|error|critical|fatal)\b[]:|)>]|` +
		`\b(DEBUG|INFO|WARNING|ERROR|CRITICAL)\b|\b1[5-9]\d{8}(\.\d+|\d{3})?\b|\bstd(out|err)\b`)
})

// notLog matches the start of lines of other forms. The data of an event is not in
// quotes, unlike a member of an object that Node prints.
var notLog = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(data|event|id|retry): ?(?:[^"'\x60 ]|$)|^[<>]\s*[\[{]|^:`)
})

// logPrefix returns the size in bytes of the text before the first record of a
// line. It returns true for a line of a log: the prefix is one that only logs
// have, or nothing but closing brackets or quotes follows the record.
func logPrefix(text []byte) (size int, ok bool) {
	if notLog().Match(text) || source.HasCSVObject(text[:min(len(text), maxLogPrefix)]) {
		return 0, false
	}
	if size, ok = literalPrefix(text); size > 0 {
		return size, ok
	}
	size, ok = prefixSize(text[:min(len(text), maxLogPrefix+openingWindow)])
	if !ok || size == 0 || size == len(text) {
		return 0, false
	}
	if bytes.IndexByte([]byte(`"'{[`), text[0]) >= 0 && !beginsTag(text) && !isLogPrefix(text[:size]) {
		return 0, false
	}
	b := value.BracketMatcher{Python: opensPython(text[size:])}
	b.Feed(text[size:])
	after := text[size:]
	if b.IsClosed() {
		after = text[size+b.Size():]
	}
	switch {
	case isLogPrefix(text[:size]):
		return size, true
	case b.IsClosed() && len(bytes.TrimSpace(after)) <= maxLogTail:
		return size, endsLikePrefix(text[:size])
	case b.IsClosed() && namesRole(string(text[size:len(text)-len(after)])):
		return size, false
	}
	return 0, false
}

// tag matches a name or a number in brackets, such as a thread's.
var tag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[[^][{}"',]+\]\s*[^][{}"',\s]*\s*[{\[(]`)
})

// beginsTag reports whether a line begins with a tag in brackets and has a record
// behind it, maybe after a word.
func beginsTag(line []byte) bool {
	return len(line) > 0 && line[0] == '[' && tag().Match(line[:min(len(line), maxLogMark)])
}

// endsLikePrefix reports whether a prefix ends with a separator, or is one word or a
// line number, unlike the words of a sentence.
func endsLikePrefix(prefix []byte) bool {
	words := bytes.TrimSpace(prefix)
	if len(words) == 0 {
		return false
	}
	return prefix[len(prefix)-1] == '\t' || bytes.IndexByte([]byte(`:=>|])-(`), words[len(words)-1]) >= 0 || bytes.IndexByte(words, ' ') < 0 && len(words) < len(prefix)
}

// maxLogTail is how many bytes, such as closing brackets or quotes, may follow the
// record of a line that has nothing else that only logs have.
const maxLogTail = 4

// maxLogMark is how many bytes of a line may contain what only logs have.
const maxLogMark = 512

// isLogPrefix reports whether only logs have such a prefix. A terminal color
// counts.
func isLogPrefix(prefix []byte) bool {
	return len(prefix) <= maxLogMark && (bytes.Contains(prefix, []byte("\x1b[")) || logMark().Match(prefix))
}

// announcement matches the line that mitmdump prints above a WebSocket message.
var announcement = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` (->|<-) WebSocket (text|binary) message (->|<-) `)
})

// announcedDirection returns the direction that a line announces for the record
// on the next line.
func announcedDirection(line []byte) source.Direction {
	if !bytes.Contains(line, []byte(" WebSocket ")) {
		return source.Undirected
	}
	found := announcement().FindSubmatch(line)
	switch {
	case found == nil || string(found[2]) != "text":
		return source.Undirected
	case string(found[1]) == "->":
		return source.Sent
	}
	return source.Received
}

// skippedLines counts the lines of a log without a record.
type skippedLines struct {
	lines  int
	elided int           // lines with a record that the log shortens
	cause  value.Cause   // where the lines are: InCodeBlock, AmongText, or none for a log
	first  source.Record // the start of the first of them, a gap with data of its own
}

// rememberLine keeps the start of the next line if that may be the first one
// without a record.
func (s *skippedLines) rememberLine(cur *source.Cursor) {
	if s.lines > 0 {
		return
	}
	head := cur.In.Load(2 * source.ExcerptWidth)
	s.first = cur.GapAt(bytes.Clone(value.TrimRight(head[:value.PartialRune(head)])), cur.In.Pos)
}

// rememberRecord keeps the start of a line that was read, and may be the first
// one without a record of the input.
func (s *skippedLines) rememberRecord(r *source.Record) {
	if s.lines > 0 {
		return
	}
	head := r.Data[:min(len(r.Data), 2*source.ExcerptWidth)]
	s.first = source.Record{Data: bytes.Clone(head[:value.PartialRune(head)]), Start: r.Start, IsGap: true}
}

func (s *skippedLines) add() { s.lines++ }

// Skipped returns the problem of the skipped lines, if there are any.
func (s *skippedLines) Skipped() []source.Problem {
	if s.lines == 0 {
		return nil
	}
	return []source.Problem{s.problem()}
}

// problem returns the problem that reports all skipped lines, at the first.
func (s *skippedLines) problem() source.Problem {
	found := fmt.Sprintf("%d lines contain no record, this is the first of them", s.lines)
	switch {
	case s.lines == 1:
		found = "this line contains no record"
	case s.cause == value.InCodeBlock:
		found = fmt.Sprintf("%d lines of code blocks contain no record, this is the first of them", s.lines)
	}
	if s.elided > 0 {
		found += fmt.Sprintf("; %d records are shortened by the log", s.elided)
	}
	return source.Problem{Kind: source.StrayLines, Place: s.first.Place(), Detail: found, Cause: s.cause}
}

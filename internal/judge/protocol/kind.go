package protocol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// maxUndecided is how many records, from the first object on, detection of the kind looks
// at, so that no pipe waits for more.
const maxUndecided = 16

// minFlags is how many flags among them show that a list is a stream whose first records
// are broken, not a list of messages in which one flag was left.
const minFlags = 3

// JoinsLists reports whether the lists of a stream in a form are parts of one
// conversation. In other forms, each conversation is of a kind of its own: connections,
// streams and lists of messages.
func JoinsLists(form source.Form) bool { return form != source.FormHAR && form != source.FormText }

// kindOf returns the kind of an input or a conversation by its first records, or "" if
// it needs more records.
func kindOf(first []*source.Record, form source.Form, final bool) string {
	if slices.ContainsFunc(first, hasDirection) {
		return KindSession
	}
	readable := slices.IndexFunc(first, isObject)
	enough := final || len(first) >= maxDetected || readable >= 0 && len(first)-readable >= maxUndecided
	records := objectRecords(first)
	if !JoinsLists(form) {
		records = slices.DeleteFunc(records, func(r *source.Record) bool { return r.Conversation != records[0].Conversation })
	}
	var views []*lmc.Record
	for _, src := range records {
		if r := lmc.NewRecord(src); !HasNothing(r) || IsServerFrame(r) || MayBePreLMC(r.Root) {
			views = append(views, r)
		}
	}
	kind := ""
	switch {
	case len(views) == 0:
	case strings.HasPrefix(records[0].Pointer, "/chunks/"):
		kind = KindStream // the key says it
	case isInList(records[0]):
		kind = kindOfList(views)
	default:
		kind = kindOfSequence(views, enough)
	}
	if kind == "" && enough {
		return KindTranscript
	}
	return kind
}

// kindOfSequence returns the kind of records one after another, or "" if more of them
// decide it. Messages of the user at the beginning decide nothing. The first other record
// does, with the one after it, or with those that continue its text.
func kindOfSequence(records []*lmc.Record, enough bool) string {
	var before messages
	for i, r := range records {
		switch {
		case before.hasOther && before.areConversation() && (isFlagged(r) || !isMessage(r) && !isActiveLine(r)):
			return KindTranscript
		case !isMessage(r) && !isFlagged(r), isActiveLine(r) && before.count == 0 && len(records) > 1:
			return KindStream
		case isFlagged(r) && !before.areConversation(), i < len(records)-1 && continuesStart(r, records[i+1]):
			return KindStream
		case isStart(r) && i == len(records)-1 && !enough:
			return ""
		case isFlagged(r):
			return KindTranscript
		}
		before.add(r)
		switch {
		case before.run.isStream():
			return KindStream
		case before.hasOther && before.areConversation() && !before.run.isOpen():
			return KindTranscript
		}
	}
	return ""
}

// kindOfPart returns the kind of a part of a text that begins with a record, or "" if the
// next one decides it. Before is the kind of the part before it.
func kindOfPart(src *source.Record, before string) string {
	if !isObject(src) {
		return ""
	}
	switch r := lmc.NewRecord(src); {
	case isFlagged(r), !isMessage(r), isActiveLine(r):
		return KindStream
	case isQuestion(r):
		return ""
	}
	return before
}

// isMessage reports whether a record may be a message. The documentation lists active_line
// as one.
func isMessage(r *lmc.Record) bool {
	return !isFlagged(r) && !IsServerFrame(r) && (!IsEphemeral(r) || isActiveLine(r)) &&
		(!MayBePreLMC(r.Root) || r.Key("role") != nil)
}

// isFlagged reports whether a record has a flag. One that is not set says nothing beside
// content: a program writes it for each record.
func isFlagged(r *lmc.Record) bool { return r.Flag() && (r.Content == nil || r.IsSet()) }

// hasDirection reports whether a record has a direction, as in a session.
func hasDirection(r *source.Record) bool { return r.Direction != source.Undirected }

// isInList reports whether a record is an element of a list in its document. A list of
// objects with chunks in them is not a list of messages.
func isInList(r *source.Record) bool {
	steps := strings.Split(r.Pointer, "/")
	return len(steps) > 1 && strings.Trim(steps[len(steps)-1], "0123456789") == ""
}

// messages is what is known of the messages at the beginning of an input.
type messages struct {
	count    int
	roles    []string // that they have
	hasOther bool     // one is not of the user
	run      deltaRun // that they end with
}

func (m *messages) add(r *lmc.Record) {
	if isWorkbench(r.Source) {
		return
	}
	m.count++
	m.hasOther = m.hasOther || !isQuestion(r)
	if slices.Contains(words().roles, r.Role) && !slices.Contains(m.roles, r.Role) {
		m.roles = append(m.roles, r.Role)
	}
	m.run.add(r)
}

// areConversation reports whether the messages are of the user or of two roles, so that a
// flag after them is a mistake in a transcript.
func (m *messages) areConversation() bool {
	return len(m.roles) > 1 || slices.Contains(m.roles, "user")
}

// isStart reports whether a record is only a start flag.
func isStart(r *lmc.Record) bool { return r.Start && !r.End && (r.Content == nil || r.Empty()) }

// continuesStart reports whether next belongs to the block that r starts.
func continuesStart(r, next *lmc.Record) bool { return isStart(r) && continues(r, next) }

// continues reports whether next belongs to the block that r begins.
func continues(r, next *lmc.Record) bool {
	return r.Role == next.Role && r.IsContinuedBy(next) && (next.Content != nil || next.End)
}

// isFlagAlone reports whether a record is a flag without text, also one that is null, or has
// another name: a record with neither text nor a flag, but with a key that is true, such as
// begin. No message is that.
func isFlagAlone(r *lmc.Record) bool {
	if r.Content != nil && (r.Content.Kind == source.String || !r.Flag()) {
		return false
	}
	return r.Flag() || r.Null("start") != nil || r.Null("end") != nil ||
		slices.ContainsFunc(r.Root.Children, func(member source.Node) bool { return member.Value() == true })
}

// mayBeStart reports whether a record is a start, which may have text or another name.
func mayBeStart(r *lmc.Record) bool { return !r.End && (r.Start || isFlagAlone(r)) }

func isActiveLine(r *lmc.Record) bool { return r.Type == "console" && r.Format == "active_line" }

// kindOfList returns KindStream if the elements of a list are a stream that was collected
// into it, KindTranscript if they are messages, and "" if more of them may decide it. A
// stream begins with a start that the next record continues, or has many flags. If the start
// has text or another name, a second flag shows that it is not one left on a message. Records
// of the server may precede it.
func kindOfList(records []*lmc.Record) string {
	views := slices.DeleteFunc(slices.Clone(records), IsServerFrame)
	alone, besideText := 0, 0 // flags
	for _, r := range views[:min(len(views), maxUndecided)] {
		switch {
		case isFlagAlone(r):
			alone++
		case r.Flag():
			besideText++
		}
	}
	switch {
	case alone >= minFlags, len(views) > 1 && continuesStart(views[0], views[1]):
		return KindStream
	case alone+besideText > 1 && mayBeStart(views[0]) && !views[1].Start && continues(views[0], views[1]):
		return KindStream
	case isQuestion(records[0]):
		return KindTranscript
	}
	return ""
}

// isQuestion reports whether a record is a message of the user, with which most
// stored conversations begin.
func isQuestion(r *lmc.Record) bool {
	return r.Role == "user" && !isFlagged(r) && r.Content != nil && !IsCommand(r)
}

// Limits of a run of deltas, see [deltaRun].
const (
	maxDeltas  = 64 // the maximum number of records that one test looks back
	deltaJoins = 2  // of texts that have an id as the one before
	deltaWords = 4  // texts in a row that are single words
)

// deltaRun is a run of adjacent records that may be the chunks of a stream that lost its
// flags: texts of the assistant of one type and format.
type deltaRun struct {
	last  *lmc.Record // nil if the run is empty
	texts DeltaTexts
	joins int // of two texts that have an id each
}

// add adds a record. One that does not continue the run begins another, or none.
func (d *deltaRun) add(r *lmc.Record) {
	if d.last != nil && (r.Type != d.last.Type || r.Format != d.last.Format) || !MayBeDelta(r) {
		*d = deltaRun{}
	}
	if !MayBeDelta(r) {
		return
	}
	if d.last != nil && d.last.ID != nil && r.ID != nil && !endsSentence(d.last.Text()) {
		d.joins++
	}
	d.last = r
	d.texts.Add(r.Text(), r.Type)
}

// isStream reports whether the texts are pieces of one: two continue the text before, or
// have an id as it has, or four in a row are single words of which two do not begin a
// sentence. A text continues another one if that does not end a sentence or a line, and
// there is a space between them or punctuation follows. A text of whitespace only continues
// every other.
func (d *deltaRun) isStream() bool {
	return d.last != nil && (d.joins >= deltaJoins || d.texts.ArePieces())
}

// isOpen reports whether the next records may show that the run is a stream: its last text
// is a word, or continues the one before it, or what it begins is not complete.
func (d *deltaRun) isOpen() bool {
	if d.last == nil {
		return false
	}
	if d.texts.count == 1 {
		return d.texts.words == 1 || !endsSentence(d.texts.last)
	}
	return d.texts.words > 0 || d.texts.joins[1] == d.texts.count || d.joins > 0
}

// DeltaTexts are adjacent texts of one type and format. It keeps what tells whether the last
// of them are pieces of one text.
type DeltaTexts struct {
	count int
	last  string
	words int    // of the last texts, those that are single words and begin no sentence but the first
	joins [2]int // the numbers, from 1, of the last two texts that continue the one before
	inner [2]int // of the last two of these words that do not begin a sentence
}

// Add adds the next text.
func (d *DeltaTexts) Add(text, typ string) {
	d.count++
	isWord := isWordText(text)
	if joinsTexts(d.last, text) {
		d.joins = [2]int{d.joins[1], d.count}
	}
	if !isWord || endsSentence(d.last) {
		d.words, d.inner = 0, [2]int{}
	}
	if isWord {
		d.words++
		if isInnerWord(text, typ) {
			d.inner = [2]int{d.inner[1], d.count}
		}
	}
	d.last = text
}

// ArePieces reports whether the last texts are pieces of one.
func (d *DeltaTexts) ArePieces() bool {
	isRecent := func(number int) bool { return number > 0 && number >= d.count-maxDeltas }
	return isRecent(d.joins[0]) || d.words >= deltaWords && isRecent(d.inner[0])
}

// joinsTexts reports whether next probably begins in the middle of what text began. Blank
// texts in a row are not pieces of one.
func joinsTexts(text, next string) bool {
	switch {
	case strings.TrimSpace(next) == "":
		return next != "" && strings.TrimSpace(text) != ""
	case text == "" || endsSentence(text):
		return false
	}
	return next[0] == ' ' || strings.HasSuffix(text, " ") || strings.IndexByte(",.;:!?)]}", next[0]) >= 0
}

// MayBeDelta reports whether a record is text of the assistant without a flag.
// Users send whole messages, and an execution's output is stored in several
// messages whose texts often continue each other.
func MayBeDelta(r *lmc.Record) bool {
	if r.Flag() || r.Role != "assistant" || r.Content == nil || r.Content.Kind != source.String {
		return false
	}
	return r.Type == "message" || r.Type == "code"
}

// endsSentence reports whether a text ends a sentence or a line. Spaces, closing
// quotes and marks of emphasis may follow.
func endsSentence(text string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"'*_`)]»”’」"))
	return end == ':' || end == '\n' || end == '…' || unicode.Is(unicode.Sentence_Terminal, end)
}

// isWordText reports whether a text is one word at most, and perhaps whitespace
// around it. In scripts that put no space between words, it is a few letters.
func isWordText(text string) bool {
	word := strings.TrimSpace(text)
	if text == "" || strings.ContainsFunc(word, unicode.IsSpace) {
		return false
	}
	return utf8.RuneCountInString(word) <= 4 || !strings.ContainsFunc(word, isUnspaced)
}

// isUnspaced reports whether a letter is of a script without spaces between words.
func isUnspaced(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isInnerWord reports whether a word is probably not the first one of its text: it does
// not begin with a capital letter or a symbol such as an emoji. A word of code must not
// begin with a letter at all, because it may be a whole command, such as ls.
func isInnerWord(word, typ string) bool {
	if strings.TrimSpace(word) == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	if typ == "code" {
		return !unicode.IsLetter(first)
	}
	return !unicode.IsUpper(first) && !unicode.Is(unicode.So, first)
}

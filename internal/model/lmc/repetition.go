package lmc

import (
	"bytes"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
)

// Repetition is how a block repeats its text.
type Repetition uint8

// The ways in which a block repeats its text.
const (
	NoRepetition Repetition = iota
	// FirstHasAll: the first chunk ends with the text of all that follow. It was serialized
	// after the producer had appended them to the object that it had sent [R collected_alias].
	FirstHasAll
	// Totals: chunks begin with the whole text so far.
	Totals
	// SentAgain: a chunk begins with the text of all chunks before it.
	SentAgain
	// Replayed: all chunks so far came again, from the first one on.
	Replayed
)

// What a repetition has at least: less of it occurs in valid text, such as `ha ha ha`.
const (
	minChunks = 3  // chunks that are repeated, or totals
	minPoints = 16 // code points of a text that is sent again
	minShort  = 4  // code points that totals repeat, or a first chunk that has all
)

// maxText is how many bytes of a block's text are compared.
const maxText = 1 << 20

// repetition detects a block that repeats its text.
type repetition struct {
	text   []byte // of the chunks, joined
	first  int    // bytes of the first chunk
	chunks int
	prose  bool // of a message, not code
	over   bool // the text is not compared any more

	from   int // where the text so far begins: at the last chunk that began with all before it
	since  int // chunks from there on
	totals int // chunks after the first that began with the text so far and continued it
	total  source.PlaceRef

	replay replay // under way; to is 0 if none is

	kind  Repetition
	at    source.PlaceRef // of the chunk that begins the repetition
	count int             // chunks that it repeats, or totals
	size  int             // bytes of that chunk that it repeats, if the text is SentAgain, and only once
	own   int             // where the text without the repetition begins, of one that was replayed
}

// replay is text that agrees with the block's text from the first chunk on.
type replay struct {
	from, chunks int // the text and the chunks before it
	to           int // up to where it agrees
	own          int // chunks of it
	at           source.PlaceRef
}

func (d *repetition) reset() { *d = repetition{text: d.text[:0]} }

// stop ends the comparison of a text that consumers do not append.
func (d *repetition) stop() { d.over, d.kind = true, NoRepetition }

// compared returns the text of the first chunk, and the size of the text so far: what is
// equal or as long may begin a repetition.
func (d *repetition) compared() (first []byte, size int) {
	if d.over {
		return nil, math.MaxInt
	}
	return d.text[:d.first], len(d.text) - d.from
}

// add adds the text of a chunk.
func (d *repetition) add(chunk []byte, r *Record) {
	switch {
	case d.over || len(chunk) == 0:
		return
	case d.chunks == 0:
		d.first = len(chunk)
	default:
		d.compare(chunk, r)
	}
	d.append(chunk, 1)
}

// append adds the joined text of chunks that begin no repetition, and of which none is
// under way.
func (d *repetition) append(text []byte, chunks int) {
	if d.over = d.over || len(d.text)+len(text) > maxText; !d.over {
		d.text = append(d.text, text...)
		d.chunks += chunks
		d.since += chunks
	}
}

// compare compares a chunk with the text so far.
func (d *repetition) compare(chunk []byte, r *Record) {
	from, since := d.from, d.since
	if bytes.Equal(chunk, d.text) { // chunks may have been equal by chance before
		from, since = 0, d.chunks
	}
	before := d.text[from:]
	if !bytes.HasPrefix(chunk, before) {
		d.follow(chunk, r)
		return
	}
	if len(chunk) > len(before) {
		d.totals++
		if d.totals == 1 {
			d.total.Set(r.Source, r.Content)
		}
	}
	isLong := utf8.RuneCount(before) >= minPoints
	if d.kind == SentAgain {
		d.size = 0
	}
	switch {
	case len(chunk) > len(before) && d.totals+1 >= minChunks && utf8.RuneCount(before) >= minShort && !isPeriodic(chunk):
		d.kind, d.count = Totals, d.totals+1
		d.at.Copy(&d.total)
	case d.kind != NoRepetition || isPeriodic(before),
		since < minChunks && !isLong,                                          // by chance
		since < minChunks && len(chunk) > len(before),                         // the first of totals
		since == 1 && d.endsUnit(before), len(chunk) > len(before) && !isLong: // a line or a sentence that is repeated
	default:
		d.kind, d.count, d.size = SentAgain, since, len(before)
		d.at.Set(r.Source, r.Content)
	}
	d.from, d.since, d.replay.to = len(d.text), 0, 0
}

// follow follows a chunk that does not begin with the text so far.
func (d *repetition) follow(chunk []byte, r *Record) {
	p := &d.replay
	rest := d.text[p.to:max(p.to, p.from)]
	switch {
	case p.to > 0 && bytes.HasPrefix(rest, chunk) || p.to > 0 && bytes.HasPrefix(chunk, rest):
		p.to += len(chunk)
		if p.own++; p.to < p.from {
			return
		}
		before := d.text[:p.from]
		if d.kind == NoRepetition && p.own >= minChunks && p.chunks >= minChunks &&
			utf8.RuneCount(before) >= minPoints && !d.endsUnit(before) && !isPeriodic(before) {
			d.kind, d.count, d.own = Replayed, p.chunks, p.from
			d.at.Copy(&p.at)
		}
		p.to = 0
	case bytes.Equal(chunk, d.text[:d.first]):
		p.from, p.chunks, p.to, p.own = len(d.text), d.chunks, d.first, 1
		p.at.Set(r.Source, r.Content)
	default:
		p.to = 0
	}
}

// endsUnit reports whether a text is one that people repeat: a line, lines of code, or
// sentences before a space.
func (d *repetition) endsUnit(text []byte) bool {
	trimmed := bytes.TrimRightFunc(text, unicode.IsSpace)
	space := text[len(trimmed):]
	if bytes.IndexByte(space, '\n') >= 0 {
		return !d.prose || bytes.IndexByte(trimmed, '\n') < 0
	}
	end, _ := utf8.DecodeLastRune(trimmed)
	return len(space) > 0 && unicode.Is(unicode.Sentence_Terminal, end)
}

// found returns how the block repeats its text.
func (d *repetition) found() Repetition {
	if !d.over && d.chunks >= minChunks {
		first, rest := d.text[:d.first], d.text[d.first:]
		if bytes.HasSuffix(first, rest) && utf8.RuneCount(rest) >= minShort {
			return FirstHasAll
		}
	}
	return d.kind
}

// once returns the text without the repetition that was found, if all of it was compared.
func (d *repetition) once() []byte {
	if d.found() == FirstHasAll {
		return d.text[:d.first]
	}
	return d.text[max(d.own, d.from):]
}

// maxPeriod is up to how many bytes of a text are tested for a period.
const maxPeriod = 256

// isPeriodic reports whether a text begins like a rule or laughter: with a part that is
// repeated at once.
func isPeriodic(text []byte) bool {
	text = text[:min(len(text), maxPeriod)]
	for n := 1; n <= len(text)/2; n++ {
		if bytes.HasPrefix(text, text[n:]) {
			return true
		}
	}
	return false
}

package lmc

import (
	"bytes"
	"hash/maphash"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
)

// TextDigest is what the tracker keeps of a text: enough to compare it with
// another one, in constant memory.
type TextDigest struct {
	Bytes int    // length
	Lines int    // line feeds
	Blank bool   // nothing but whitespace
	sum   uint64 // a hash, valid within one process
}

// Equal reports whether two texts are the same.
func (t *TextDigest) Equal(other *TextDigest) bool {
	return t.Bytes == other.Bytes && t.sum == other.sum
}

// DigestText returns the digest of a text.
func DigestText(s string) TextDigest {
	var w Digester
	w.Add([]byte(s))
	return w.Digest()
}

// seed differs from run to run: hashes are only compared with each other.
var seed = maphash.MakeSeed()

// Digester computes the digest of a text that arrives in pieces. The zero Digester is
// ready to use.
type Digester struct {
	gathered TextDigest // but for the sum
	nonBlank bool       // something other than whitespace
	sum      maphash.Hash
	object   []byte // the text, if it may be an object with code in it, which can be unwrapped only as a whole
}

// maxCall is how many bytes of an object are kept.
const maxCall = 256 << 10

// Reset begins another text.
func (w *Digester) Reset() {
	w.gathered, w.nonBlank, w.object = TextDigest{}, false, w.object[:0]
}

// Add adds a piece, or several joined ones.
func (w *Digester) Add(piece []byte) {
	isFirst := w.gathered.Bytes == 0
	if isFirst {
		w.sum.SetSeed(seed)
	}
	if len(w.object) == w.gathered.Bytes && len(w.object)+len(piece) <= maxCall && (!isFirst || bytes.HasPrefix(piece, []byte{'{'})) {
		w.object = append(w.object, piece...)
	}
	_, _ = w.sum.Write(piece) // never fails
	w.gathered.Bytes += len(piece)
	w.gathered.Lines += bytes.Count(piece, []byte{'\n'})
	w.nonBlank = w.nonBlank || len(bytes.TrimSpace(piece)) > 0
}

// Digest returns the digest of what was added so far.
func (w *Digester) Digest() TextDigest {
	t := w.gathered
	t.Blank = !w.nonBlank
	if t.Bytes > 0 {
		t.sum = w.sum.Sum64()
	}
	return t
}

// maxTail is how many bytes are kept of the beginning and the end of a review:
// enough for the longest closing tag.
const maxTail = 16

// openBlockText is what the tracker keeps of the open block's content. One
// block has it at a time, so that its memory is reused.
type openBlockText struct {
	first      source.PlaceRef // the content of the first chunk
	text       Digester        // of code and edits
	target     TextDigest      // of an edit
	repeats    repetition
	head, tail []byte // of a review
	piece      []byte // the current chunk, decoded
}

func (g *openBlockText) reset() {
	g.repeats.reset()
	g.text.Reset()
	g.target = TextDigest{}
	g.head, g.tail = g.head[:0], g.tail[:0]
}

// add adds the text of a chunk to the block, which has counted it, if text of
// the block's type is needed.
func (g *openBlockText) add(b *Block, r *Record) {
	if b.Contents == 1 {
		g.first.Set(r.Source, r.Content)
	}
	if r.Replaces() {
		g.repeats.stop()
	}
	if b.Type == "edit" && g.target.Bytes == 0 {
		if path := r.Key("target"); path != nil && path.Kind == source.String {
			g.target = DigestText(path.Text())
		}
	}
	message := b.Type == "message"
	if !message && !needsAllText(b.Type) || message && g.repeats.over {
		return
	}
	if message && len(r.Content.Raw()) > maxText {
		g.repeats.over = true // its text is not needed at all
		return
	}
	g.piece = r.Content.AppendText(g.piece[:0])
	g.repeats.prose = message
	g.repeats.add(g.piece, r)
	g.keepText(b.Type, g.piece)
}

// keepText adds the text of one chunk or more.
func (g *openBlockText) keepText(kind string, text []byte) {
	switch kind {
	case "code", "edit":
		g.text.Add(text)
	case "review":
		g.head = append(g.head, text[:min(len(text), maxTail-len(g.head))]...)
		g.tail = append(g.tail, text[max(0, len(text)-maxTail):]...)
		g.tail = append(g.tail[:0], g.tail[max(0, len(g.tail)-maxTail):]...)
	}
}

// needsAllText reports whether all text of blocks of a type is needed.
func needsAllText(kind string) bool { return isRun(kind) || kind == "review" }

// keepCode keeps the text of a code block.
func (g *openBlockText) keepCode(c *Code) {
	c.Target, c.Text = g.target, g.text.Digest()
	c.Sent = c.Text
	var object []byte // the text, if it may be one
	if len(g.text.object) == g.text.gathered.Bytes {
		object = g.text.object
	}
	switch {
	case g.repeats.found() == NoRepetition:
	case g.repeats.over:
		c.Lossy = true
	default:
		object = g.repeats.once()
		c.Text = DigestText(string(object))
	}
	if call, ok := unwrapObject(string(object)); ok {
		c.Call = &CalledCode{*call.language, DigestText(call.code)}
	}
}

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

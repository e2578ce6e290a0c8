package agreement

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// StreamedBlock is a block of the stream.
type StreamedBlock struct {
	Role, Type, Format string
	Text               lmc.TextDigest
	Place              source.Place // of its start

	kept         []byte                   // the text, if it has Text.Bytes bytes
	tail         []byte                   // the end of console output, surrogates not joined
	confirmation *lmc.ConfirmationRequest // what was confirmed, or nil
	lossy        bool                     // it may not be what was sent, which is already reported
	notRun       bool                     // code without output
	first        int                      // bytes of the first chunk
}

// Name names the block in messages.
func (b *StreamedBlock) Name() string { return lmc.Name(b.Role, b.Type, b.Format) }

// Name names the message in messages.
func (m *StoredMessage) Name() string { return lmc.Name(m.Role, m.Type, m.Format) }

// blockBuilder builds the block that is being streamed.
type blockBuilder struct {
	block   int // its number
	text    lmc.Digester
	kept    []byte
	tail    []byte
	first   int // bytes of the first chunk
	tooLong bool
	piece   []byte
	held    []byte // a high surrogate, whose pair may be completed
	longest int    // code points of the longest truncated output
}

// begin begins a block.
func (g *blockBuilder) begin(b *lmc.Block) {
	g.block, g.first, g.tooLong = b.Number, -1, false
	g.text.Reset()
	g.kept, g.tail, g.held = nil, g.tail[:0], nil
}

// add adds a content chunk, unless it is never stored.
func (g *blockBuilder) add(r *lmc.Record) {
	if r.Format == "active_line" || r.Content == nil || r.Content.Kind != source.String {
		return
	}
	if r.Replaces() {
		g.text.Reset()
		g.kept, g.tail, g.held = nil, g.tail[:0], nil
	}
	g.piece = r.Content.AppendExact(g.piece[:0])
	if g.first < 0 {
		g.first = len(g.piece)
	}
	if r.Type == "console" && g.longest > 0 {
		g.addTail()
	}
	if len(g.held) > 0 {
		g.piece = append(g.held, g.piece...)
	}
	g.piece, g.held = wtf8.CutHighSurrogate(wtf8.JoinSurrogates(g.piece))
	g.take(g.piece)
}

// take adds text whose surrogates are joined.
func (g *blockBuilder) take(text []byte) {
	g.text.Add(text)
	if len(g.kept)+len(text) > maxKept {
		g.tooLong, g.kept = true, nil
	}
	if !g.tooLong {
		g.kept = append(g.kept, text...)
	}
}

// spareTail is how many bytes are buffered beyond the tail, so that it is
// truncated rarely.
const spareTail = 64 << 10

// addTail keeps the end of console output.
func (g *blockBuilder) addTail() {
	g.tail = append(g.tail, g.piece...)
	if len(g.tail) > 4*g.longest+spareTail {
		g.tail = append(g.tail[:0], wtf8.Tail(g.tail, g.longest)...)
	}
}

// end returns the complete block.
func (g *blockBuilder) end(b *lmc.Block) *StreamedBlock {
	g.take(g.held)
	s := &StreamedBlock{
		Role: b.Role, Type: b.Type, Format: b.Format, Place: b.Start.Place(),
		lossy: b.Lossy || b.Cut || b.Stray || b.Invalid()&^lmc.InvalidLanguage != 0,
		Text:  g.text.Digest(), kept: g.kept, first: max(g.first, 0),
	}
	if b.Type == "console" {
		s.Format = "output"
		s.tail = slices.Clone(wtf8.Tail(g.tail, g.longest))
	}
	if b.Doubled() {
		s.undouble(g)
	}
	return s
}

// undouble removes the text that the block repeats.
func (b *StreamedBlock) undouble(g *blockBuilder) {
	if g.tooLong || g.first > len(g.kept) {
		b.lossy = true
		return
	}
	b.kept = g.kept[:g.first]
	b.Text = lmc.DigestText(string(b.kept))
}

// isBlank reports whether the block is never stored, or as an empty message.
func (b *StreamedBlock) isBlank() bool {
	return b.Type == "review" || b.Type == "console" && b.Text.Bytes == 0 && !b.lossy
}

// whole returns the text, if it is kept.
func (b *StreamedBlock) whole() (text []byte, ok bool) { return b.kept, len(b.kept) == b.Text.Bytes }

func (m *StoredMessage) whole() (text []byte, ok bool) { return m.kept, len(m.kept) == m.Text.Bytes }

// holdsJoined reports whether a message is the text of two blocks.
func (m *StoredMessage) holdsJoined(a, b *StreamedBlock) bool {
	if m.Text.Bytes != a.Text.Bytes+b.Text.Bytes || m.Text.Bytes == 0 {
		return false
	}
	text, ok := m.whole()
	first, ok1 := a.whole()
	second, ok2 := b.whole()
	return ok && ok1 && ok2 && bytes.HasPrefix(text, first) && bytes.HasSuffix(text, second)
}

package protocol

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/media"
	"github.com/lmclint/lmclint/internal/source"
)

// pictures looks at the images of one conversation. LMC401, LMC402 and LMC403
// ask about the same bytes, which are read once.
//
// A stream's image is judged chunk by chunk, but for an image that is split
// over chunks: that is one mistake, and LMC404's. A chunk that does not begin
// an image goes on with the one before, if that was not at its end.
type ImageScans struct {
	asked asked          // about which event
	last  ImageScan      // what it showed
	scan  *media.Scanner // nil before the first image
	text  []byte         // memory for a content with escapes
	block int            // the number of the one whose image may go on
	short *Shortage      // what that image lacks so far
}

// keptText is how many bytes of memory are kept for the next content.
const keptText = 1 << 20

// noLook is what an event without an image shows.
var noLook ImageScan

// asked names an event. Its address would not do: an event is valid during its
// delivery only.
type asked struct {
	kind   lmc.Kind
	record int
	block  int // its number, 0 if there is none
}

// look is what an event shows of an image.
type ImageScan struct {
	Record *lmc.Record // with the image; nil if there is none to judge
	Begins bool        // the image begins in the record
	Open   bool        // it ends inside a group of four characters
	Kind   media.Kind  // by its first bytes
	Head   []byte      // these, 12 at most
	Fault  media.Fault // in the record's content
	Short  *Shortage   // an image that is over lacks characters
}

// shortage is base64 that ends too early.
type Shortage struct {
	Missing int // as in media.Scanner.Missing
	Place   source.Place
}

// at looks at the image of an event.
func (p *ImageScans) At(e *lmc.Event) *ImageScan {
	if e.Block != nil && e.Block.Type != "image" && p.block == 0 {
		return &noLook
	}
	if e.Kind == lmc.Attachment && !HoldsImage(e.Record) {
		return &noLook
	}
	now := asked{kind: e.Kind, record: -1}
	if e.Block != nil {
		now.block = e.Block.Number
	}
	if e.Record != nil {
		now.record = e.Record.Source.Index
	}
	if p.asked != now {
		p.asked = now
		p.last = p.look(e)
	}
	return &p.last
}

func (p *ImageScans) look(e *lmc.Event) ImageScan {
	switch {
	case e.Kind == lmc.Closed:
		return ImageScan{Short: p.leave(e.Block)}
	case !HasText(e) || !HoldsImage(e.Record):
		return ImageScan{}
	case e.Kind == lmc.Content:
		return p.chunk(e.Record, e.Block)
	}
	l := p.read(e.Record, true)
	l.Short = p.lacks(e.Record)
	return l
}

// chunk looks at a chunk of an image block.
func (p *ImageScans) chunk(r *lmc.Record, b *lmc.Block) ImageScan {
	var before *Shortage
	begins := p.block != b.Number || media.Begins(r.Text()) != media.Unknown
	if begins {
		before = p.leave(b)
	}
	l := p.read(r, begins)
	l.Short = before
	p.block, p.short = b.Number, p.lacks(r)
	if p.scan.Complete() && p.short == nil && p.scan.Fault().Kind == media.Sound {
		p.block = 0
	}
	return l
}

// leave ends an image that might have gone on, and returns what it lacks. A
// block that lost a record may have lost just that.
func (p *ImageScans) leave(b *lmc.Block) *Shortage {
	if p.block != b.Number {
		return nil
	}
	short := p.short
	p.block, p.short = 0, nil
	if b.Lossy {
		return nil
	}
	return short
}

// read reads a content. Behind a mistake an image is not read on.
func (p *ImageScans) read(r *lmc.Record, begins bool) ImageScan {
	if p.scan == nil {
		p.scan = new(media.Scanner)
	}
	if begins {
		p.scan.Reset()
	}
	if p.scan.Fault().Kind != media.Sound {
		return ImageScan{}
	}
	p.add(r)
	return ImageScan{
		Record: r, Begins: begins, Open: p.scan.Missing() > 0,
		Kind: p.scan.Kind(), Head: p.scan.Head(), Fault: p.scan.Fault(),
	}
}

// add adds a content to the image. It is copied only if it holds escapes other
// than those of white space at its end.
func (p *ImageScans) add(r *lmc.Record) {
	text := r.Content.RawContent()
	if r.Content.Escaped() {
		text = trimEscapes(text)
		if r.Source.Python || bytes.IndexByte(text, '\\') >= 0 {
			p.text = r.Content.AppendText(p.text[:0])
			text = p.text
		}
	}
	p.scan.Add(text)
	if cap(p.text) > keptText {
		p.text = nil
	}
}

// trimEscapes cuts the escapes of white space from the end of a string.
func trimEscapes(raw []byte) []byte {
	for {
		n := len(raw) - 2
		if n < 0 || raw[n] != '\\' || strings.IndexByte("nrt", raw[n+1]) < 0 {
			return raw
		}
		raw = raw[:n]
	}
}

// lacks says what the image lacks if it ends with this record.
func (p *ImageScans) lacks(r *lmc.Record) *Shortage {
	missing := p.scan.Missing()
	if missing == 0 || p.scan.Fault().Kind != media.Sound {
		return nil
	}
	last := len(strings.TrimRight(r.Text(), " \t\r\n"))
	return &Shortage{missing, r.Source.PlaceIn(r.Content, max(0, last-1), last)}
}

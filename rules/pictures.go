package rules

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
type imageScans struct {
	asked asked          // about which event
	last  imageScan      // what it showed
	scan  *media.Scanner // nil before the first image
	text  []byte         // memory for a content with escapes
	block int            // the number of the one whose image may go on
	short *shortage      // what that image lacks so far
}

// keptText is how many bytes of memory are kept for the next content.
const keptText = 1 << 20

// noLook is what an event without an image shows.
var noLook imageScan

// asked names an event. Its address would not do: an event is valid during its
// delivery only.
type asked struct {
	kind   lmc.Kind
	record int
	block  int // its number, 0 if there is none
}

// look is what an event shows of an image.
type imageScan struct {
	record *lmc.Record // with the image; nil if there is none to judge
	begins bool        // the image begins in the record
	open   bool        // it ends inside a group of four characters
	kind   media.Kind  // by its first bytes
	head   []byte      // these, 12 at most
	fault  media.Fault // in the record's content
	short  *shortage   // an image that is over lacks characters
}

// shortage is base64 that ends too early.
type shortage struct {
	missing int // as in media.Scanner.Missing
	place   source.Place
}

// at looks at the image of an event.
func (p *imageScans) at(e *lmc.Event) *imageScan {
	if e.Block != nil && e.Block.Type != "image" && p.block == 0 {
		return &noLook
	}
	if e.Kind == lmc.Attachment && !holdsImage(e.Record) {
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

func (p *imageScans) look(e *lmc.Event) imageScan {
	switch {
	case e.Kind == lmc.Closed:
		return imageScan{short: p.leave(e.Block)}
	case !hasText(e) || !holdsImage(e.Record):
		return imageScan{}
	case e.Kind == lmc.Content:
		return p.chunk(e.Record, e.Block)
	}
	l := p.read(e.Record, true)
	l.short = p.lacks(e.Record)
	return l
}

// chunk looks at a chunk of an image block.
func (p *imageScans) chunk(r *lmc.Record, b *lmc.Block) imageScan {
	var before *shortage
	begins := p.block != b.Number || media.Begins(r.Text()) != media.Unknown
	if begins {
		before = p.leave(b)
	}
	l := p.read(r, begins)
	l.short = before
	p.block, p.short = b.Number, p.lacks(r)
	if p.scan.Complete() && p.short == nil && p.scan.Fault().Kind == media.Sound {
		p.block = 0
	}
	return l
}

// leave ends an image that might have gone on, and returns what it lacks. A
// block that lost a record may have lost just that.
func (p *imageScans) leave(b *lmc.Block) *shortage {
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
func (p *imageScans) read(r *lmc.Record, begins bool) imageScan {
	if p.scan == nil {
		p.scan = new(media.Scanner)
	}
	if begins {
		p.scan.Reset()
	}
	if p.scan.Fault().Kind != media.Sound {
		return imageScan{}
	}
	p.add(r)
	return imageScan{
		record: r, begins: begins, open: p.scan.Missing() > 0,
		kind: p.scan.Kind(), head: p.scan.Head(), fault: p.scan.Fault(),
	}
}

// add adds a content to the image. It is copied only if it holds escapes other
// than those of white space at its end.
func (p *imageScans) add(r *lmc.Record) {
	text, known := r.Content.RawContent(), r.Content.Base64()
	if r.Content.Escaped() {
		text = trimEscapes(text)
		if r.Source.Python || bytes.IndexByte(text, '\\') >= 0 {
			p.text = r.Content.AppendText(p.text[:0])
			text, known = p.text, 0
		}
	}
	p.scan.Add(text, known)
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
func (p *imageScans) lacks(r *lmc.Record) *shortage {
	missing := p.scan.Missing()
	if missing == 0 || p.scan.Fault().Kind != media.Sound {
		return nil
	}
	last := len(strings.TrimRight(r.Text(), " \t\r\n"))
	return &shortage{missing, r.Source.PlaceIn(r.Content, max(0, last-1), last)}
}

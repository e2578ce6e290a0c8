package protocol

import (
	"strings"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/internal/source"
)

// imageScans scans the images of one conversation, for rules that report different
// mistakes in the same bytes: LMC401, LMC402, LMC403 and LMC410.
//
// The image of a stream is checked chunk by chunk, except an image that is
// split over chunks: that is one mistake, which LMC404 reports. A chunk that
// does not start an image continues the previous one, unless that was complete.
type imageScans struct {
	scan  *media.Scanner // nil before the first image
	block int            // number of the block whose image may continue, or 0
	short *Shortage      // what that image lacks so far, or nil
}

// ImageScan is the result of scanning the image of the current event.
type ImageScan struct {
	IsImage bool        // the event's record has an image to check
	Begins  bool        // the image starts in the record
	Open    bool        // the base64 ends inside a group of four characters
	Kind    media.Kind  // detected from its first bytes
	Head    []byte      // its first bytes, at most 12
	Fault   media.Fault // in the record's content
	Space   media.Space // the same
	Short   *Shortage   // an image that has ended is incomplete
}

// Shortage is an image that ends too early: in the middle of its base64, or in
// complete base64 of a part of the image.
type Shortage struct {
	Missing int          // characters of base64, as in media.Scanner.Missing; 0 if the base64 is complete
	Kind    media.Kind   // of the image
	Place   source.Place // its last character
}

// event scans the image of an event.
func (p *imageScans) event(kind lmc.Kind, event any) ImageScan {
	switch e := event.(type) {
	case *lmc.ClosedEvent:
		return ImageScan{Short: p.endImage(e.Block)}
	case *lmc.UnclosedEvent, *lmc.TruncatedEvent:
		if p.block == lmc.PartOf[lmc.Block](e).Number {
			return ImageScan{Short: p.short} // if it ends there
		}
	case *lmc.ContentEvent:
		switch {
		case !(lmc.Content | lmc.Attachment).Is(kind), !HasText(e), !HoldsImage(e.Record):
		case e.Block != nil:
			return p.scanChunk(e.Record, e.Block)
		default:
			l := p.scanRecord(e.Record, true)
			l.Short = p.shortage(e.Record)
			return l
		}
	}
	return ImageScan{}
}

// scanChunk scans a chunk of an image block.
func (p *imageScans) scanChunk(r *lmc.Record, b *lmc.Block) ImageScan {
	var before *Shortage
	begins := p.block != b.Number || media.Begins(r.Text()) != media.Unknown
	if begins {
		before = p.endImage(b)
	}
	l := p.scanRecord(r, begins)
	l.Short = before
	p.block, p.short = b.Number, p.shortage(r)
	if p.scan.Complete() && p.short == nil && p.scan.Fault().Kind == media.Sound {
		p.block = 0
	}
	return l
}

// endImage ends an image that might have continued, and returns what it lacks. If
// the block is lossy, the missing part may be in the lost record.
func (p *imageScans) endImage(b *lmc.Block) *Shortage {
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

// scanRecord scans a content. After a fault the image is not scanned any further.
func (p *imageScans) scanRecord(r *lmc.Record, begins bool) ImageScan {
	if p.scan == nil {
		p.scan = new(media.Scanner)
	}
	if begins {
		p.scan.Reset()
	}
	if p.scan.Fault().Kind != media.Sound {
		return ImageScan{}
	}
	p.scan.Add(r.Content.Bytes())
	return ImageScan{
		IsImage: true, Begins: begins, Open: p.scan.Missing() > 0,
		Kind: p.scan.Kind(), Head: p.scan.Head(), Fault: p.scan.Fault(), Space: p.scan.Space(),
	}
}

// shortage returns what the image lacks if it ends with this record, or nil.
func (p *imageScans) shortage(r *lmc.Record) *Shortage {
	missing := p.scan.Missing()
	if p.scan.Fault().Kind != media.Sound || missing == 0 && !p.scan.Truncated() {
		return nil
	}
	last := len(strings.TrimRight(r.Text(), " \t\r\n"))
	return &Shortage{missing, p.scan.Kind(), r.Source.PlaceIn(r.Content, max(0, last-1), last)}
}

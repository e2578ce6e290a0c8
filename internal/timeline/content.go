package timeline

import (
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/media"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// contentBuilder collects what a block says, in bounded memory.
type contentBuilder struct {
	recorder *Recorder
	head     []byte
	tail     []byte // the last bytes, more than tailBytes at times
	size     int64  // of the text so far
	binary   int64  // bytes of binary frames
	image    bool   // the text is an image in base64
	scanner  *media.Scanner
	scratch  []byte
}

// reset begins another block.
func (b *contentBuilder) reset(image bool) {
	b.head, b.tail, b.size, b.binary, b.image = b.head[:0], b.tail[:0], 0, 0, image
	if image {
		if b.scanner == nil {
			b.scanner = &media.Scanner{}
		}
		b.scanner.Reset()
	}
}

// maxScratch is how large the memory for a decoded text may be that is used
// again.
const maxScratch = 1 << 20

// add appends the content of a record.
func (b *contentBuilder) add(r *lmc.Record) {
	switch {
	case r.Binary:
		b.binary += int64(base64.StdEncoding.DecodedLen(len(r.Source.Data)))
	case r.Content == nil:
	case r.Content.Kind != source.String:
		b.append(r.Content.Raw())
	default:
		b.scratch = r.Content.AppendText(b.scratch[:0])
		b.append(b.scratch)
		if cap(b.scratch) > maxScratch {
			b.scratch = nil
		}
	}
}

// append appends a text.
func (b *contentBuilder) append(text []byte) {
	b.size += int64(len(text))
	most := headBytes
	switch used := b.recorder.textBytes; {
	case b.image:
		b.scanner.Add(text)
		most = maxImageBytes
	case used >= maxAllBytes:
		return
	case used >= maxTextBytes:
		most = shortHeadBytes
	}
	n := min(len(text), max(0, most-len(b.head)))
	b.head = append(b.head, text[:n]...)
	if text = text[n:]; len(text) == 0 || most < tailBytes {
		return
	}
	b.tail = append(b.tail, text[max(0, len(text)-tailBytes):]...)
	if len(b.tail) > 4*tailBytes {
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-tailBytes:]...)
	}
}

// content returns what the block says, nil if it is nothing.
func (b *contentBuilder) content() *Content {
	if b.size == 0 && b.binary == 0 {
		return nil
	}
	c := &Content{Binary: b.binary}
	if b.image {
		if c.Image, c.MediaType = b.picture(); c.Image == "" {
			c.Binary += int64(base64.StdEncoding.DecodedLen(int(b.size)))
		}
		b.recorder.imagesBytes += len(c.Image)
		return c
	}
	tail := b.tail
	if kept := int64(len(b.head) + len(tail)); kept < b.size && len(tail) > tailBytes {
		tail = tail[len(tail)-tailBytes:]
	}
	head := string(b.head)
	c.Omitted = b.size - int64(len(b.head)) - int64(len(tail))
	if c.Omitted > 0 {
		head = head[:value.PartialRune(b.head)]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		c.Tail = strings.ToValidUTF8(string(tail), "\uFFFD")
		c.Omitted = b.size - int64(len(head)) - int64(len(tail))
	} else {
		head += string(tail)
	}
	c.Head = strings.ToValidUTF8(head, "\uFFFD")
	b.recorder.textBytes += len(c.Head) + len(c.Tail)
	return c
}

// maxPixels is how many pixels an image has at most that a page shows.
const maxPixels = 40 << 20

// picture returns the image in base64, if it is whole, a valid PNG or JPEG by
// its structure and header, and small enough.
func (b *contentBuilder) picture() (text, mediaType string) {
	s := b.scanner
	if b.size > int64(len(b.head)) || s.Fault().Kind != media.Sound || !s.Complete() || s.Truncated() ||
		b.recorder.imagesBytes+len(b.head) > maxImagesBytes {
		return "", ""
	}
	text = strings.TrimRight(string(b.head), " \t\r\n")
	data := base64.NewDecoder(base64.StdEncoding, strings.NewReader(text))
	var header func(io.Reader) (image.Config, error)
	switch s.Kind() {
	case media.PNG:
		header, mediaType = png.DecodeConfig, "image/png"
	case media.JPEG:
		header, mediaType = jpeg.DecodeConfig, "image/jpeg"
	default:
		return "", ""
	}
	size, err := header(data)
	if err != nil || size.Width <= 0 || size.Height <= 0 || int64(size.Width)*int64(size.Height) > maxPixels {
		return "", ""
	}
	return text, mediaType
}

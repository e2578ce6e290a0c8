package timeline

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// contentBuilder collects what a block says, in bounded memory.
type contentBuilder struct {
	recorder *Recorder
	text     *blocks.TextBuilder
	binary   int64 // bytes of binary frames
	image    bool  // the text is an image in base64
}

// newContent begins the content of a block. How much of its text is kept depends on what
// is kept of other blocks already.
func (r *Recorder) newContent(image bool) *contentBuilder {
	most, tail := wholeBytes, tailBytes
	switch {
	case image:
		most, tail = maxImageBytes, 0
	case r.textBytes >= maxAllBytes:
		most, tail = 0, 0
	case r.textBytes >= maxTextBytes:
		most, tail = shortHeadBytes, 0
	}
	return &contentBuilder{recorder: r, text: blocks.NewTextBuilder(most, tail), image: image}
}

// add appends the content of a record.
func (b *contentBuilder) add(r *lmc.Record) {
	switch {
	case r.Binary:
		b.binary += int64(base64.StdEncoding.DecodedLen(len(r.Source.Data)))
	case r.Content == nil:
	case r.Content.Kind != source.String:
		b.text.Add(bytes.Clone(r.Content.Raw()))
	default:
		b.text.AddContent(r)
	}
}

// content returns what the block says, nil if it is nothing.
func (b *contentBuilder) content() *Content {
	text := b.text.Text()
	if text.Bytes == 0 && b.binary == 0 {
		return nil
	}
	c := &Content{Binary: b.binary}
	if b.image {
		if c.Image, c.MediaType = b.recorder.picture(&text); c.Image == "" {
			c.Binary += int64(base64.StdEncoding.DecodedLen(int(text.Bytes)))
		}
		b.recorder.imagesBytes += len(c.Image)
		return c
	}
	head, tail := text.Head, text.Tail
	if _, whole := text.Whole(); !whole {
		head = head[:value.PartialRune(head)]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		c.Omitted = text.Bytes - int64(len(head)) - int64(len(tail))
	}
	c.Head, c.Tail = strings.ToValidUTF8(string(head), "\uFFFD"), strings.ToValidUTF8(string(tail), "\uFFFD")
	b.recorder.textBytes += len(c.Head) + len(c.Tail)
	return c
}

// maxPixels is how many pixels an image has at most that a page shows.
const maxPixels = 40 << 20

// picture returns an image in base64, if it is whole, a valid PNG or JPEG by
// its structure and header, and small enough.
func (r *Recorder) picture(content *blocks.Text) (text, mediaType string) {
	if _, whole := content.Whole(); !whole || r.imagesBytes+len(content.Head) > maxImagesBytes {
		return "", ""
	}
	var s media.Scanner
	s.Reset()
	s.Add(content.Head)
	if s.Fault().Kind != media.Sound || !s.Complete() || s.Truncated() {
		return "", ""
	}
	text = strings.TrimRight(string(content.Head), " \t\r\n")
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

package sample

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
)

const side = 256 // pixels in a row

// noise returns an image that does not compress.
func noise(rng *rand.Rand, rows int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, side, max(rows, 1)))
	for i := 0; i+4 <= len(m.Pix); i += 4 {
		n := rng.Uint32()
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = byte(n), byte(n>>8), byte(n>>16), 0xff
	}
	return m
}

// base64PNG returns a PNG image of about size bytes before base64.
func base64PNG(rng *rand.Rand, size int) string {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	if err := encoder.Encode(&b, noise(rng, size/(3*side))); err != nil {
		panic(err) // a buffer takes every byte, and the picture is well-formed
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// base64JPEG returns a JPEG image of about size bytes before base64.
func base64JPEG(rng *rand.Rand, size int) string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, noise(rng, size/(2*side)), &jpeg.Options{Quality: 85}); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// Sizes of the images of an album in bytes, before base64.
const (
	smallestImage = 50 << 10
	largestImage  = 500 << 10
)

// WriteAlbum writes a transcript of that many bytes, plus at most one exchange,
// that consists mostly of images.
func WriteAlbum(w io.Writer, seed uint64, bytes int64) error {
	a := newAuthor(rand.New(rand.NewPCG(seed, 4)), Mixed)
	array := arrayWriter{w: w}
	for array.err == nil && (array.records == 0 || array.written < bytes) {
		a.records = a.records[:0]
		a.exchange()
		a.illustrate()
		array.add(a.records)
		array.flush()
	}
	if err := array.close(); err != nil {
		return fmt.Errorf("write the album: %w", err)
	}
	return nil
}

// illustrate adds images of the user and of the computer.
func (a *author) illustrate() {
	a.add(userMessage.content("What is in these images?"))
	a.add(header{"user", "image", "base64.png"}.content(base64PNG(a.rng, a.imageSize())))
	a.add(header{"user", "image", "base64.jpeg"}.content(base64JPEG(a.rng, a.imageSize())))
	a.add(header{"assistant", "code", "python"}.content("plt.show()"))
	a.add(header{"computer", "image", "base64.png"}.content(base64PNG(a.rng, a.imageSize()) + "\n"))
	a.add(assistantMessage.content("Here is your plot."))
}

func (a *author) imageSize() int { return between(a.rng, smallestImage, largestImage) }

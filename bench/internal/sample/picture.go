package sample

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
)

const side = 256 // pixels in a row

// noise is a picture that does not compress.
func noise(rng *rand.Rand, rows int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, side, max(rows, 1)))
	for i := 0; i+4 <= len(m.Pix); i += 4 {
		n := rng.Uint32()
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = byte(n), byte(n>>8), byte(n>>16), 0xff
	}
	return m
}

// base64PNG is a PNG image of about size bytes before base64.
func base64PNG(rng *rand.Rand, size int) string {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	if err := encoder.Encode(&b, noise(rng, size/(3*side))); err != nil {
		panic(err) // a buffer takes every byte, and the picture is well-formed
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// base64JPEG is a JPEG image of about size bytes before base64.
func base64JPEG(rng *rand.Rand, size int) string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, noise(rng, size/(2*side)), &jpeg.Options{Quality: 85}); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

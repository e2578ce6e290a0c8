package sample

import (
	"fmt"
	"io"
	"math/rand/v2"
)

// Sizes of the images of an album in bytes, before base64.
const (
	smallestImage = 50 << 10
	largestImage  = 500 << 10
)

// WriteAlbum writes a transcript of that many bytes, and one exchange more at
// most, in which nearly all is images.
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

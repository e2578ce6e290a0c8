package rules_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/lint"
)

// bigPNG is a PNG of chunks of so many bytes, as far as anybody follows it.
func bigPNG(random *rand.Rand, sizes ...int) []byte {
	image := []byte("\x89PNG\r\n\x1a\n")
	for _, size := range sizes {
		image = binary.BigEndian.AppendUint32(image, uint32(size))
		image = append(append(image, "IDAT"...), noise(random, size+4, 256)...)
	}
	return append(image, "\x00\x00\x00\x00IEND\xae\x42\x60\x82"...)
}

// bigJPEG is a JPEG of so many bytes of pixels.
func bigJPEG(random *rand.Rand, size int) []byte {
	image := append([]byte("\xff\xd8\xff\xe0\x00\x06abcd\xff\xda\x00\x02"), noise(random, size, 255)...)
	for i := 200; i+1 < size; i += 700 {
		image[i], image[i+1] = 0xFF, 0
	}
	return append(image, "\xff\xd9"...)
}

func noise(random *rand.Rand, size, below int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(random.IntN(below))
	}
	return data
}

// Images are looked at by nobody but those who found their ends, and long
// lists are read ahead; mistakes are found all the same.
func TestLanesAgreeOnImages(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var list []string
	for i := range 96 {
		format, data := "base64.png", bigPNG(random, random.IntN(100_000), 10, random.IntN(30_000))
		if i%3 == 0 {
			format, data = "base64.jpeg", bigJPEG(random, 1000+random.IntN(150_000))
		}
		text := base64.StdEncoding.EncodeToString(data)
		list = append(list, fmt.Sprintf(`{"role": "user", "type": "image", "format": "%s", "content": "%s"}`, format, damaged(random, text, i)))
	}
	both := newLanes(lint.Config{Dialect: "interpreter"})
	transcript := "[" + strings.Join(list, ",\n") + "]"
	both.agree(t, []byte(transcript))
	both.agreeAhead(t, []byte(transcript))
	both.agree(t, []byte(strings.Join(list, "\n")+"\n"))
}

// damaged makes a mistake of one of many kinds in every second image.
func damaged(random *rand.Rand, text string, kind int) string {
	at := random.IntN(len(text))
	switch kind % 24 {
	case 1:
		return text[:at] + "*" + text[at:]
	case 3:
		return text[:at] + "-" + text[at+1:]
	case 5:
		return text[:at] + `\n` + text[at:]
	case 7:
		return strings.TrimRight(text, "=") + "="
	case 9:
		return text + text
	case 11:
		return text + `\nafter plot\n`
	case 13:
		return text[:at]
	case 15:
		return text[:at] + `\u0041` + text[at+1:]
	case 17:
		return text[:at] + "ä" + text[at:]
	case 19:
		return text[:at] + "=" + text[at:]
	case 21:
		return text + `\n`
	case 23:
		return "data:image/png;base64," + text
	}
	return text
}

package media_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/media"
)

// noise is a picture that does not compress, so that its data is long and
// full of every byte.
func noise(t testing.TB, side int) image.Image {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(side)))
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			m.Set(x, y, color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255})
		}
	}
	return m
}

func pngOf(t testing.TB, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, noise(t, side)))
	return b.Bytes()
}

func jpegOf(t testing.TB, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, noise(t, side), nil))
	return b.Bytes()
}

func gifOf(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black, color.White})
	require.NoError(t, gif.Encode(&b, m, nil))
	return b.Bytes()
}

func encode(parts ...[]byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Join(parts, nil))
}

func scanned(pieces ...string) *media.Scanner {
	s := new(media.Scanner)
	s.Reset()
	for _, piece := range pieces {
		s.Add([]byte(piece))
	}
	return s
}

// segment is a JPEG segment of that marker.
func segment(marker byte, data string) []byte {
	n := len(data) + 2
	return append([]byte{0xFF, marker, byte(n >> 8), byte(n)}, data...)
}

// with inserts segments after the SOI marker of a JPEG.
func with(image []byte, segments ...[]byte) []byte {
	head := append([]byte{}, image[:2]...)
	return append(append(head, bytes.Join(segments, nil)...), image[2:]...)
}

func TestValidImagesHaveNoFault(t *testing.T) {
	thumbnail := string(jpegOf(t, 4))
	cases := map[string]struct {
		data []byte
		kind media.Kind
	}{
		"png of one pixel":                           {pngOf(t, 1), media.PNG},
		"png of several blocks":                      {pngOf(t, 90), media.PNG},
		"jpeg of one pixel":                          {jpegOf(t, 1), media.JPEG},
		"jpeg of several blocks, with stuffed bytes": {jpegOf(t, 200), media.JPEG},
		"jpeg with a thumbnail inside":               {with(jpegOf(t, 8), segment(0xE1, "Exif\x00\x00"+thumbnail)), media.JPEG},
		"jpeg with a short APP2":                     {with(jpegOf(t, 8), segment(0xE2, "abc")), media.JPEG},
		"jpeg with an empty segment":                 {with(jpegOf(t, 8), segment(0xFE, "")), media.JPEG},
		"gif":                                        {gifOf(t), media.GIF},
		"webp":                                       {[]byte("RIFF\x10\x00\x00\x00WEBPVP8L\x04\x00\x00\x00abcd"), media.WebP},
		"svg":                                        {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), media.SVG},
		"text":                                       {[]byte("Hello, world!"), media.Unknown},
		"nothing":                                    {nil, media.Unknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, end := range []string{"", "\n", " \r\n\t\n"} {
				s := scanned(encode(c.data) + end)
				assert.Equal(t, media.Fault{}, s.Fault())
				assert.Equal(t, c.kind, s.Kind())
				assert.Equal(t, int64(len(c.data)), s.Bytes())
				assert.Zero(t, s.Missing())
			}
		})
	}
}

func TestFaults(t *testing.T) {
	image := encode(pngOf(t, 90)) // several blocks long
	cases := map[string]struct {
		text    string
		kind    media.FaultKind
		at, end int
	}{
		"a foreign character":         {image[:9000] + "*" + image[9001:], media.Foreign, 9000, 9001},
		"a character of two bytes":    {image[:10] + "é" + image[10:], media.Foreign, 10, 12},
		"the first character":         {"." + image, media.Foreign, 0, 1},
		"the URL-safe alphabet":       {image[:7001] + "_" + image[7002:], media.URLSafe, 7001, 7002},
		"padding after one character": {"QUJDQ=", media.Padding, 5, 6},
		"padding after none":          {"QUJD=", media.Padding, 4, 5},
		"padding too long":            {"QQ===", media.Padding, 4, 5},
		"half a padding":              {"QQ=QUJD", media.Padding, 3, 4},
		"a data: URL":                 {"data:image/png;base64," + image, media.DataURL, 0, 22},
		"a data: URL without a comma": {"DATA:image", media.DataURL, 0, 5},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, media.Fault{Kind: c.kind, At: c.at, End: c.end}, scanned(c.text).Fault())
		})
	}
}

// Whitespace is no fault, and what remains without it is scanned.
func TestSpace(t *testing.T) {
	image := encode(pngOf(t, 90))
	for text, want := range map[string]media.Space{
		image[:76] + "\n" + image[76:]:                                  {At: 76, End: 77},
		image[:5000] + "\r\n\n" + image[5000:9000] + " " + image[9000:]: {At: 5000, End: 5003},

		" " + image + "\n": {At: 0, End: 1},
		image + "\n":       {},
	} {
		s := scanned(text)
		assert.Equal(t, want, s.Space())
		assert.Equal(t, media.Fault{}, s.Fault())
		assert.True(t, s.Complete() && !s.Truncated())
		assert.Equal(t, media.PNG, s.Kind())
	}
	assert.Equal(t, media.Space{At: 3, End: 4}, scanned("QQ=\n=").Space(), "within the padding")
	assert.Equal(t, media.Fault{Kind: media.Foreign, At: 78, End: 79}, scanned(image[:76]+"\n"+image[76:77]+"*").Fault())
}

func TestMissing(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "Q": 3, "QQ": 2, "QQ=": 1, "QQ==": 0, "QUI": 1, "QUI=": 0, "QUJD": 0, "QUJDQQ\n": 2,
	} {
		assert.Equal(t, want, scanned(text).Missing(), text)
	}
}

func TestTrailing(t *testing.T) {
	cases := map[string]struct {
		before, after string
		next          media.Kind
		text          bool
	}{
		"a second image":               {"", encode(pngOf(t, 1)), media.PNG, false},
		"a second image on a new line": {"\n", encode(jpegOf(t, 1)) + "\n", media.JPEG, false},
		"a word on a new line":         {"\n", "after\n", media.Unknown, true},
		"text":                         {"", "not an image", media.Unknown, true},
		"text of equals signs":         {"\n", "=====\n", media.Unknown, true},
		"text of another alphabet":     {"", "äöü", media.Unknown, true},
		"more base64":                  {"", "QUJDQUJD", media.Unknown, false},
	}
	for _, side := range []int{1, 2, 3, 4, 5, 6, 90} { // all lengths of the last group
		for format, data := range map[string][]byte{"png": pngOf(t, side), "jpeg": jpegOf(t, side)} {
			for name, c := range cases {
				t.Run(format+" and "+name, func(t *testing.T) {
					image := encode(data)
					f := scanned(image + c.before + c.after).Fault()
					assert.Equal(t, media.Trailing, f.Kind)
					assert.Equal(t, len(image)+len(c.before), f.At)
					assert.Equal(t, c.next, f.Next)
					assert.Equal(t, c.text, f.Text)
					assert.Equal(t, strings.HasSuffix(image, "="), f.Padded)
				})
			}
		}
	}
}

// Bytes that were appended before the encoding do not begin a group.
func TestTrailingBytes(t *testing.T) {
	for side := range 8 {
		for _, data := range [][]byte{pngOf(t, side+1), jpegOf(t, 40+side)} {
			for next, more := range map[media.Kind][]byte{
				media.PNG: pngOf(t, 1), media.GIF: gifOf(t), media.Unknown: make([]byte, 40),
			} {
				f := scanned(encode(data, more)).Fault()
				assert.Equal(t, media.Trailing, f.Kind)
				assert.Equal(t, next, f.Next)
				assert.Equal(t, (len(data)*8+5)/6, f.At, "the first character with nothing of the image")
				assert.False(t, f.Text)
			}
		}
	}
}

// A marker is found at any offset in its quantum, and after any bytes.
func TestEndOfPixelsIsFoundAtAnyOffset(t *testing.T) {
	start := "\xff\xd8\xff\xda\x00\x02"
	for _, fill := range []string{"a", "\x0f", "\xf0", "\xfe", "\x7f", "\x00", "\xff\x00", "\xff\xd0"} {
		for n := 8; n < 60; n++ {
			image := []byte(start + strings.Repeat(fill, n) + "\xff\xd9")
			assert.Equal(t, media.Fault{}, scanned(encode(image)).Fault(), "%d of %q", n, fill)
			f := scanned(encode(image, make([]byte, 40))).Fault()
			assert.Equal(t, media.Trailing, f.Kind)
			assert.Equal(t, (len(image)*8+5)/6, f.At, "%d of %q", n, fill)
		}
	}
}

// Scanning blocks finds the same end as scanning single quanta.
func TestBlocksFindTheSameEndAsQuanta(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const codes = "\x00\x00\x00\x00\xd0\xd7\xd9\xff\xd8\x01"
	for range 3000 {
		image := []byte("\xff\xd8\xff\xe0\x00\x06abcd\xff\xda\x00\x02")
		for range 300 {
			image = append(image, byte(random.IntN(255)))
			if random.IntN(60) == 0 {
				image = append(image, 0xFF, codes[random.IntN(len(codes)-random.IntN(5))])
			}
		}
		text := encode(image)
		if random.IntN(4) == 0 {
			at := random.IntN(len(text))
			text = text[:at] + "*" + text[at+1:]
		}
		whole, few, from := scanned(text), scanned(), 0
		for ; from < len(text) && few.Fault().Kind == media.Sound; from += 4 {
			few.Add([]byte(text[from : from+4]))
		}
		if fault := whole.Fault(); fault.Kind != media.Sound {
			assert.Equal(t, fault.At, from-4+few.Fault().At)
		}
		assert.Equal(t, few.Fault().Kind, whole.Fault().Kind)
		assert.Equal(t, few.Complete(), whole.Complete())
	}
}

func TestInvalidStructureIsNotFollowed(t *testing.T) {
	whole := pngOf(t, 8)
	badLength := bytes.Clone(whole)
	badLength[8] = 0xFF
	badType := bytes.Clone(whole)
	badType[12] = '1'
	photo := jpegOf(t, 8)
	cases := map[string][]byte{
		"png cut short":                whole[:len(whole)-3],
		"png with a negative length":   append(badLength, "more"...),
		"png with a type of no letter": append(badType, "more"...),
		"jpeg cut short":               photo[:len(photo)-1],
		"jpeg without a marker":        []byte("\xff\xd8\xff\xe0\x00\x04abxyz123\xff\xd9more"),
		"jpeg with a length of one":    []byte("\xff\xd8\xff\xe0\x00\x01abxyz123\xff\xd9more"),
		"jpeg inside a jpeg":           append(photo[:len(photo)-2:len(photo)-2], photo...),
		"jpeg without anything":        []byte("\xff\xd8\xff\xd9 and more"),
		"several pictures in one file": append(with(photo, segment(0xE2, "MPF\x00II*\x00")), photo...),
	}
	for name, data := range cases {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, media.Fault{}, scanned(encode(data)).Fault())
		})
	}
}

func TestBegins(t *testing.T) {
	assert.Equal(t, media.PNG, media.Begins(encode(pngOf(t, 1))))
	assert.Equal(t, media.JPEG, media.Begins(encode(jpegOf(t, 1))))
	assert.Equal(t, media.Unknown, media.Begins("iVBO"))
	assert.Equal(t, media.Unknown, media.Begins(""))
}

func TestNamed(t *testing.T) {
	for format, want := range map[string]media.Kind{
		"base64": media.PNG, "base64.png": media.PNG, "base64.jpeg": media.JPEG, "base64.webp": media.WebP,
		"base64.gif": media.GIF, "base64.thing": media.Unknown,
	} {
		assert.Equal(t, want, media.Named(format), format)
	}
}

func TestKindsHaveNames(t *testing.T) {
	for k := media.Unknown; k <= media.PDF; k++ {
		assert.NotEmpty(t, k.String())
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	text := encode(jpegOf(t, 100)) + "\n"
	raw := []byte(text)
	s := new(media.Scanner)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		s.Reset()
		s.Add(raw)
	}))
}

package media_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/model/media"
)

// FuzzScanner holds the scanner against encoding/base64, and against itself
// on the text in two pieces.
func FuzzScanner(f *testing.F) {
	f.Add(encode(pngOf(f, 2)), 30)
	f.Add(encode(jpegOf(f, 2))+"\nafter plot\n", 100)
	f.Add(encode(gifOf(f), pngOf(f, 1)), 7)
	f.Add("data:image/png;base64,iVBO", 3)
	f.Add("QQ=\n=", 4)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		s := scanned(text)
		fault := s.Fault()
		if fault.Kind != media.Sound {
			assert.True(t, 0 <= fault.At && fault.At < fault.End && fault.End <= len(text), "%+v", fault)
		}
		agrees(t, text, s)
		if cut >= 0 && cut <= len(text) {
			agreesInPieces(t, text, cut, fault)
		}
	})
}

// agrees checks that a text is base64 to the scanner just if it is to
// encoding/base64.
func agrees(t *testing.T, text string, s *media.Scanner) {
	t.Helper()
	if s.Space().End > 0 {
		text = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(text)
	}
	text = strings.TrimRight(text, " \t\r\n")
	data, err := base64.StdEncoding.DecodeString(text)
	valid := err == nil && !strings.ContainsAny(text, "\r\n")
	switch {
	case s.Fault().Kind == media.Trailing:
	case valid:
		assert.Equal(t, media.Sound, s.Fault().Kind)
		assert.Zero(t, s.Missing())
		assert.Equal(t, int64(len(data)), s.Bytes())
	default:
		assert.True(t, s.Fault().Kind != media.Sound || s.Missing() > 0, "%q is not base64", text)
	}
}

func agreesInPieces(t *testing.T, text string, cut int, whole media.Fault) {
	t.Helper()
	first := text[:cut]
	if whole.Kind == media.DataURL || strings.TrimRight(first, " \t\r\n") != first {
		return // the two are not the same text then
	}
	s := scanned(first, text[cut:])
	if s.Fault().Kind != media.DataURL {
		assert.Equal(t, whole.Kind, s.Fault().Kind)
	}
}

// FuzzStructure gives the walkers a signature followed by arbitrary bytes.
func FuzzStructure(f *testing.F) {
	f.Add(pngOf(f, 3))
	f.Add(jpegOf(f, 3))
	f.Add([]byte("\xff\xd8\xff\xe2\x00\x06MPF\x00\xff\xda\x00\x02\xff\x00\xff\xd0\xff\xff\xd9more"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, signature := range []string{"", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff"} {
			image := append([]byte(signature), data...)
			text := encode(image)
			fault := scanned(text).Fault()
			if fault.Kind == media.Sound {
				continue
			}
			assert.Equal(t, media.Trailing, fault.Kind)
			whole := fault.At * 6 / 8
			again := scanned(encode(image[:whole])).Fault()
			assert.Equal(t, media.Sound, again.Kind, "an image up to its end is whole")
		}
	})
}

package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// Whatever stands behind base64, and wherever, is none of it.
func TestCountBase64(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for c := range 256 {
		for at := range 40 {
			text := []byte(strings.Repeat(alphabet, 2))
			text[at] = byte(c)
			want := at
			if strings.IndexByte(alphabet, byte(c)) >= 0 {
				want = len(text)
			}
			assert.Equal(t, want, source.CountBase64(text), "%q at %d", c, at)
			assert.Equal(t, min(want, at+1), source.CountBase64(text[:at+1]), "%q at the end", c)
		}
	}
	assert.Zero(t, source.CountBase64(nil))
}

// Going on with a text that ended within an image finds what looking at all of
// it finds.
func TestResume(t *testing.T) {
	image := strings.Repeat("QUJD+/09", 20)
	rec, err := embedded.NewReader(strings.NewReader(`{"content": "`+image+`", "type": "image"}`), source.Options{}).Next()
	require.NoError(t, err)
	layout := source.NewLayout(rec, rec.Root.Member("content"))
	for _, text := range []string{image, image + "==", image + `\n`, image + "*" + image, image + "ä" + image, image + "\n", ""} {
		whole := []byte(`{"content": "` + text + `", "type": "image"}, {`)
		hole, size, cut := layout.Match(whole)
		for at := range whole {
			half, none, begun := layout.Match(whole[:at])
			if !begun || !half.IsPartial(whole[:at]) {
				continue
			}
			assert.Zero(t, none)
			again, sizeAgain, cutAgain := layout.Resume(whole, half)
			assert.Equal(t, []any{hole, size, cut}, []any{again, sizeAgain, cutAgain}, "%q at %d", whole, at)
		}
	}
}

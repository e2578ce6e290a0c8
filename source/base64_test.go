package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/source"
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

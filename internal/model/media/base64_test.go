package media

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCountBase64EndsAtOtherCharacters(t *testing.T) {
	for c := range 256 {
		for at := range 40 {
			text := []byte(strings.Repeat(alphabet, 2))
			text[at] = byte(c)
			want := at
			if strings.IndexByte(alphabet, byte(c)) >= 0 {
				want = len(text)
			}
			assert.Equal(t, want, countBase64(text), "%q at %d", c, at)
			assert.Equal(t, min(want, at+1), countBase64(text[:at+1]), "%q at the end", c)
		}
	}
	assert.Zero(t, countBase64(nil))
}

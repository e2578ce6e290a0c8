package media

import "sync"

// alphabet is the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// symbols says of each byte whether it is a character of base64.
var symbols = sync.OnceValue(func() *[256]bool {
	var is [256]bool
	for i := range len(alphabet) {
		is[alphabet[i]] = true
	}
	return &is
})

// countBase64 returns the number of base64 characters, without padding, that a
// text starts with.
func countBase64(text []byte) (n int) {
	is := symbols()
	const step = 8
	for len(text)-n >= step {
		b := (*[step]byte)(text[n:])
		if !is[b[0]] || !is[b[1]] || !is[b[2]] || !is[b[3]] || !is[b[4]] || !is[b[5]] || !is[b[6]] || !is[b[7]] {
			break
		}
		n += step
	}
	for n < len(text) && is[text[n]] {
		n++
	}
	return n
}

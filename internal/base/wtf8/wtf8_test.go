package wtf8_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/base/wtf8"
)

// The halves of the surrogate pair of 😀, as code points of their own.
const (
	high = "\xed\xa0\xbd"
	low  = "\xed\xb8\x80"
)

func TestDecodeRuneReturnsSurrogates(t *testing.T) {
	for text, want := range map[string]rune{"a": 'a', "é": 'é', "😀": '😀', high + "x": 0xd83d, low: 0xde00, "\xed\xa0": '\uFFFD', "\xff": '\uFFFD'} {
		r, size := wtf8.DecodeRune([]byte(text))
		assert.Equal(t, want, r, "%q", text)
		assert.LessOrEqual(t, size, len(text))
	}
}

func TestJoinSurrogates(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "한": "한", "a" + high + low + "b": "a😀b", high: high, low + high: low + high, high + high + low: high + "😀",
	} {
		assert.Equal(t, want, string(wtf8.JoinSurrogates([]byte(text))), "%q", text)
	}
}

func TestCutHighSurrogate(t *testing.T) {
	for text, want := range map[string][2]string{"": {}, "ab": {"ab"}, "a" + high: {"a", high}, "a" + low: {"a" + low}, "한": {"한"}} {
		before, half := wtf8.CutHighSurrogate([]byte(text))
		assert.Equal(t, want, [2]string{string(before), string(half)}, "%q", text)
	}
}

func TestTailCountsCodePoints(t *testing.T) {
	text := "aé" + high + "😀"
	for n, want := range map[int]string{0: "", 1: "😀", 2: high + "😀", 3: "é" + high + "😀", 9: text} {
		assert.Equal(t, want, string(wtf8.Tail([]byte(text), n)), n)
	}
}

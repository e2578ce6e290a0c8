package spelling

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDistanceMatchesDefinition compares the distance with its recursive
// definition, below and above each limit.
func TestDistanceMatchesDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() []rune {
		letters := make([]rune, random.IntN(8))
		for i := range letters {
			letters[i] = rune('a' + random.IntN(3))
		}
		return letters
	}
	for range 1_000 {
		a, b := word(), word()
		want := defined(a, b)
		require.LessOrEqual(t, unsharedLetters(a, b), want, "%q %q", string(a), string(b))
		for limit := range 4 {
			got := distance(a, b, limit)
			if want <= limit {
				require.Equal(t, want, got, "%q %q", string(a), string(b))
			} else {
				require.Greater(t, got, limit, "%q %q", string(a), string(b))
			}
		}
	}
}

// defined returns the distance of optimal string alignment by its definition.
func defined(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	m, n := len(a)-1, len(b)-1
	cost := 1
	if a[m] == b[n] {
		cost = 0
	}
	least := min(defined(a[:m], b)+1, defined(a, b[:n])+1, defined(a[:m], b[:n])+cost)
	if m > 0 && n > 0 && a[m] == b[n-1] && a[m-1] == b[n] {
		least = min(least, defined(a[:m-1], b[:n-1])+1)
	}
	return least
}

func TestNearestFindsIntendedWord(t *testing.T) {
	roles := []string{"user", "assistant", "computer"}
	languages := []string{"python", "shell", "javascript", "html", "applescript", "r", "powershell", "react", "ruby", "java"}
	tests := []struct {
		word  string
		known []string
		want  string
	}{
		{"asistant", roles, "assistant"},
		{"Assistant", roles, "assistant"},
		{"assitsant", roles, "assistant"},
		{"assist", roles, "assistant"},
		{" user ", roles, "user"},
		{"usr", roles, "user"},
		{"used", roles, "user"},
		{"suer", roles, "user"},
		{"uesrs", roles, ""},
		{"ai", roles, ""},
		{"tool", roles, ""},
		{"", roles, ""},
		{"pyt", languages, "python"},
		{"phyton", languages, "python"},
		{"python3", languages, "python"},
		{"Powershel", languages, "powershell"},
		{"jav", languages, "java"},
		{"javas", languages, "java"},
		{"javasc", languages, "javascript"},
		{"c", languages, ""},
		{"go", languages, ""},
		{"cobol", languages, ""},
	}
	for _, test := range tests {
		have, ok := Nearest(test.word, test.known)
		assert.Equal(t, test.want, have, test.word)
		assert.Equal(t, test.want != "", ok, test.word)
	}
}

// Only the nearest word counts if one is near, and only the prefix if none is.
func TestOnlyFindsTheWordThatNoOtherIsAsNearTo(t *testing.T) {
	tests := []struct {
		word  string
		known []string
		want  string
	}{
		{"usr", []string{"user", "use", "assistant"}, ""},
		{"user1", []string{"user2", "user"}, ""},
		{"consle", []string{"console", "counsel"}, "console"},
		{"consle", []string{"counsel", "console"}, "console"},
		{"console", []string{"console", "consoles"}, "console"},
		{"Console", []string{"console", "CONSOLE"}, ""},
		{"console", []string{"consoles", "console", "console"}, "console"},
		{"jav", []string{"java", "javascript"}, "java"},
		{"javas", []string{"javascript", "python"}, "javascript"},
		{"javasc", []string{"javascript", "javascripts"}, ""},
		{"javasc", []string{"javascript", "python", "javascript"}, "javascript"},
		{"ja", []string{"javascript"}, ""},
		{"", []string{"user"}, ""},
	}
	for _, test := range tests {
		have, ok := Only(test.word, test.known)
		assert.Equal(t, test.want != "", ok, "%q of %q", test.word, test.known)
		if ok {
			assert.Equal(t, test.want, have, "%q of %q", test.word, test.known)
		}
	}
}

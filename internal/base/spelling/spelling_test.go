package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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

func TestWithinFindsTheWordInALongerOne(t *testing.T) {
	known := []string{"user", "assistant", "active_line", "r"}
	for word, want := range map[string][2]string{
		"Role.USER": {"user", "role.…"}, "ROLE_USER": {"user", "role_…"}, "RoleUser": {"user", "role…"}, "\"user\"": {"user", "\"…\""},
		"users": {"user", "…s"}, "lmc.active_line": {"active_line", "lmc.…"}, "\ufeffassistant": {"assistant", "\ufeff…"}, "User": {"user", "…"},
		"superuser": {}, "userland": {}, "user/assistant": {}, "role r": {}, "": {}, "\u0130user": {},
	} {
		found, rest := Within(word, known)
		assert.Equal(t, want, [2]string{found, rest}, word)
	}
}

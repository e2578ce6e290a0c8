package config_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A configuration says for which releases it is. It says so before anything
// else, and holds no checkout to it.
func TestUser25RequiredVersion(t *testing.T) {
	for _, test := range []struct{ version, text, want string }{
		{"v0.3.1", `required-version: ">=0.2, <0.4"`, ""},
		{"v0.3.1", `required-version: "0.3"`, ""},
		{"0.3.1", `required-version: 0.3.1`, ""},
		{"v0.10.0", `required-version: 0.10`, ""},
		{"v0.1.0", `required-version: 0.10`, `c.yaml:1:19: this is lmclint 0.1.0, and 0.10 is required`},
		{"v0.10.0", `required-version: ">=0.9.2"`, ""},
		{"v0.4.0-rc.1", `required-version: "0.4"`, ""},
		{"(devel)", `required-version: ">=9"`, ""},
		{"v0.0.0-20261120120000-0123456789ab", `required-version: ">=9"`, ""},
		{"v0.4.0", `required-version: ">=0.2, <0.4"`, `c.yaml:1:19: this is lmclint 0.4.0, and >=0.2, <0.4 is required`},
		{"v0.3.1", `required-version: ">=1"`, `c.yaml:1:19: this is lmclint 0.3.1, and >=1 is required`},
		{"v0.3.1", `required-version: "0.2"`, `c.yaml:1:19: this is lmclint 0.3.1, and 0.2 is required`},
		{"v0.3.1", "required-version: \">=1\"\nnew-key: 1", `c.yaml:1:19: this is lmclint 0.3.1, and >=1 is required`},
		{"v0.3.1", `required-version: "^0.3"`, `c.yaml:1:19: required-version: "^0.3", want conditions such as ">=0.2, <0.4"`},
		{"(devel)", `required-version: ">=0.2,"`, `c.yaml:1:19: required-version: ">=0.2,", want conditions such as ">=0.2, <0.4"`},
		{"v0.3.1", `required-version: [0.3]`, `c.yaml:1:19: required-version: a list, want `},
	} {
		l := house(t, map[string]string{"c.yaml": test.text})
		l.Version = func() string { return test.version }
		_, err := l.Load(filepath.Join(l.Dir, "c.yaml"), "")
		if test.want == "" {
			assert.NoError(t, err, "%s under %s", test.text, test.version)
			continue
		}
		require.Error(t, err, "%s under %s", test.text, test.version)
		assert.Contains(t, err.Error(), test.want)
		assert.NotContains(t, err.Error(), "\n", "one fault")
	}
}

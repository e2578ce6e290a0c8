package suite_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/verify/suite"
)

// A manifest is read as what was written, or is an error; never a panic.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(manifest))
	f.Add([]byte(`{"$schema":"","version":"","requirements":[],"cases":[]}`))
	f.Add([]byte(`{"cases":[{"id":"\u0000","file":"../x","options":{"against":"/"}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := suite.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		once, err := plainjson.MarshalIndent(m)
		require.NoError(t, err)
		again, err := suite.Read(bytes.NewReader(once))
		require.NoError(t, err)
		twice, err := plainjson.MarshalIndent(again)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
	})
}

// A document is requirements with distinct ids, or an error; never a panic.
func FuzzParseRequirements(f *testing.F) {
	f.Add("## A\n\n*No rule: x.*\n\n- <a id=\"lmc-a-1\"></a>**LMC-A-1** It MUST\n  end. *No case: y.*\n")
	f.Add("- <a id=\"lmc-a-1\"></a>**LMC-A-1** MAY\n- <a id=\"lmc-a-1\"></a>**LMC-A-1** MAY")
	f.Add("- <a id=\"a-b-99999999999999999999\"></a>**A-B-99999999999999999999** MAY")
	f.Fuzz(func(t *testing.T, document string) {
		list, err := suite.ParseRequirements(document)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, r := range list {
			require.False(t, seen[r.ID], r.ID)
			require.NotEmpty(t, r.Level)
			seen[r.ID] = true
		}
	})
}

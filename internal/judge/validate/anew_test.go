package validate_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/internal/source"
	intext "github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/schema"
)

// What a validator says of the records of the suite and of mutants, in any order,
// is what jsonschema/v5 says of each when it is asked anew.
func TestMemoSaysWhatTheSchemasSay(t *testing.T) {
	t.Parallel()
	records := suiteRecords(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, dialect := range exhaustive.Sample(schema.Names(), 3) {
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			p := newPair(t, dialect, part)
			for _, i := range random.Perm(len(records)) {
				root := records[i]
				want, wantErr := p.without.Check(root, part)
				got, err := p.memo.Check(root, part)
				require.Equal(t, wantErr == nil, err == nil, "%s: %v but %v", root.Raw(), wantErr, err)
				require.Len(t, got, len(want), "%s", root.Raw())
				for k := range want {
					require.Equal(t, want[k], got[k], "%s", root.Raw())
				}
			}
		}
	}
}

// suiteRecords returns the different records of the suite and of mutants: all
// and those of 100,000 in exhaustive tests, else some of them.
func suiteRecords(t *testing.T) (records []*source.Node) {
	t.Helper()
	const root = "../../../testdata"
	seen := map[string]bool{}
	add := func(data []byte) {
		reader := intext.NewReader(bytes.NewReader(data), source.Options{})
		for {
			r, err := reader.Next()
			if err != nil {
				return // the end, or an input that cannot be read
			}
			if r.IsGap || r.Root == nil || r.Root.Kind != source.Object || r.IsLost() || seen[string(r.Root.Raw())] {
				continue
			}
			seen[string(r.Root.Raw())] = true
			records = append(records, r.Clone().Root)
		}
	}
	var files []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, suite.ExpectationExt) && !strings.HasSuffix(path, ".md") && d.Name() != suite.ManifestName {
			files = append(files, path)
		}
		return err
	}))
	for _, path := range exhaustive.Sample(files, 200) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if len(data) < 64<<10 || exhaustive.Enabled() {
			add(data)
		}
	}
	count := 1000
	if exhaustive.Enabled() {
		count = 100_000
	}
	recordings, err := mutationtest.Load(os.DirFS(filepath.Join(root, "recorded")))
	require.NoError(t, err)
	lines := map[string]bool{} // most are those of the recording
	for _, s := range mutationtest.Seeds(recordings, count) {
		for line := range bytes.Lines(s.Data()) {
			if line = bytes.TrimRight(line, "\r\n,"); len(line) < 64<<10 && !lines[string(line)] {
				lines[string(line)] = true
				add(line)
			}
		}
	}
	assert.Greater(t, len(records), 1000)
	return records
}

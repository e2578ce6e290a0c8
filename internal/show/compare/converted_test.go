package compare_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// What convert makes of a recording is that recording, but for what it lists. It
// says so too if it upgrades the records of a release before LMC.
func TestWhatConvertMakesIsTheRecording(t *testing.T) {
	var paths []string
	require.NoError(t, filepath.WalkDir("../../../testdata/recorded", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".expect.json") && filepath.Ext(path) != ".md" {
			paths = append(paths, path)
		}
		return err
	}))
	same, users := 0, 0
	for _, path := range exhaustive.Sample(paths, 90) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, target := range convert.Targets() {
			var out bytes.Buffer
			listed := 0
			converter, err := convert.New(convert.Options{To: target}, func(config lint.Config, options ...lint.Option) (*lint.Linter, error) {
				return lint.New(rules.All(), append(options, lint.WithConfig(config))...)
			})
			require.NoError(t, err)
			result, err := converter.Run(context.Background(), source.Stdin, bytes.NewReader(text), &out, func(convert.Loss) { listed++ })
			if result.Upgraded {
				continue
			}
			if foreign := (*lint.UnknownInputError)(nil); errors.As(err, &foreign) {
				continue
			}
			require.NoError(t, err, "%s to %s", path, target)
			a, b := read(t, out.Bytes()), read(t, text)
			found := compare.Compare(a, b, compare.Options{}).Differences
			mirrored := compare.Compare(b, a, compare.Options{}).Differences
			if listed > 0 {
				assert.LessOrEqual(t, len(found), listed, "%s to %s", path, target)
				continue
			}
			same++
			assert.Empty(t, signatures(found, false), "%s to %s", path, target)
			assert.Empty(t, signatures(mirrored, false), "%s to %s", path, target)
			if target == convert.Chunks && bytes.Contains(out.Bytes(), []byte(`"role": "user"`)) {
				users++
				lacking := bytes.Replace(out.Bytes(), []byte(`"role": "user"`), []byte(`"role": "computer"`), 3)
				assert.NotEmpty(t, compare.Compare(read(t, lacking), b, compare.Options{}).Differences, path)
			}
		}
	}
	assert.Greater(t, same, 300)
	assert.Greater(t, users, 10)
}

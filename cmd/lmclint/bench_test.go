package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many small inputs, of which each costs little more than to be opened.
func BenchmarkManyInputs(b *testing.B) {
	const inputs = 1000
	for name, text := range map[string]string{
		"clean": `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello"}]`,
		"wrong": strings.Repeat(unclosed, 10),
	} {
		root := b.TempDir()
		for i := range inputs {
			require.NoError(b, os.WriteFile(filepath.Join(root, fmt.Sprintf("%04d.json", i)), []byte(text), 0o600))
		}
		for _, jobs := range []string{"1", "2", "8"} {
			b.Run(name+"/jobs="+jobs, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c := Command{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}
					require.Less(b, c.Main([]string{"--jobs", jobs, root}), exitTrouble)
				}
				b.ReportMetric(float64(b.N*inputs)/b.Elapsed().Seconds(), "inputs/s")
			})
		}
	}
}

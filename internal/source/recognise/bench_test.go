package recognise_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/recognise"
)

// BenchmarkRun matches the lines of a long message.
func BenchmarkRun(b *testing.B) {
	line := `{"role": "assistant", "type": "message", "content": "%s"}` + "\n"
	for _, text := range []struct{ name, text string }{
		{"short", " from"},
		{"long", " a text of some more words than usual"},
		{"escaped", `\u00fcber`},
		{"wide", " Größe"},
		{"image", strings.Repeat("iVBORw0KGgo+", 2_000)},
	} {
		b.Run(text.name, func(b *testing.B) { benchmarkRun(b, strings.Repeat(fmt.Sprintf(line, text.text), 1000)) })
	}
}

// BenchmarkReorderedRun matches the lines of code whose members come in any order.
func BenchmarkReorderedRun(b *testing.B) {
	members := []string{`"role": "assistant"`, `"type": "code"`, `"format": "python"`, `"content": " from"`}
	rng := rand.New(rand.NewSource(1)) //nolint:gosec // the same in every run
	var text strings.Builder
	for range 1000 {
		fmt.Fprintf(&text, "{%s}\n", strings.Join(members, ", "))
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	benchmarkRun(b, text.String())
}

// benchmarkRun matches 1000 lines, of which the first ones become templates.
func benchmarkRun(b *testing.B, text string) {
	m := recognise.New("content")
	r := source.NewReader(strings.NewReader(text), source.Options{})
	for range 100 {
		rec, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		m.Add(rec, varying(rec))
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		w := lines(text)
		t, match, _ := m.Next(w)
		t.Skip(w, match)
		for t != nil && len(w.Text) > 0 {
			run := m.Run(w, t, 1000, "", nil)
			if run.Records > 0 {
				t.SkipRun(w, run)
			}
			if t, match, _ = m.Next(w); t != nil {
				t.Skip(w, match)
			}
		}
		if len(w.Text) > 0 {
			b.Fatal("a line was not recognized")
		}
	}
}

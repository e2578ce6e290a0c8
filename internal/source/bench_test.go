package source_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/lmclint/lmclint/internal/source"
)

// BenchmarkReader reads the recorded forms that differ in what they cost.
func BenchmarkReader(b *testing.B) {
	chunk := `{"role": "assistant", "type": "message", "content": " a few words"}`
	image := `{"role": "computer", "type": "image", "format": "base64.png", "content": "` + strings.Repeat("iVBORw0KGgo+", 20_000) + `"}`
	pretty := "{\n  \"role\": \"assistant\",\n  \"type\": \"message\",\n  \"content\": \"a \\\"few\\\" words\"\n}"
	for _, form := range []struct{ name, input string }{
		{"lines", strings.Repeat(chunk+"\n", 20_000)},
		{"array", "[" + strings.Repeat(chunk+", ", 20_000) + chunk + "]"},
		{"images", "[" + strings.Repeat(image+", ", 20) + image + "]"},
		{"pretty", strings.Repeat(pretty+"\n", 20_000)},
		{"envelope", `{"messages": [` + strings.Repeat(chunk+", ", 20_000) + chunk + "]}"},
		{"broken", strings.Repeat(chunk[:60]+"\n", 2_000)},
	} {
		b.Run(form.name, func(b *testing.B) { readAll(b, form.input) })
	}
}

// BenchmarkScan scans one record of each make; the reader adds little.
func BenchmarkScan(b *testing.B) {
	var members []string
	for i := range 10_000 {
		members = append(members, fmt.Sprintf(`"key %d": %d`, i, i))
	}
	for _, record := range []struct{ name, input string }{
		{"text", `{"content": "` + strings.Repeat("plain text without escapes ", 40_000) + `"}`},
		{"escapes", `{"content": "` + strings.Repeat(`\u00e9\n\"`, 40_000) + `"}`},
		{"chinese", `{"content": "` + strings.Repeat("汉字", 100_000) + `"}`},
		{"numbers", `{"content": [` + strings.Repeat("12345.6789, ", 40_000) + `0]}`},
		{"members", "{" + strings.Join(members, ",") + "}"},
		{"nested", `{"a":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "}"},
	} {
		b.Run(record.name, func(b *testing.B) { readAll(b, record.input) })
	}
}

func readAll(b *testing.B, input string) {
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		reader := embedded.NewReader(strings.NewReader(input), source.Options{})
		for {
			if _, err := reader.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkMatchRun finds the lines of a long message.
func BenchmarkMatchRun(b *testing.B) {
	line := `{"role": "assistant", "type": "message", "content": "%s"}` + "\n"
	for _, text := range []struct{ name, text string }{
		{"short", " from"}, {"long", " a text of some more words than usual"}, {"escaped", `\u00fcber`}, {"wide", " Größe"},
	} {
		lines := []byte(strings.Repeat(fmt.Sprintf(line, text.text), 1000))
		b.Run(text.name, func(b *testing.B) {
			matchRun(b, lines, false)
		})
	}
}

// matchRun finds 1000 lines by the layout of the first.
func matchRun(b *testing.B, lines []byte, shuffled bool) {
	record, err := embedded.NewReader(bytes.NewReader(lines), source.Options{}).Next()
	if err != nil {
		b.Fatal(err)
	}
	layout := source.NewSample(record, record.Root.Member("content")).Layout
	b.SetBytes(int64(len(lines)))
	for b.Loop() {
		if layout.MatchRun(lines, &source.Window{Limit: source.DefaultMaxRecordBytes}, shuffled, nil).Lines != 1000 {
			b.Fatal("a line was not recognised")
		}
	}
}

// BenchmarkMatchShuffled finds the lines of code whose members come in any order.
func BenchmarkMatchShuffled(b *testing.B) {
	members := []string{`"role": "assistant"`, `"type": "code"`, `"format": "python"`, `"content": " from"`}
	rng := rand.New(rand.NewSource(1)) //nolint:gosec // the same in every run
	var lines []byte
	for range 1000 {
		lines = fmt.Appendf(lines, "{%s}\n", strings.Join(members, ", "))
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	matchRun(b, lines, true)
}

// BenchmarkMatchImage finds the end of an image, and that it is base64.
func BenchmarkMatchImage(b *testing.B) {
	line := []byte(`{"role": "computer", "type": "image", "content": "` + strings.Repeat("iVBORw0KGgo+", 20_000) + `"}` + "\n")
	record, err := embedded.NewReader(bytes.NewReader(line), source.Options{}).Next()
	if err != nil {
		b.Fatal(err)
	}
	layout := source.NewLayout(record, record.Root.Member("content"))
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, size, _ := layout.Match(line); size == 0 {
			b.Fatal("the image was not recognised")
		}
	}
}

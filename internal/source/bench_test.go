package source_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

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
		reader := text.NewReader(strings.NewReader(input), source.Options{})
		for {
			if _, err := reader.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

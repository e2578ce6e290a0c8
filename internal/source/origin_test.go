package source

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/stretchr/testify/require"
)

// FuzzOrigin packs a text into a JSON string, and that into another one, and
// asks for the place of every byte.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{"", "x", `{"a":"é\n\"🎉"}`, "{\n\t\"b\\u00e9\": 1}\n", strings.Repeat("é\n", 900), strings.Repeat("🎉", 700), "<&>\x00\x7f"} {
		f.Add(seed, "é\n", false)
		f.Add(seed, "\n\n", true)
	}
	f.Fuzz(func(t *testing.T, text, before string, twice bool) {
		text = strings.ToValidUTF8(text, "?")
		literal := pack(t, text)
		if twice {
			literal = pack(t, literal)
		}
		input := "[" + pack(t, before) + ",\n {\"v\": " + literal + "}\n]"
		o := originOfMember(t, input)
		if twice {
			inner := Record{Data: o.Text, Root: scanned(t, o.Text), origin: o}
			o = inner.TextOf(inner.Root)
		}
		require.Equal(t, text, string(o.Text))
		requireOrigin(t, input, o)
	})
}

func pack(t *testing.T, text string) string {
	packed, err := json.Marshal(text)
	require.NoError(t, err)
	return string(packed)
}

func scanned(t *testing.T, data []byte) *value.Node {
	scan := value.Scanner{MaxDepth: 10}
	v := scan.Scan(data, true)
	require.Nil(t, v.Stop)
	return v.Root
}

// originOfMember is the origin of the member v of the input's last record.
func originOfMember(t *testing.T, input string) *TextMap {
	reader := NewReader(strings.NewReader(input), Options{Form: FormJSON})
	_, err := reader.Next()
	require.NoError(t, err)
	rec, err := reader.Next()
	require.NoError(t, err)
	return rec.TextOf(rec.Root.Member("v"))
}

// requireOrigin checks the places of all bytes: they are in order, each is
// right for its offset, and what is there decodes to the byte.
func requireOrigin(t *testing.T, input string, o *TextMap) {
	last := o.position(0, false)
	for i := range len(o.Text) + 1 {
		start, end := o.position(i, false), o.position(i, true)
		for _, p := range []value.Position{start, end} {
			require.Equal(t, value.Position{Line: 1, Column: 1}.Advance([]byte(input[:p.Offset])), p)
			require.GreaterOrEqual(t, p.Offset, last.Offset)
		}
		last = start
		if i < len(o.Text) && o.Text[i] > ' ' && o.Text[i] < 0x7F && !bytes.ContainsAny(o.Text[i:i+1], `"\<>&`) {
			require.Equal(t, o.Text[i], input[start.Offset], i)
		}
		if i < len(o.Text) {
			excerpt := o.excerpt(0, len(o.Text), i, start.Column)
			require.Contains(t, strings.Split(input, "\n")[start.Line-1], excerpt.Text)
			require.GreaterOrEqual(t, start.Column, excerpt.Column)
		}
	}
}

package value_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source/value"
)

func TestScanBuildsTreeAndIgnoresWhatFollows(t *testing.T) {
	scan := value.Scanner{MaxDepth: 4}
	v := scan.Scan([]byte(`{"a/b": ["x", "é\n"]} rest`), true)
	require.Nil(t, v.Stop)
	require.Equal(t, 22, v.End)
	require.False(t, v.IsASCII)
	list := v.Root.Member("a/b")
	require.Equal(t, value.Array, list.Kind)
	require.Equal(t, "é\n", list.Children[1].Text())
	require.Equal(t, `"é\n"`, string(list.Children[1].Raw()))
	require.Equal(t, "/a~1b/1", string(value.AppendPointer(nil, v.Root, list.Children[1].Start)))
}

func TestScanReportsFaults(t *testing.T) {
	tests := []struct {
		name, text string
		kind       value.FaultKind
		start, end int
		truncated  bool
	}{
		{"trailing comma", `[1,]`, value.InvalidJSON, 2, 3, false},
		{"Python literal", `{"a": True}`, value.InvalidJSON, 6, 10, false},
		{"truncated string", `{"a": "b`, value.InvalidJSON, 8, 8, true},
		{"nesting", `[[[]]]`, value.NestingTooDeep, 2, 3, false},
		{"invalid UTF-8", "[\"\xff\"]", value.InvalidUTF8, 2, 3, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scan := value.Scanner{MaxDepth: 2}
			v := scan.Check([]byte(test.text))
			require.NotNil(t, v.Stop)
			require.Equal(t, test.kind, v.Stop.Kind)
			require.Equal(t, []int{test.start, test.end}, []int{v.Stop.Start, v.Stop.End})
			require.Equal(t, test.truncated, v.Stop.Truncated)
		})
	}
}

func TestScanContinuesAfterDuplicateKeyAndLoneSurrogate(t *testing.T) {
	scan := value.Scanner{MaxDepth: 2}
	v := scan.Scan([]byte(`{"a": "\ud83c", "a": 1}`), true)
	require.Nil(t, v.Stop)
	require.Len(t, v.Faults, 2)
	require.Equal(t, value.LoneSurrogate, v.Faults[0].Kind)
	require.Equal(t, value.DuplicateKey, v.Faults[1].Kind)
	require.Equal(t, &value.Range{Start: 1, End: 4}, v.Faults[1].Related)
}

func TestScanReadsPythonLiterals(t *testing.T) {
	scan := value.Scanner{MaxDepth: 4, Python: true}
	v := scan.Scan([]byte(`{'a': [None, '\n', "\x41",]}`), true)
	require.Nil(t, v.Stop)
	list := v.Root.Member("a").Children
	require.Equal(t, value.Null, list[0].Kind)
	require.Equal(t, "\n", list[1].Text())
	require.Equal(t, "A", list[2].Text())
}

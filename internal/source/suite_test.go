package source_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// Outcomes of a test case of JSONTestSuite.
const (
	accepted    = "accepted" // or read and no object
	emptyReader = "no record at all"
)

// ownChoice is what we do where RFC 8259 leaves it to the implementation.
var ownChoice = map[string]string{
	"i_number_double_huge_neg_exp.json":                   accepted,
	"i_number_huge_exp.json":                              accepted,
	"i_number_neg_int_huge_exp.json":                      accepted,
	"i_number_pos_double_huge_exp.json":                   accepted,
	"i_number_real_neg_overflow.json":                     accepted,
	"i_number_real_pos_overflow.json":                     accepted,
	"i_number_real_underflow.json":                        accepted,
	"i_number_too_big_neg_int.json":                       accepted,
	"i_number_too_big_pos_int.json":                       accepted,
	"i_number_very_big_negative_int.json":                 accepted,
	"i_object_key_lone_2nd_surrogate.json":                "lone-surrogate",
	"i_string_1st_surrogate_but_2nd_missing.json":         "lone-surrogate",
	"i_string_1st_valid_surrogate_2nd_invalid.json":       "lone-surrogate",
	"i_string_incomplete_surrogate_and_escape_valid.json": "lone-surrogate",
	"i_string_incomplete_surrogate_pair.json":             "lone-surrogate",
	"i_string_incomplete_surrogates_escape_valid.json":    "lone-surrogate",
	"i_string_invalid_lonely_surrogate.json":              "lone-surrogate",
	"i_string_invalid_surrogate.json":                     "lone-surrogate",
	"i_string_inverted_surrogates_U+1D11E.json":           "lone-surrogate",
	"i_string_lone_second_surrogate.json":                 "lone-surrogate",
	"i_string_UTF-16LE_with_BOM.json":                     "invalid-utf8",
	"i_string_UTF-8_invalid_sequence.json":                "invalid-utf8",
	"i_string_UTF8_surrogate_U+D800.json":                 "invalid-utf8",
	"i_string_invalid_utf-8.json":                         "invalid-utf8",
	"i_string_iso_latin_1.json":                           "invalid-utf8",
	"i_string_lone_utf8_continuation_byte.json":           "invalid-utf8",
	"i_string_not_in_unicode_range.json":                  "invalid-utf8",
	"i_string_overlong_sequence_2_bytes.json":             "invalid-utf8",
	"i_string_overlong_sequence_6_bytes.json":             "invalid-utf8",
	"i_string_overlong_sequence_6_bytes_null.json":        "invalid-utf8",
	"i_string_truncated-utf-8.json":                       "invalid-utf8",
	"i_string_utf16BE_no_BOM.json":                        "invalid-utf8",
	"i_string_utf16LE_no_BOM.json":                        "invalid-utf8",
	"i_structure_500_nested_arrays.json":                  accepted,
	"i_structure_UTF-8_BOM_empty_object.json":             "bom",
}

// JSONTestSuite in testdata says of every case whether it is JSON.
func TestJSONTestSuite(t *testing.T) {
	files, err := filepath.Glob("../../testdata/json/test_parsing/*.json")
	require.NoError(t, err)
	require.Greater(t, len(files), 300)
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if name[0] == 'i' && text[0] == '[' && text[1] != 0 {
			text = []byte(`{"v":` + string(text) + `}`) // the reader skips other values than objects
		}
		got := judge(t, text)
		switch name[0] {
		case 'y':
			assert.Contains(t, []string{accepted, "duplicate-key"}, got, name)
		case 'n':
			assert.NotContains(t, []string{accepted, "duplicate-key", "lone-surrogate", "bom"}, got, name)
		default:
			assert.Equal(t, ownChoice[name], got, name)
		}
	}
}

// judge gives the first problem of a JSON text, but not that it is not an object;
// one that makes the text unreadable goes before one that does not.
func judge(t *testing.T, input []byte) string {
	reader := text.NewReader(bytes.NewReader(input), source.Options{Form: source.FormJSON})
	records, fatal, other := 0, "", ""
	for {
		rec, err := reader.Next()
		if err != nil {
			require.Equal(t, io.EOF, err)
			break
		}
		if !rec.IsGap {
			records++
		}
		for _, p := range rec.Problems {
			switch {
			case p.Kind == source.NotAnObject:
			case (p.IsFatal() || p.Kind == source.Comments) && fatal == "":
				fatal = kindNames[p.Kind]
			case other == "":
				other = kindNames[p.Kind]
			}
		}
	}
	switch {
	case fatal != "":
		return fatal
	case records == 0 && !isEmptyArray(input):
		return emptyReader
	case other != "":
		return other
	}
	return accepted
}

func isEmptyArray(text []byte) bool { return strings.Join(strings.Fields(string(text)), "") == "[]" }

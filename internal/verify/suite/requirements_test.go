package suite_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

func TestParseRequirements(t *testing.T) {
	list, err := suite.ParseRequirements(`# A page

## Streams

Words.

- <a id="lmc-str-1"></a>**LMC-STR-1** A block MUST end
  with ` + "`end`" + ` ([more](x.md)). It SHOULD NOT be empty. ([Why?](questions.md#why))
- <a id="lmc-str-2"></a>**LMC-STR-2** A chunk MAY be empty. *No rule: it is right.* *No case: there is none.*

- another list

### Checkers

*No rule: about the checker.*

- <a id="lmc-chk-1"></a>**LMC-CHK-1** A checker SHOULD see it.

## More

- <a id="lmc-chk-2"></a>**LMC-CHK-2** A checker MUST see it.
`)
	require.NoError(t, err)
	assert.Equal(t, []suite.Requirement{
		{ID: "LMC-STR-1", Level: suite.Must, Title: "Streams", Text: "A block MUST end with end (more). It SHOULD NOT be empty.", Rules: []string{}},
		{ID: "LMC-STR-2", Level: suite.May, Title: "Streams", Text: "A chunk MAY be empty.", Rules: []string{}, NoRule: "it is right", NoCases: "there is none"},
		{ID: "LMC-CHK-1", Level: suite.Should, Title: "Checkers", Text: "A checker SHOULD see it.", Rules: []string{}, NoRule: "about the checker"},
		{ID: "LMC-CHK-2", Level: suite.Must, Title: "More", Text: "A checker MUST see it.", Rules: []string{}},
	}, list)
}

// A requirement that cannot be referred to, or demands nothing, is an error.
func TestParseRequirementsRejects(t *testing.T) {
	for text, want := range map[string]string{
		`- <a id="lmc-str-1"></a>**LMC-STR-1** A block must end.`:                                    "none of the words",
		`- <a id="lmc-str-2"></a>**LMC-STR-2** A block MUST end.`:                                    "LMC-STR-1 is missing",
		`- <a id="lmc-str-2"></a>**LMC-STR-1** A block MUST end.`:                                    `has the anchor "lmc-str-2"`,
		`- <a id="lmc-str-1"></a> **LMC-STR-1** A block MUST end.`:                                   "no requirement: ",
		"- <a id=\"lmc-a-1\"></a>**LMC-A-1** MAY\n- <a id=\"lmc-a-1\"></a>**LMC-A-1** MAY":           "LMC-A-1 occurs twice",
		"- <a id=\"lmc-a-1\"></a>**LMC-A-1** MAY\n- <a id=\"lmc-a-2\"></a>**LMC-A-2** no.\n\n\n## B": "LMC-A-2 has none of the words",
	} {
		_, err := suite.ParseRequirements(text)
		assert.ErrorContains(t, err, want, text)
	}
}

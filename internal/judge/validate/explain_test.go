package validate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/schema"
)

// Without any row of the table, its record has more violations.
func TestEveryExplanationIsNeeded(t *testing.T) {
	const console = `"role":"computer","type":"console",`
	records := []string{
		`{}`,
		`{` + console + `"content":"1","end":true}`,
		`{"role":"assistant","type":"message","stop":true}`,
		`{"role":"assistant","type":"message","contnet":"x","mood":1}`,
		`{"type":"connected"}`,
		`{"role":"assistant","type":"start"}`,
		`{"role":"assistant","type":"message","format":"start"}`,
		`{"role":"user","typ":"image","format":"path","start":true}`,
		`{"role":"computer","type":"confirmation","content":{"type":"text"}}`,
		`{"role":"computer","type":"confirmation","format":"run","content":{"type":"text"}}`,
		`{"role":"assistant","type":"message","format":"active_line","content":5}`,
		`{"role":"assistant","type":"message","start":true,"content":null}`,
	}
	require.Len(t, suppressions, len(records))
	d, _ := schema.Lookup("server")
	validator := NewUncached(d)
	count := func(record string) int {
		violations, err := validator.Check(nodeOf(t, record), schema.Chunk)
		require.NoError(t, err)
		return len(violations)
	}
	all := suppressions
	defer func() { suppressions = all }()
	for i, record := range records {
		assert.NotEmpty(t, all[i].principle)
		suppressions = all
		explained := count(record)
		suppressions = slices.Delete(slices.Clone(all), i, i+1)
		assert.Greater(t, count(record), explained, fmt.Sprint(all[i].principle, record))
	}
}

// String returns a name for the tables of the tests.
func (c Cause) String() string { return causeNames[c] }

var causeNames = map[Cause]string{
	MissingRole:             "missing-role",
	UnknownRole:             "unknown-role",
	MissingType:             "missing-type",
	UnknownType:             "unknown-type",
	MissingFormat:           "missing-format",
	InvalidFormat:           "invalid-format",
	UnexpectedFormat:        "unexpected-format",
	MissingContent:          "missing-content",
	WrongContentType:        "wrong-content-type",
	UnknownKey:              "unknown-key",
	InvalidFlag:             "invalid-flag",
	ConflictingKeys:         "conflicting-keys",
	InvalidConfirmation:     "invalid-confirmation",
	LegacyConfirmation:      "legacy-confirmation",
	InvalidRecipient:        "invalid-recipient",
	OtherEndKey:             "other-end-key",
	InvalidActiveLine:       "invalid-active-line",
	UnknownMessageType:      "unknown-message-type",
	CommandResponseSpelling: "command-response-spelling",
	MissingField:            "missing-field",
	WrongField:              "wrong-field",
	UnknownParticipantRole:  "unknown-participant-role",
	InvalidUUID:             "invalid-uuid",
	InvalidTime:             "invalid-time",
	InvalidDirectedAt:       "invalid-directed-at",
	InvalidFooterItems:      "invalid-footer-items",
	InvalidToolLink:         "invalid-tool-link",
	UnknownEvent:            "unknown-event",
	InvalidEventData:        "invalid-event-data",
	InvalidExportRecord:     "invalid-export-record",
}

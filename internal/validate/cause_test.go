package validate

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

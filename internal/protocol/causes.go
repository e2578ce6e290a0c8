package protocol

import "github.com/lmclint/lmclint/internal/validate"

// ruleOf names the rule that reports a cause. Package validate does not know
// rules.
var ruleOf = [...]string{
	validate.MissingRole:             "LMC101",
	validate.UnknownRole:             "LMC102",
	validate.MissingType:             "LMC103",
	validate.UnknownType:             "LMC104",
	validate.MissingFormat:           "LMC105",
	validate.InvalidFormat:           "LMC106",
	validate.UnexpectedFormat:        "LMC107",
	validate.MissingContent:          "LMC108",
	validate.WrongContentType:        "LMC109",
	validate.UnknownKey:              "LMC110",
	validate.InvalidFlag:             "LMC111",
	validate.ConflictingKeys:         "LMC112",
	validate.InvalidConfirmation:     "LMC113",
	validate.LegacyConfirmation:      "LMC114",
	validate.InvalidRecipient:        "LMC115",
	validate.OtherEndKey:             "LMC120",
	validate.InvalidActiveLine:       "LMC307",
	validate.MissingKey:              "LMC123",
	validate.WrongKeyType:            "LMC124",
	validate.UnknownMessageType:      "WB001",
	validate.CommandResponseSpelling: "WB002",
	validate.MissingField:            "WB003",
	validate.WrongField:              "WB004",
	validate.UnknownParticipantRole:  "WB005",
	validate.InvalidUUID:             "WB006",
	validate.InvalidTime:             "WB007",
	validate.InvalidDirectedAt:       "WB110",
	validate.InvalidFooterItems:      "WB115",
	validate.InvalidToolLink:         "WB118",
	validate.UnknownEvent:            "WB201",
	validate.InvalidEventData:        "WB202",
	validate.InvalidExportRecord:     "WB301",
}

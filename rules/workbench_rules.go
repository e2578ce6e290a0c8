package rules

import "github.com/lmclint/lmclint/lint"

// workbenchRules are the rules about Semantic Workbench.
func workbenchRules() []*lint.Rule {
	return []*lint.Rule{
		unknownMessageType,
		commandResponseSpelling,
		missingField,
		wrongType,
		participantRole,
		idNotUUID,
		timestamp,
		camelCaseKeys,
		duplicateID,
		timeOrder,
		stranger,
		chatIsCommand,
		statusAsChat,
		noticeMultiline,
		noticeTyping,
		commandWithoutSlash,
		commandUnanswered,
		orphanResponse,
		responseByUser,
		directedAtType,
		directedAtElsewhere,
		responseNotByTarget,
		directedAtUnknown,
		footerItems,
		debugInMetadata,
		toolResultLink,
		toolResultNotNote,
		jsonFormContent,
		serviceSender,
		unknownSender,
		eventName,
		eventPayload,
		deleteUnknown,
		exportRecord,
		exportReference,
		exportSequence,
	}
}

// Package workbench contains the rules WBxxx about Semantic Workbench messages.
package workbench

import (
	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
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

// Pages and sources in the evidence of several rules.
const (
	pageTypes    = "page Message Types of Semantic Workbench"
	pageMetadata = "page Message Metadata of Semantic Workbench"
	modelOf      = "semanticworkbench, workbench_model.py: "
)

// asList lists JSON types in words, as in "a string or null".
func asList(kinds []string) string {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = protocol.OfKind(kind)
	}
	return protocol.AnyOf(words)
}

// expected returns the help for an unknown word: the known word that it is near, or
// all of them.
func expected(word string, known []string) string {
	if nearest, ok := spelling.Nearest(word, known); ok {
		return protocol.DidYouMean(nearest)
	}
	return "expected " + protocol.AnyOf(known)
}

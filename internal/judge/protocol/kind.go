package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// How many flags among the first records of a list show that it is a stream whose
// first records are broken, not a list of messages in which one flag was left.
const (
	minFlags   = 4
	flagWindow = 64 // records
)

// JoinsLists reports whether the lists of a stream in a form are parts of one
// conversation. In other forms, each conversation is of a kind of its own: connections,
// streams and lists of messages.
func JoinsLists(form source.Form) bool { return form != source.FormHAR && form != source.FormText }

// kindOf returns the kind of an input or a conversation by its first records, or "" if
// it needs more records.
func kindOf(first []*source.Record, form source.Form, enough bool) string {
	if slices.ContainsFunc(first, hasDirection) {
		return KindSession
	}
	records := objectRecords(first)
	if !JoinsLists(form) {
		records = slices.DeleteFunc(records, func(r *source.Record) bool { return r.Conversation != records[0].Conversation })
	}
	var isStream bool
	if len(records) > 0 && isInList(records[0]) {
		isStream = isStreamInList(records)
		enough = enough || isQuestion(records[0]) || len(records) >= flagWindow
	} else {
		isStream = endsDeltas(records) || showsStream(records)
	}
	switch {
	case isStream:
		return KindStream
	case enough:
		return KindTranscript
	}
	return ""
}

// hasDirection reports whether a record has a direction, as in a session.
func hasDirection(r *source.Record) bool { return r.Direction != source.Undirected }

// isInList reports whether a record is an element of a list in its document. A list of
// objects with chunks in them is not a list of messages.
func isInList(r *source.Record) bool {
	steps := strings.Split(r.Pointer, "/")
	return len(steps) > 1 && strings.Trim(steps[len(steps)-1], "0123456789") == ""
}

// showsStream reports whether a record can only be part of a stream. The documentation
// lists active_line as a message, so that it and a confirmation may be stored where the
// input begins with a whole message of the user, or has nothing else.
func showsStream(records []*source.Record) bool {
	return slices.ContainsFunc(records, func(src *source.Record) bool {
		r := lmc.NewRecord(src)
		mayBeStored := isQuestion(records[0]) || len(records) == 1 && r.Format == "active_line"
		return r.Flag() || IsServerFrame(r) || IsEphemeral(r) && !mayBeStored || MayBePreLMC(src.Root) && src.Root.Member("role") == nil
	})
}

// isStreamInList reports whether the elements of a list are a stream that was collected
// into it. It begins with a start that the next record continues, or has many flags.
// Records of the server may precede it.
func isStreamInList(records []*source.Record) bool {
	var views []*lmc.Record
	flags := 0
	for _, src := range records[:min(len(records), flagWindow)] {
		if r := lmc.NewRecord(src); !IsServerFrame(r) {
			views = append(views, r)
			if r.Flag() && r.Content == nil {
				flags++
			}
		}
	}
	if flags == 0 || len(views) < 2 {
		return false
	}
	first, next := views[0], views[1]
	isBlock := first.Start && first.Content == nil && first.Role == next.Role && first.IsContinuedBy(next) && (next.Content != nil || next.End)
	return isBlock || flags >= minFlags
}

// isQuestion reports whether a record is a message of the user, with which most
// stored conversations begin.
func isQuestion(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return r.Role == "user" && !r.Flag() && r.Content != nil && !IsCommand(r)
}

package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

// Limits of how many records detection inspects.
const (
	maxDetected       = 1000
	maxDetectedInBody = 100 // of each body in a HAR file
	maxCounted        = 20  // to choose between protocols
)

// Sniff detects whether an input is LMC, and its kind.
func (LMC) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	records := objectRecords(first)
	claim := countMatches(records, resemblesLMC)
	decided := isDecided(first, form, final)
	switch {
	case claim == 0 && namesProtocol(config, LMC{}) && countMatches(records, isWorkbench) > 0:
		if !decided && len(records) < maxCounted {
			return plugin.Detection{}
		}
		return plugin.Detection{LooksLike: "it is Semantic Workbench, not LMC" + withoutDialect(config)}
	case claim > 0, config.Explicit():
	case !decided:
		return plugin.Detection{}
	default:
		if looks := looksLike(first, form, config); looks != "" {
			return plugin.Detection{LooksLike: looks}
		}
	}
	kind := config.Kind
	if kind == "" {
		kind = kindOf(first, form, final || len(first) >= maxDetected)
	}
	v := plugin.Detection{
		Kind: kind, MatchCount: claim, JoinsLists: kind == KindStream && JoinsLists(form),
		Unreadable: decided && len(records) == 0 && count(first, (*source.Record).IsLost) > maxUnreadable,
	}
	if !JoinsLists(form) && config.Kind == "" {
		v.Classify = func(first []*source.Record, before string, final bool) string {
			return kindOfConversation(first, form, before, final || len(first) >= maxDetectedInBody)
		}
	}
	return v
}

// kindOfConversation detects the kind of one of several conversations, which is that of
// the one before if it has no record.
func kindOfConversation(first []*source.Record, form source.Form, before string, final bool) string {
	switch {
	case slices.ContainsFunc(first, isObject), slices.ContainsFunc(first, hasDirection):
		return kindOf(first, form, final)
	case final:
		return before
	}
	return ""
}

// maxUnreadable is how many records may be reported one by one if none can be
// read.
const maxUnreadable = 4

// Sniff detects whether an input is Semantic Workbench, and its kind.
func (p Workbench) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	records := objectRecords(first)
	claim := countMatches(records, isWorkbench)
	decided := isDecided(first, form, final)
	isEmpty := config.EmptyList || final && len(first) == 1 && workbench.EmptyListShape(first[0].Root) != workbench.ShapeUnknown
	switch {
	case namesDialect(config):
		return plugin.Detection{LooksLike: "Semantic Workbench has no dialects"}
	case claim == 0 && decided && namesProtocol(config, p) && countMatches(records, resemblesLMC) > 0:
		return plugin.Detection{LooksLike: "it is LMC, not Semantic Workbench" + withoutDialect(config)}
	case claim > 0, decided && namesProtocol(config, p):
	case isEmpty: // the service returns such a list; no program that speaks LMC is known to
		claim = 1
	case decided:
		return plugin.Detection{LooksLike: "its records have none of the keys of Semantic Workbench's messages (sender, message_type, timestamp)"}
	default:
		return plugin.Detection{}
	}
	kind := KindTranscript
	switch {
	case config.Kind != "":
		kind = config.Kind
	case countMatches(records, isEvent) > 0:
		kind = KindStream
	}
	return plugin.Detection{Kind: kind, MatchCount: claim}
}

// isDecided reports whether an input in whose first records a protocol has none is not
// of it.
func isDecided(first []*source.Record, form source.Form, final bool) bool {
	return final || len(first) >= maxDetected || form != source.FormText && len(first) >= source.DecisiveValues
}

// isWorkbench reports whether a record is one of Semantic Workbench.
func isWorkbench(r *source.Record) bool {
	return workbench.ShapeOf(r.Root, r.Event) != workbench.ShapeUnknown
}

// isEvent reports whether a record is an event of Semantic Workbench.
func isEvent(r *source.Record) bool {
	shape := workbench.ShapeOf(r.Root, r.Event)
	return shape == workbench.ShapeAnnouncement || shape == workbench.ShapePayload
}

// namesProtocol reports whether the user named a protocol, or a dialect, which only
// LMC has.
func namesProtocol(config plugin.Config, p plugin.Protocol) bool {
	return !config.Tentative && (config.Protocol == p.Name() || p == LMC{} && namesDialect(config))
}

// namesDialect reports whether the user named a dialect for this input, not
// only for those among many that are LMC.
func namesDialect(config plugin.Config) bool {
	return !config.Tentative && config.Dialect != "" && config.Dialect != dialectAuto
}

// withoutDialect says which flag to omit for an input of another protocol.
func withoutDialect(config plugin.Config) string {
	if namesDialect(config) {
		return ", and has no dialects: check it without --dialect " + config.Dialect
	}
	return ": check it without --protocol " + config.Protocol
}

// countMatches returns how many of the first records belong to a protocol, and
// at least 1 if the last one does: earlier calls have tested those in between.
func countMatches(records []*source.Record, known func(*source.Record) bool) (n int) {
	n = count(records[:min(len(records), maxCounted)], known)
	if n == 0 && len(records) > maxCounted && known(records[len(records)-1]) {
		n = 1
	}
	return n
}

// objectRecords returns the records that are objects.
func objectRecords(first []*source.Record) []*source.Record {
	return slices.DeleteFunc(slices.Clone(first), func(r *source.Record) bool { return !isObject(r) })
}

func isObject(r *source.Record) bool {
	return !r.IsGap && r.Root != nil && r.Root.Kind == source.Object
}

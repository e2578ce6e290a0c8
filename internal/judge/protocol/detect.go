package protocol

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of how many records detection inspects.
const (
	maxDetected = 1000
	maxCounted  = 20 // to choose between protocols
)

// Sniff detects whether an input is LMC, and its kind.
func (LMC) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	records := objectRecords(first)
	claim := countMatches(records, resemblesLMC)
	if claim == 0 && form == source.FormSessionLog {
		claim = min(1, count(first, func(r *source.Record) bool { return r.IsLogged })) // whatever the frame is
	}
	isOther := claim == 0 && config.Explicit() && countMatches(records, isWorkbench) > 0
	decided := isDecided(first, form, final)
	switch {
	case claim > 0, config.Explicit() && !isOther:
	case !decided:
		return plugin.Detection{}
	case isOther && namesDialect(config):
		return plugin.Detection{LooksLike: "it is Semantic Workbench, not LMC, and has no dialects: check it without --dialect " + config.Dialect}
	case isOther:
		return plugin.Detection{LooksLike: "it is Semantic Workbench, not LMC: check it without --protocol lmc"}
	default:
		if looks := looksLike(first, form, config); looks != "" {
			return plugin.Detection{LooksLike: looks}
		}
	}
	v := plugin.Detection{
		Kind: cmp.Or(config.Kind, kindOf(first, form, final)), MatchCount: claim,
	}
	if v.Kind == "" && claim == len(first) && !slices.ContainsFunc(first, mayBeChunk) {
		v.Meanwhile = KindTranscript
	}
	v.JoinsLists = v.Kind == KindStream && JoinsLists(form)
	if JoinsLists(form) || config.Kind != "" {
		return v
	}
	if form == source.FormText {
		v.KindOfPart = kindOfPart
	}
	v.Classify = func(first []*source.Record, before string, final bool) string {
		switch {
		case slices.ContainsFunc(first, isObject), slices.ContainsFunc(first, hasDirection):
			return kindOf(first, form, final)
		case final || len(first) >= maxUndecided: // a conversation without a record
			return before
		}
		return ""
	}
	return v
}

// Sniff detects whether an input is Semantic Workbench, and its kind.
func (Workbench) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	records := objectRecords(first)
	claim := countMatches(records, isWorkbench)
	isNamed := config.Protocol != "" && !config.Tentative
	isEmpty := config.EmptyList || final && len(first) == 1 && workbench.EmptyListShape(first[0].Root) != workbench.ShapeUnknown
	switch {
	case namesDialect(config):
		return plugin.Detection{LooksLike: "Semantic Workbench has no dialects"}
	case claim > 0:
	case isEmpty && !isNamed: // the service returns such a list; no program that speaks LMC is known to
		claim = 1
	case !isDecided(first, form, final):
		return plugin.Detection{}
	case isNamed && countMatches(records, resemblesLMC) > 0:
		return plugin.Detection{LooksLike: "it is LMC, not Semantic Workbench: check it without --protocol workbench"}
	case !isNamed:
		return plugin.Detection{LooksLike: "its records have none of the keys of Semantic Workbench's messages (sender, message_type, timestamp)"}
	}
	isEvent := func(r *source.Record) bool { return workbench.ShapeOf(r.Root, r.Event).Streamed() }
	v := plugin.Detection{Kind: config.Kind, MatchCount: claim}
	switch {
	case v.Kind != "":
	case countMatches(records, isEvent) > 0:
		v.Kind = KindStream
	default:
		v.Kind = KindTranscript
	}
	return v
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

// namesDialect reports whether the user named a dialect for this input, not
// only for those among many that are LMC.
func namesDialect(config plugin.Config) bool {
	return !config.Tentative && config.Dialect != "" && config.Dialect != dialectAuto
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

// mayBeChunk reports whether a record is no whole message outside lists. One without content
// and flag may have lost either.
func mayBeChunk(src *source.Record) bool {
	r := lmc.NewRecord(src)
	return isInList(src) || !isMessage(r) || r.Content == nil
}

package protocol

import (
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
)

// Sniff detects whether an input is Semantic Workbench, and its kind.
func (p Workbench) Sniff(first []*source.Record, form source.Form, config plugin.Config, final bool) plugin.Detection {
	streamed := false
	records := objectRecords(first)
	claim := countMatches(records, func(r *source.Record) bool {
		shape := workbench.ShapeOf(r.Root, r.Event)
		streamed = streamed || shape == workbench.ShapeAnnouncement || shape == workbench.ShapePayload
		return shape != workbench.ShapeUnknown
	})
	enough := final || len(first) >= maxDetected || form != source.FormText && len(first) >= source.DecisiveValues
	switch {
	case namesDialect(config):
		return plugin.Detection{LooksLike: "Semantic Workbench has no dialects"}
	case claim == 0 && enough && namesProtocol(config, p) && countMatches(records, resemblesLMC) > 0:
		return plugin.Detection{LooksLike: "it is LMC, not Semantic Workbench" + withoutDialect(config)}
	case config.Protocol == p.Name() && !config.Tentative && (claim > 0 || enough), claim > 0:
		v := detectionOf(kindOfWorkbench(config, streamed))
		v.MatchCount = claim
		return v
	case config.EmptyList, final && len(first) == 1 && workbench.EmptyListShape(first[0].Root) != workbench.ShapeUnknown: // the service returns one; no program that speaks LMC is known to
		v := detectionOf(kindOfWorkbench(config, false))
		v.MatchCount = 1
		return v
	case slices.ContainsFunc(first, isTranscriptHead):
		return plugin.Detection{LooksLike: markdownTranscript, MatchCount: 1}
	case enough:
		return plugin.Detection{LooksLike: "its records have none of the keys of Semantic Workbench's messages (sender, message_type, timestamp)"}
	}
	return plugin.Detection{}
}

// isWorkbench reports whether a record is one of Semantic Workbench.
func isWorkbench(r *source.Record) bool {
	return workbench.ShapeOf(r.Root, r.Event) != workbench.ShapeUnknown
}

// Classify implements [plugin.Protocol]: all conversations of an input are of one kind.
func (Workbench) Classify(_ []*source.Record, _ source.Form, _ plugin.Config, detected plugin.Detection, _ bool) plugin.Detection {
	return detected
}

func kindOfWorkbench(config plugin.Config, streamed bool) string {
	switch {
	case config.Kind != "":
		return config.Kind
	case streamed:
		return KindStream
	}
	return KindTranscript
}

// markdownTranscript describes a transcript that the web app exported for reading.
const markdownTranscript = "it looks like a Markdown transcript of Semantic Workbench, which has neither ids nor roles nor metadata; " +
	"lint the messages themselves (GET /conversations/{id}/messages) or an export"

// transcriptHead matches the first line of a message in a transcript that the
// web app exported.
var transcriptHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^### \[(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [A-Z][a-z]+ \d{1,2} \d{1,2}:\d{2} [AP]M\] .*:`)
})

// isTranscriptHead reports whether a line is the first line of a message in
// such a transcript.
func isTranscriptHead(r *source.Record) bool {
	return r.Root == nil && transcriptHead().Match(r.Data[:min(len(r.Data), 200)])
}

// MeaningOf implements [plugin.Protocol]. An object is a record of Semantic Workbench if
// it is complete enough to be of no other format.
func (Workbench) MeaningOf(object *source.Node) source.Meaning {
	switch workbench.ShapeOf(object, "") {
	case workbench.ShapeUnknown:
		return source.Foreign
	case workbench.ShapeRequest:
		if workbench.OtherKeys(object) > 0 {
			return source.Foreign
		}
	}
	return source.Whole
}

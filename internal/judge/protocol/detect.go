package protocol

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
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

// vocabulary is the words of all dialects.
type vocabulary struct {
	roles, types, formats, keys []string

	key *regexp.Regexp // matches in text a key that all records may have, whatever their type is
}

// words returns the words of all dialects.
var words = sync.OnceValue(func() vocabulary {
	var v vocabulary
	var core []string // the keys without those of a dialect's own, such as name and path
	for _, d := range schema.All() {
		v.roles = append(v.roles, d.Roles...)
		v.formats = append(v.formats, d.LanguageNames()...)
		for i := range d.Types {
			v.types = append(v.types, d.Types[i].Name)
			v.formats = append(v.formats, d.Types[i].FormatNames(schema.Chunk)...)
		}
		keys := d.KnownKeys(schema.Chunk)
		v.keys = append(v.keys, keys...)
		core = append(core, slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(d.Keys, key) })...)
	}
	for _, list := range []*[]string{&v.roles, &v.types, &v.formats, &v.keys, &core} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	v.key = regexp.MustCompile(`["']?\b(` + strings.Join(core, "|") + `)["']\s*:`)
	return v
})

// IsLMCType reports whether a word is a type of one of LMC's dialects.
func IsLMCType(word string) bool { return slices.Contains(words().types, word) }

// MeaningOf returns what an object is to the protocols: the strongest meaning.
func MeaningOf(object *source.Node) source.Meaning {
	return max(LMC{}.MeaningOf(object), Workbench{}.MeaningOf(object))
}

// MeaningOf implements [plugin.Protocol]. An object is a record of Semantic Workbench if
// it is complete enough to be of no other format.
func (Workbench) MeaningOf(object *source.Node) source.Meaning {
	switch shape := workbench.ShapeOf(object, ""); {
	case shape == workbench.ShapeUnknown, shape == workbench.ShapeRequest && workbench.OtherKeys(object) > 0:
		return source.Foreign
	}
	return source.Whole
}

// MeaningOf returns what an object is to the protocol LMC. It implements
// [plugin.Protocol].
func (LMC) MeaningOf(object *source.Node) source.Meaning {
	if object == nil {
		return source.Foreign
	}
	v, all := words(), object.Children
	object = lmc.Present(object)
	role, typ, content := object.Member("role"), object.Member("type"), object.Member("content")
	isRole, isType := slices.Contains(v.roles, role.Text()), slices.Contains(v.types, typ.Text())
	hasValue := content != nil || object.Member("start") != nil || object.Member("end") != nil
	isOwn := hasValue && !slices.ContainsFunc(object.Children, func(n source.Node) bool { return !slices.Contains(v.keys, n.Name) })
	isOfOther := func(n source.Node) bool { return !slices.Contains(v.keys, n.Name) && object.Member(n.Name) == nil } // and null
	isOnly := len(object.Children) == 1 && !slices.ContainsFunc(all, isOfOther)
	switch {
	case hasObjects(content): // the parts of another protocol
	case isRole && isType,
		isOwn && isRole && typ == nil && (content == nil || role.Text() == "computer"),
		isOwn && (isRole || isType) && role != nil && typ != nil: // one of them is misspelled
		return source.Plain
	case (isRole || isType) && hasValue, isOnly && (object.Member("auth") != nil || object.Member("ack") != nil):
		return source.Weak
	case !MayBePreLMC(object):
	case isRole && slices.ContainsFunc(object.Children, isOldText), isOnly && slices.Contains(oldFlags, object.Children[0].Name):
		return source.Old
	case isOnly && isOldText(object.Children[0]): // log lines also have a message, and packages of all kinds a language
		return source.WeakOld
	}
	if ForeignShape(object) != "" {
		return source.Other
	}
	return source.Foreign
}

// The keys of Open Interpreter 0.1.16 and older, besides role. A chunk has one of them, a
// message a text.
var (
	oldTexts = []string{"message", "code", "output", "language"}
	oldFlags = []string{
		"executing", "active_line", "end_of_execution", "start_of_message", "end_of_message", "start_of_code", "end_of_code",
		"start_of_output", "end_of_output",
	}
)

// MayBePreLMC reports whether an object may be a record of Open Interpreter 0.1.16 or older:
// it has a key of one, and those of no LMC record. An object as a message is of another
// format.
func MayBePreLMC(object *source.Node) bool {
	isOldKey := func(n source.Node) bool {
		return slices.Contains(oldFlags, n.Name) || slices.Contains(oldTexts, n.Name) && (n.Name != "message" || n.Kind != source.Object)
	}
	return object.Member("type") == nil && object.Member("content") == nil && slices.ContainsFunc(object.Children, isOldKey)
}

// isOldText reports whether a member of an object is a text of such a record.
func isOldText(n source.Node) bool {
	return n.Kind == source.String && slices.Contains(oldTexts, n.Name)
}

// resemblesLMC reports whether a record of data looks like LMC, valid or not. One with a
// role and a content is of OpenAI's protocol.
func resemblesLMC(src *source.Record) bool {
	root := lmc.Present(src.Root)
	switch (LMC{}).MeaningOf(root) {
	case source.Plain, source.Old:
		return true
	case source.Weak:
		return root.Member("role") == nil || isMisspelled(root)
	case source.WeakOld:
		return false
	}
	return isMisspelled(root)
}

// isMisspelled reports whether a record with misspelled keys or values is LMC: it has a role,
// a type and a flag that is set, or a role and a type of LMC in any case, or a content and
// such a role that is computer or has a format that only LMC has.
func isMisspelled(root *source.Node) bool {
	meant := map[string]*source.Node{}
	for i := range slices.Backward(root.Children) {
		meant[meantKey(root.Children[i].Name)] = &root.Children[i]
	}
	v := words()
	is := func(key string, words []string) bool {
		text := strings.TrimSpace(meant[key].Text())
		return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, text) })
	}
	isString := func(key string) bool { return meant[key] != nil && meant[key].Kind == source.String }
	start, end := root.Member("start"), root.Member("end")
	isSet := func(flag *source.Node) bool { return flag != nil && flag.Value() == true }
	switch hasContent := meant["content"] != nil; {
	case isString("role") && isString("type") && (isSet(start) || isSet(end)):
		return true
	case is("role", v.roles) && is("type", v.types):
		return hasContent || start != nil || end != nil
	default:
		return hasContent && is("role", v.roles) && (is("role", []string{"computer"}) || is("format", v.formats))
	}
}

// hasObjects reports whether a value is a list that contains an object.
func hasObjects(n *source.Node) bool {
	return n != nil && n.Kind == source.Array && slices.ContainsFunc(n.Children, func(c source.Node) bool { return c.Kind == source.Object })
}

// MaxInspected is how many bytes of an unreadable record are inspected to find
// out what it is.
const MaxInspected = 64 << 10

// hasRecordKeys reports whether text has two keys of a record.
func hasRecordKeys(r *source.Record) bool {
	return len(words().key.FindAll(r.Data[:min(len(r.Data), MaxInspected)], 2)) == 2
}

// namesRole reports whether text has the key role, also if it was encoded twice.
func namesRole(r *source.Record) bool {
	return roleKey().Match(r.Data[:min(len(r.Data), MaxInspected)])
}

var roleKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']role\\?["']`) })

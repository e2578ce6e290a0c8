package validate

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// explanation says which violations of a record are not reported because other
// violations of the same record explain them.
type explanation struct {
	by        causes // all of these are present
	unless    causes // and none of these
	explains  causes
	principle string // of "one mistake, one finding"
}

// explanations lists what explains what within one record. Schemas validate every
// key separately, so one mistake violates several keywords. All rows are
// compared with the violations that the schemas gave: an explained violation
// still explains others. A missing or unknown type needs no row: without a type
// the schemas do not validate the content.
var explanations = []explanation{
	{by: of(MissingRole, MissingType, MissingContent), explains: of(MissingType, MissingContent), principle: "a record that has nothing lacks its role only"},
	{by: of(ConflictingKeys), explains: of(MissingFormat), principle: "conflicting keys imply no missing format"},
	{by: of(OtherEndKey), explains: of(MissingContent), principle: "the end key of another dialect implies no missing content"},
	{by: of(MissingContent), unless: of(OtherEndKey), explains: of(UnknownKey), principle: "missing content implies no unknown key"},
	{by: of(UnknownType, MissingRole, MissingContent), explains: of(MissingRole), principle: "a record that has nothing but an unknown type lacks nothing else"},
	{by: of(UnknownType), explains: of(MissingContent), principle: "nothing is known of what a record of an unknown type needs"},
	{by: of(misplacedFlag), explains: of(MissingContent), principle: "a flag that is the role or format implies no missing flag"},
	{by: of(misspelledType), explains: of(UnexpectedFormat), principle: "a format is not checked by a type that is misspelled"},
	{by: of(MissingFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(InvalidFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(UnexpectedFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(ConflictingKeys), explains: contentCauses, principle: "content beside a flag is not checked"},
}

const notChecked = "content of a wrong type or format is not checked, unless it is wrong for every format of the type"

// contentCauses are the causes that depend on the record's type and format.
var contentCauses = of(WrongContentType, InvalidConfirmation, LegacyConfirmation, InvalidActiveLine)

// misspelledType is a fact that explains, and no violation of its own: an
// unknown key in a record without a type is near to the key type.
const misspelledType = causeCount

// misplacedFlag is another fact that explains: the value of the key role or
// format is the name of a flag.
const misplacedFlag = causeCount + 1

// fitsNoFormat is a fact, too: the content is wrong for every format of the type.
const fitsNoFormat = causeCount + 2

// misplacing are the causes that a flag in another key's value has.
var misplacing = of(UnknownRole, UnexpectedFormat, InvalidFormat)

// causes is a set of causes.
type causes uint64

func of(members ...Cause) (set causes) {
	for _, c := range members {
		set |= 1 << c
	}
	return set
}

func (set causes) has(c Cause) bool { return set&(1<<c) != 0 }

// dedupe puts the violations of a record in source order and keeps one for each
// mistake. Facts are others that explain, and IsFlag reports whether a word is the key of a flag.
func dedupe(found []Violation, facts causes, isFlag func(word string) bool) []Violation {
	if len(found) == 1 {
		return found
	}
	slices.SortStableFunc(found, compare)
	explained := explainedBy(found, facts, isFlag)
	var meant []string // unknown keys that are reported as the missing key's misspelling
	for i := range found {
		if instead := found[i].Instead; instead != "" {
			meant = append(meant, instead)
		}
	}
	type mistake struct {
		cause Cause
		key   string
	}
	var seen []mistake // a few
	return slices.DeleteFunc(found, func(v Violation) bool {
		if explained.has(v.Cause) || v.Cause == UnknownKey && slices.Contains(meant, v.Key) {
			return true
		}
		m := mistake{v.Cause, v.Key}
		if v.Cause == UnknownKey || v.Cause == InvalidFlag {
			m.key = "" // one for all such keys of a record
		}
		if slices.Contains(seen, m) {
			return true
		}
		seen = append(seen, m)
		return false
	})
}

// explainedBy returns the causes that the violations of a record and some facts explain.
func explainedBy(found []Violation, present causes, isFlag func(word string) bool) (explained causes) {
	for i := range found {
		present |= of(found[i].Cause)
		if found[i].Cause == UnknownKey && found[i].Type == "" && found[i].Suggest().Nearest == "type" {
			present |= of(misspelledType)
		}
		if misplacing.has(found[i].Cause) && found[i].Node.Kind == source.String && isFlag(found[i].Node.Text()) {
			present |= of(misplacedFlag)
		}
	}
	for _, e := range explanations {
		if present&e.by == e.by && present&e.unless == 0 {
			explained |= e.explains
		}
	}
	return explained
}

// compare orders violations by place, and at one place by cause and key.
func compare(a, b Violation) int {
	return cmp.Or(cmp.Compare(a.offset(), b.offset()), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Key, b.Key))
}

// offset returns where the violation is, in bytes from the start of the record.
func (v *Violation) offset() int {
	if v.AtKey {
		return v.Node.NameStart
	}
	return v.Node.Start
}

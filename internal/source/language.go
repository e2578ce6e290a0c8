package source

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// language is what is known of the language of an input whose first record is
// valid both as JSON and as a Python literal.
type language struct {
	shown   Language // by the records so far
	printed bool     // the last record was a Python literal with single quotes among others, and was reported
}

// plainForms are the forms that consist of records alone, so that all are in one
// language.
var plainForms = []Form{FormJSON, FormJSONL, FormSSE}

// ScanValue scans the value at the start of the unread input. It reads no more of
// the input than it needs to find the end of the value. The result does not
// depend on the sizes in which the input arrives.
//
// A literal that only Python has makes the input Python if no record before it
// was certainly JSON.
func (cur *Cursor) ScanValue() RawValue {
	p := cur.scanValue()
	switch {
	case cur.Scan.Python || !cur.mayChangeLanguage():
		return p
	case p.Stop == nil && p.Root != nil:
		cur.language.printed = false
		if cur.language.shown == languageUnknown && p.Root.HasLiteral() {
			cur.language.shown = languageJSON
		}
	case p.Stop != nil && !p.TooLarge && isPythonWord(cur.In.Rest()[p.Stop.Start:p.Stop.End]):
		return cur.scanPython(p, FirstQuote(cur.In.Rest()) == '\'')
	}
	return p
}

// mayChangeLanguage reports whether the form leaves the language open.
func (cur *Cursor) mayChangeLanguage() bool {
	return cur.Options.Form == FormAuto || cur.Options.Form == cur.Form && !slices.Contains(plainForms, cur.Form)
}

// scanPython scans a value as a Python literal that is not JSON because of the
// fault of p. It returns p for a record that was printed among records in double
// quotes: those are JSON, and it is a mistake. More of them directly after it
// are not reported again.
func (cur *Cursor) scanPython(p RawValue, printed bool) RawValue {
	switch {
	case printed && !cur.language.printed,
		!printed && (cur.language.shown == languageJSON || cur.In.Rest()[p.Stop.Start] == '\''):
		cur.language.printed = printed
		return p
	}
	at := p.Stop.Start
	cur.Scan.Python = true
	q := cur.scanValue()
	switch {
	case q.TooLarge || q.Stop != nil && q.Stop.Start <= at:
		cur.Scan.Python = false
		return cur.scanValue()
	case !printed:
		cur.turnPython()
	}
	return q
}

// turnPython makes the input one of Python literals.
func (cur *Cursor) turnPython() {
	cur.language.shown = LanguagePython
	if slices.Contains(plainForms, cur.Form) {
		if cur.Form != FormSSE {
			cur.Form = FormPython
		}
	}
}

// noteSkipped takes note of records that were matched instead of scanned.
func (cur *Cursor) noteSkipped(showsJSON bool) {
	cur.language.printed = false
	if showsJSON && cur.language.shown == languageUnknown {
		cur.language.shown = languageJSON
	}
}

// withPythonReport prepends a PythonLiteral fault to the faults of the first
// record that is a Python literal.
func (cur *Cursor) withPythonReport(faults []value.Fault) []value.Fault {
	switch {
	case !cur.Scan.Python:
		return faults
	case cur.language.printed:
		cur.Scan.Python = false // the next record may be JSON
		return faults
	case cur.PythonReported:
		return faults
	}
	return slices.Insert(slices.Clone(faults), 0, cur.pythonReport(cur.record.Data))
}

// pythonReport returns the fault of the first record that is a Python literal.
func (cur *Cursor) pythonReport(data []byte) value.Fault {
	cur.PythonReported = true
	return value.Fault{Kind: PythonLiteral, End: len(data), Detail: "records are Python literals, not JSON"}
}

package report

import "github.com/lmclint/lmclint/lint"

// lineOrder keeps the findings of an input until it ends, and then gives them in
// the order of its lines. Some are decided long after their line: that a block
// has no end, for instance. Their texts are kept compressed, so that memory is
// bounded as it is for a document.
type lineOrder struct {
	byLine func(path string) bool // Options.ByLine
	kept   spool
}

// applies reports whether the findings of an input wait for its end.
func (o *lineOrder) applies(path string) bool { return o.byLine != nil && o.byLine(path) }

// add keeps the text of a finding.
func (o *lineOrder) add(f *lint.Finding, text []byte) error { return o.kept.add(f, text) }

// release calls write with the id of the rule and the text of each finding, by
// path, offset and rule. The text is valid during the call.
func (o *lineOrder) release(write func(rule string, text []byte) error) error {
	if o.kept.len() == 0 {
		return nil
	}
	o.kept.sort()
	for i := range o.kept.len() {
		text, err := o.kept.text(i)
		if err != nil {
			return err
		}
		if err := write(o.kept.rule(i), text); err != nil {
			return err
		}
	}
	o.kept.clear()
	return nil
}

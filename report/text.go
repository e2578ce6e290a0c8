package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
)

// text is the report for people: a finding as soon as it is decided, with the
// source line, the related places and the help.
type text struct {
	out  io.Writer
	page findingText
}

func newText(w io.Writer, o Options) *text {
	return &text{out: w, page: findingText{palette: newPalette(o.Color), width: o.Width}}
}

func (t *text) Begin(Run) error { return nil }

// Finding writes the whole finding at once, so that no other writer to the
// same terminal can stand between its lines.
func (t *text) Finding(f lint.Finding) error {
	t.page.show(&f)
	_, err := t.out.Write(t.page.text)
	return err
}

func (t *text) File(File) error { return nil }

func (t *text) End(Summary) error { return nil }

package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
)

// concise writes a finding on one line as soon as it is decided: the first
// line of the text report, and the help behind it.
type concise struct {
	out  io.Writer
	page findingText
}

func newConcise(w io.Writer, o Options) *concise {
	return &concise{out: w, page: findingText{palette: newPalette(o.Color)}}
}

func (c *concise) Begin(Run) error { return nil }

func (c *concise) Finding(f lint.Finding) error {
	_, err := c.out.Write(append(c.page.line(&f), '\n'))
	return err
}

func (c *concise) File(File) error { return nil }

func (c *concise) End(Summary) error { return nil }

package report

import (
	"cmp"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// What follows writes what report.schema.json describes, in its order.

func (o *object) tool(r Run) {
	o.begin()
	o.text("name", r.Tool)
	o.text("version", r.Version)
	o.end()
}

func (o *object) file(f *File) {
	o.begin()
	o.text("path", f.Path)
	o.optional("protocol", f.Protocol)
	o.optional("kind", f.Kind)
	o.optional("form", string(f.Form))
	o.optional("dialect", f.Dialect)
	o.number("records", f.Records)
	o.number("errors", f.Errors)
	o.number("warnings", f.Warnings)
	o.number("notes", f.Notes)
	if f.Err != nil {
		o.text("failure", cmp.Or(f.Err.Error(), "unknown"))
	}
	o.end()
}

func (o *object) finding(f *lint.Finding) {
	o.begin()
	o.text("rule", f.Rule.ID)
	o.text("name", f.Rule.Name)
	o.text("severity", f.Severity.String())
	o.text("message", f.Message)
	o.optional("help", f.Help)
	o.text("path", f.Path)
	o.index("conversation", f.Conversation)
	o.place(&f.Place)
	o.list("related", len(f.Related), func(i int) {
		o.text("message", f.Related[i].Message)
		o.optional("path", f.Related[i].Path)
		o.place(&f.Related[i].Place)
	})
	o.end()
}

// place writes the members that say where something is.
func (o *object) place(p *source.Place) {
	start, end := known(p.Span.Start), known(p.Span.End)
	o.number("line", start.Line)
	o.number("column", start.Column)
	o.number("endLine", end.Line)
	o.number("endColumn", end.Column)
	o.number64("offset", start.Offset)
	o.number64("endOffset", end.Offset)
	o.index("record", p.Record)
	o.text("pointer", p.Pointer)
}

func (o *object) summary(s Summary) {
	o.begin()
	o.number("files", s.Files)
	o.number("skipped", s.Skipped)
	o.number("records", s.Records)
	o.number("errors", s.Errors)
	o.number("warnings", s.Warnings)
	o.number("notes", s.Notes)
	o.positive("known", s.Suppressed)
	o.positive("hidden", s.Hidden)
	o.boolean("incomplete", s.Incomplete)
	o.end()
}

package report

import (
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// reviewdog writes a finding a line as soon as it is decided, in the Reviewdog
// Diagnostic Format. Its columns count bytes of a line; where a finding does
// not show how many there are before it, its lines are all that is said.
type reviewdog struct {
	out  io.Writer
	run  Run
	line object
}

func (r *reviewdog) Begin(run Run) error {
	r.run = run
	return nil
}

func (r *reviewdog) Finding(f lint.Finding) error {
	o := &r.line
	message := f.Message
	if f.Help != "" {
		message += "; " + f.Help
	}
	o.begin()
	o.text("message", EscapeControls(message))
	o.location(f.Path, &f.Place)
	o.text("severity", reviewdogSeverity(f.Severity))
	o.source(&r.run)
	o.within("code", func() { o.text("value", f.Rule.ID) })
	if len(f.Related) > 0 {
		o.list("related_locations", len(f.Related), func(i int) {
			o.text("message", EscapeControls(f.Related[i].Message))
			o.location(cmp.Or(f.Related[i].Path, f.Path), &f.Related[i].Place)
		})
	}
	o.end()
	return r.write()
}

func (r *reviewdog) File(f File) error {
	if f.Err == nil {
		return nil
	}
	o := &r.line
	o.begin()
	o.text("message", EscapeControls(reason(&f)))
	o.within("location", func() { o.text("path", f.Path) })
	o.text("severity", "ERROR")
	o.source(&r.run)
	o.end()
	return r.write()
}

func (r *reviewdog) End(Summary) error { return nil }

func (r *reviewdog) write() error {
	_, err := r.out.Write(append(r.line.json, '\n'))
	r.line.json = r.line.json[:0]
	return err
}

func (o *object) source(r *Run) {
	o.within("source", func() {
		o.text("name", r.Tool)
		o.text("url", informationURI)
	})
}

func (o *object) location(path string, p *source.Place) {
	start, end := known(p.Span.Start), known(p.Span.End)
	from, to, ok := byteColumns(p)
	o.within("location", func() {
		o.text("path", path)
		o.within("range", func() {
			o.within("start", func() { o.at(start.Line, from, ok) })
			o.within("end", func() { o.at(end.Line, to, ok) })
		})
	})
}

func (o *object) at(line, column int, known bool) {
	o.number("line", line)
	if known {
		o.number("column", column)
	}
}

// byteColumns returns where on its line a place begins and ends, in bytes from
// 1, if its excerpt shows it: the line from its first byte on, as it is.
func byteColumns(p *source.Place) (from, to int, ok bool) {
	start, end, e := p.Span.Start, p.Span.End, &p.Excerpt
	if start.Line != end.Line || e.Column != 1 || e.CutLeft || start.Column < 1 || end.Offset < start.Offset {
		return 0, 0, false
	}
	rest, ok := behind(e.Text, start.Column-1)
	before := e.Text[:len(e.Text)-len(rest)]
	if !ok || strings.ContainsRune(before, utf8.RuneError) {
		return 0, 0, false
	}
	return len(before) + 1, len(before) + 1 + int(end.Offset-start.Offset), true
}

func reviewdogSeverity(s lint.Severity) string {
	switch s {
	case lint.SeverityError:
		return "ERROR"
	case lint.SeverityWarning:
		return "WARNING"
	}
	return "INFO"
}

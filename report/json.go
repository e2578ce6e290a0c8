package report

import (
	"cmp"
	"io"
	"strconv"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// jsonVersion is the version of the document that report.schema.json
// describes. It grows when a reader of the old one would be misled.
const jsonVersion = 1

// jsonReport is one document with everything in it, sorted. It is written at
// the end, a file or finding a line.
type jsonReport struct {
	out      io.Writer
	run      Run
	files    []File
	line     object
	findings spool
}

func (j *jsonReport) Begin(r Run) error {
	j.run = r
	return nil
}

func (j *jsonReport) Finding(f lint.Finding) error {
	j.line.json = j.line.json[:0]
	j.line.finding(&f)
	return j.findings.add(&f, j.line.json)
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	j.findings.sort()
	d := document{out: j.out}
	d.write("{\n")
	d.member("version")
	d.json = append(d.json, '0'+jsonVersion)
	d.write(",\n")
	d.member("tool")
	d.tool(j.run)
	d.write(",\n")
	d.array("files", len(j.files), func(i int) { d.file(&j.files[i]) })
	d.array("findings", j.findings.len(), func(i int) { d.spooled(&j.findings, i) })
	d.member("summary")
	d.summary(s)
	d.write("\n}\n")
	return d.close()
}

// jsonLines writes a finding a line as soon as it is decided, and the summary
// as the last line. Each line is one call of Write, so that a reader on the
// other end of a pipe has it whole.
type jsonLines struct {
	out  io.Writer
	line object
}

func (j *jsonLines) Begin(Run) error { return nil }

func (j *jsonLines) Finding(f lint.Finding) error {
	j.line.finding(&f)
	return j.write()
}

func (j *jsonLines) File(File) error { return nil }

func (j *jsonLines) End(s Summary) error {
	j.line.begin()
	j.line.name("summary")
	j.line.summary(s)
	j.line.json = append(j.line.json, '}')
	return j.write()
}

func (j *jsonLines) write() error {
	_, err := j.out.Write(append(j.line.json, '\n'))
	j.line.json = j.line.json[:0]
	return err
}

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

// object writes JSON objects into memory, each on one line. It knows the few
// kinds of members that a report has: reflection would cost more than finding
// what there is to report.
type object struct{ json []byte }

func (o *object) begin() { o.json = append(o.json, '{') }

// end closes an object that has members: in the place of the last comma.
func (o *object) end() { o.json[len(o.json)-1] = '}' }

func (o *object) name(name string) {
	o.json = append(o.json, '"')
	o.json = append(o.json, name...)
	o.json = append(o.json, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.json = append(appendString(o.json, value), ',')
}

// optional writes a member that is left out if it is empty.
func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) number(name string, value int) { o.number64(name, int64(value)) }

func (o *object) number64(name string, value int64) {
	o.name(name)
	o.json = append(strconv.AppendInt(o.json, value, 10), ',')
}

// index writes a member that is left out where nothing is counted, which -1
// says.
func (o *object) index(name string, value int) {
	if value >= 0 {
		o.number(name, value)
	}
}

// positive writes a member that is left out if it is zero.
func (o *object) positive(name string, value int) {
	if value > 0 {
		o.number(name, value)
	}
}

func (o *object) boolean(name string, value bool) {
	o.name(name)
	o.json = append(strconv.AppendBool(o.json, value), ',')
}

// within writes a member that is an object of its own, with one member or more.
func (o *object) within(name string, members func()) {
	o.name(name)
	o.begin()
	members()
	o.end()
	o.json = append(o.json, ',')
}

// list writes a member that is an array of n objects.
func (o *object) list(name string, n int, element func(i int)) {
	o.name(name)
	o.json = append(o.json, '[')
	for i := range n {
		if i > 0 {
			o.json = append(o.json, ',')
		}
		o.begin()
		element(i)
		o.end()
	}
	o.json = append(o.json, ']', ',')
}

// documentBlock is how many bytes of a document are written at once, or some
// more.
const documentBlock = 64 << 10

// document writes the parts of one document, of JSON a member or an element a
// line, and keeps the first error.
type document struct {
	object
	out io.Writer
	err error
}

// write adds text, and writes what has gathered if that is much.
func (d *document) write(text string) {
	d.json = append(d.json, text...)
	if len(d.json) >= documentBlock {
		d.flush()
	}
}

// member begins a member; its value has to follow.
func (d *document) member(name string) { d.write(`  "` + name + `": `) }

// array writes a member with n elements, which another one follows.
func (d *document) array(name string, n int, element func(int)) {
	d.member(name)
	d.write("[")
	for i := range n {
		if i > 0 {
			d.write(",")
		}
		d.write("\n    ")
		element(i)
	}
	if n > 0 {
		d.write("\n  ")
	}
	d.write("],\n")
}

// spooled writes what was kept of a finding.
func (d *document) spooled(s *spool, i int) {
	text, err := s.text(i)
	if d.err == nil {
		d.err = err
	}
	d.json = append(d.json, text...)
	d.write("")
}

func (d *document) flush() {
	if d.err == nil {
		_, d.err = d.out.Write(d.json)
	}
	d.json = d.json[:0]
}

// close writes what is left and returns the first error.
func (d *document) close() error {
	d.flush()
	return d.err
}

// next begins an element of an array that is the whole document.
func (d *document) next(first bool) {
	if first {
		d.write("\n  ")
		return
	}
	d.write(",\n  ")
}

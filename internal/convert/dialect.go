package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// rewriting returns the steps that rewrite records for the dialect of the
// options, before others. There is nothing to rewrite without one.
func (c *conversion) rewriting(next step, part schema.Part) step {
	to := c.options.ToDialect
	if to == nil {
		return next
	}
	from := &origin{named: c.options.Dialect}
	if from.named == nil {
		for _, name := range schema.Names() {
			d, _ := schema.Lookup(name)
			from.any = append(from.any, d)
		}
	} else {
		from.any = []*schema.Dialect{from.named}
	}
	if part == schema.Chunk {
		next = &executions{c: c, next: next, from: from, to: to}
	}
	next = &rewriter{c: c, next: next, from: from, to: to, part: part}
	if part == schema.Chunk && !to.ServerFrames {
		next = &merger{c: c, next: &typer{c: c, next: next}}
	}
	return next
}

// origin is the dialect of the input, as far as it is known.
type origin struct {
	named *schema.Dialect   // nil if it is not
	any   []*schema.Dialect // that it may be

	stopped bool // an end flag of the first release occurred
	served  bool // a record of the server occurred
}

// note notes what a record shows of the dialect.
func (o *origin) note(r *lmc.Record) {
	o.stopped = o.stopped || r.EndNode != nil && r.EndNode.Name == "stop"
	o.served = o.served || r.IsServed()
}

// confirms reports whether its streams contain confirmations; always, whether
// also those with auto_run.
func (o *origin) confirms() (some, always bool) {
	if o.named != nil {
		return o.named.Confirmation != schema.ConfirmNever, o.named.Confirmation == schema.ConfirmAlways
	}
	return !o.served, true
}

// lacksFinalNull reports whether its executions end without an active_line null.
func (o *origin) lacksFinalNull() bool {
	if o.named != nil {
		return !o.named.FinalNull
	}
	return o.stopped
}

// has reports whether a dialect that it may be passes a test.
func (o *origin) has(test func(*schema.Dialect) bool) bool { return slices.ContainsFunc(o.any, test) }

// rewriter rewrites single records for another dialect. What that accepts, and
// what no dialect of the input accepts, stays as it is.
type rewriter struct {
	c    *conversion
	next step
	from *origin
	to   *schema.Dialect
	part schema.Part

	dropping *lmc.Record    // the flag that starts the block that is left out
	held     *source.Record // the start of an image, whose content shows the format
	image    string         // the format of the open image if it is another one now
}

func (s *rewriter) add(r *source.Record) {
	if r.Root == nil || r.Root.Kind != source.Object {
		s.release()
		s.next.add(r)
		return
	}
	v := lmc.NewRecord(r)
	s.from.note(v)
	if s.drops(v) {
		return
	}
	s.nameImage(v)
	if s.part == schema.Chunk && v.Start && v.Type == "image" && v.Format == "base64" && s.mayLackFormats() {
		s.held = r.Clone()
		return
	}
	s.rewrite(r, v)
}

func (s *rewriter) finish() {
	s.release()
	s.next.finish()
}

// drops reports whether a record belongs to the block that is left out.
func (s *rewriter) drops(v *lmc.Record) bool {
	open := s.dropping
	if open == nil {
		return false
	}
	if v.Start || v.Role != open.Role || v.Type != open.Type {
		s.dropping = nil
		return false
	}
	if v.End {
		s.dropping = nil
	}
	return true
}

// rewrite rewrites a record and passes it on.
func (s *rewriter) rewrite(r *source.Record, v *lmc.Record) {
	if why := s.unknown(v); why != "" {
		s.c.lose(LeftOut, r, "%s", why)
		if v.Start && !v.End && s.part == schema.Chunk {
			s.dropping = v.Clone()
		}
		return
	}
	if s.isEmptyOutput(v) {
		return
	}
	o, err := objectOf(r)
	if err != nil {
		s.c.leaveOut(r, err)
		return
	}
	before := string(o.json())
	for _, change := range changes {
		o = change(s, v, o)
	}
	if string(o.json()) == before {
		s.next.add(r)
		return
	}
	s.c.derive(r, o, s.next.add)
}

// unknown returns why a record cannot be expressed in the dialect, or "".
func (s *rewriter) unknown(v *lmc.Record) string {
	differs := func(accepts func(*schema.Dialect) bool) bool { return !accepts(s.to) && s.from.has(accepts) }
	switch {
	case v.IsTransport() && !s.to.ServerFrames:
		return s.to.Name + " has no frames about the connection"
	case v.Type == "confirmation" && s.to.Confirmation == schema.ConfirmNever:
		return s.to.Name + " has no confirmations"
	case completionFor(s.to, v) != nil:
		return ""
	case differs(func(d *schema.Dialect) bool { return v.Role == "" || d.HasRole(v.Role) }):
		return fmt.Sprintf("%s has no role %s", s.to.Name, v.Role)
	case differs(func(d *schema.Dialect) bool { t, ok := d.Type(v.Type); return v.Type == "" || ok && t.In(s.part) }):
		return fmt.Sprintf("%s has no type %s in a %s", s.to.Name, v.Type, s.part)
	case differs(func(d *schema.Dialect) bool { return acceptsFormat(d, s.part, v) }):
		return fmt.Sprintf("%s has no format %s of type %s in a %s", s.to.Name, v.Format, v.Type, s.part)
	}
	return ""
}

// acceptsFormat reports whether a dialect has the format of a record. The type may
// be unknown.
func acceptsFormat(d *schema.Dialect, part schema.Part, v *lmc.Record) bool {
	t, ok := d.Type(v.Type)
	if !ok || v.Format == "" || t.AnyCode {
		return true
	}
	return slices.Contains(t.FormatNames(part), v.Format)
}

// isEmptyOutput reports whether a chunk is the empty output by which only the
// other dialect says that code ran.
func (s *rewriter) isEmptyOutput(v *lmc.Record) bool {
	return s.part == schema.Chunk && v.Type == "console" && v.Empty() && !v.Flag() && !s.to.EmptyOutput &&
		s.from.has(func(d *schema.Dialect) bool { return d.EmptyOutput })
}

// changes are what may differ in a record that both dialects have. Each returns
// the record with its change.
var changes = []func(*rewriter, *lmc.Record, object) object{
	(*rewriter).endFlag, (*rewriter).completion, (*rewriter).imageFormat, (*rewriter).language,
	(*rewriter).activeLine, (*rewriter).confirmation, (*rewriter).command, (*rewriter).keys,
}

// endFlag renames an end flag: it is stop in the first release.
func (s *rewriter) endFlag(v *lmc.Record, o object) object {
	if s.part == schema.Chunk && v.EndNode != nil && v.EndNode.Name != s.to.EndKey {
		o.rename(v.EndNode.Name, s.to.EndKey)
	}
	return o
}

// completions are the frames that say that a response is complete, by their types.
var completions = map[string]string{"status": "complete", "completion": "DONE"}

// completionFor returns the type and content of a dialect's frame that completes a
// response, if a record is another one; else nil.
func completionFor(to *schema.Dialect, v *lmc.Record) []string {
	if _, same := to.Type(v.Type); same || completions[v.Type] == "" || v.Text() != completions[v.Type] {
		return nil
	}
	for typ, content := range completions {
		if _, ok := to.Type(typ); ok {
			return []string{typ, content}
		}
	}
	return nil
}

func (s *rewriter) completion(v *lmc.Record, o object) object {
	if other := completionFor(s.to, v); other != nil {
		o.set("type", quoted(other[0]))
		o.set("content", quoted(other[1]))
	}
	return o
}

// imageFormat names the format of an image: base64 is all that the first release
// says.
func (s *rewriter) imageFormat(v *lmc.Record, o object) object {
	if v.Type != "image" || v.Format != "base64" || !s.namesFormats() {
		return o
	}
	format := s.image
	if s.part == schema.Message {
		format = formatOfImage(v)
	}
	if format != "" {
		o.set("format", quoted(format))
	}
	return o
}

// mayLackFormats reports whether the input may be of the first release, which
// does not name the formats of images, and the output is of another one. They have
// different end flags.
func (s *rewriter) mayLackFormats() bool {
	return s.to.EndKey == "end" && s.from.has(func(d *schema.Dialect) bool { return d.EndKey != s.to.EndKey })
}

// namesFormats reports whether formats of images are to be named.
func (s *rewriter) namesFormats() bool {
	return s.mayLackFormats() && (s.from.named != nil || s.from.stopped || s.part == schema.Message)
}

// nameImage passes on the start of an image that was held, once the content
// shows the format.
func (s *rewriter) nameImage(v *lmc.Record) {
	switch {
	case s.held == nil && (v.Start || v.Type != "image"):
		s.image = ""
	case s.held != nil && v.Type == "image" && !v.Flag():
		s.image = formatOfImage(v)
	}
	s.release()
}

// release passes on the start that was held.
func (s *rewriter) release() {
	if r := s.held; r != nil {
		s.held = nil
		s.rewrite(r, lmc.NewRecord(r))
	}
}

// formatOfImage returns the format of an image by its first bytes, or "".
func formatOfImage(v *lmc.Record) string {
	text := v.Text()
	for start, format := range imageStarts {
		if strings.HasPrefix(text, start) {
			return format
		}
	}
	return ""
}

// imageStarts are the signatures of images in base64, and the formats that name
// them.
var imageStarts = map[string]string{"iVBORw0KGgo": "base64.png", "/9j/": "base64.jpeg"}

// language names a language as the dialect does.
func (s *rewriter) language(v *lmc.Record, o object) object {
	if v.Type != "code" || v.Format == "" {
		return o
	}
	name, ok := s.languageOf(v.Format)
	if !ok && (v.Start || s.part == schema.Message) {
		s.c.lose(Kept, v.Source, "%s has no language %s", s.to.Name, v.Format)
	}
	if ok && name != v.Format {
		o.set("format", quoted(name))
	}
	return o
}

// languageOf returns the name of a language in the dialect. A name that the
// dialect accepts, or that the input's dialect does not know either, stays.
func (s *rewriter) languageOf(format string) (name string, ok bool) {
	if l, exact, known := s.to.Language(format); known {
		wasExact := s.from.named != nil && s.from.has(func(d *schema.Dialect) bool { _, exact, _ := d.Language(format); return exact })
		if !exact && wasExact {
			return l.Name, true
		}
		return format, true
	}
	known := false
	for _, d := range s.from.any {
		l, _, ok := d.Language(format)
		if !ok {
			continue
		}
		known = true
		for _, name := range append([]string{l.Name}, l.Aliases...) {
			if other, _, ok := s.to.Language(name); ok {
				return other.Name, true
			}
		}
	}
	return format, !known
}

// activeLine makes a number of a string of digits.
func (s *rewriter) activeLine(v *lmc.Record, o object) object {
	if v.Format != "active_line" || v.Content == nil || s.to.DigitStrings {
		return o
	}
	if line, err := strconv.Atoi(v.Text()); err == nil && line > 0 {
		o.set("content", strconv.Itoa(line))
	}
	return o
}

// confirmation writes the content of a confirmation with the keys of the dialect.
func (s *rewriter) confirmation(v *lmc.Record, o object) object {
	if v.Type != "confirmation" || v.Content == nil || v.Content.Kind != source.Object || v.Format != "execution" {
		return o
	}
	inner, err := objectOf(&source.Record{Data: v.Source.Data, Root: v.Content, Python: v.Source.Python})
	if err != nil {
		return o
	}
	if v.Content.Member("language") != nil && v.Content.Member("format") == nil && !s.to.LegacyConfirm {
		inner.rename("language", "format")
		if v.Content.Member("code") != nil && v.Content.Member("content") == nil {
			inner.rename("code", "content")
		}
		inner = inner.only("type", "format", "content")
	}
	if s.from.has(func(d *schema.Dialect) bool { return d.OpenConfirm }) && !s.to.OpenConfirm {
		inner = s.closed(v, inner)
	}
	if n := v.Content.Member("format"); n != nil && n.Kind == source.String {
		if name, ok := s.languageOf(n.Text()); ok && name != n.Text() {
			inner.set("format", quoted(name))
		}
	}
	o.set("content", string(inner.json()))
	return o
}

// closed returns the content of a confirmation without the keys that only open
// confirmations have.
func (s *rewriter) closed(v *lmc.Record, inner object) object {
	known := []string{"type", "format", "content"}
	if s.to.LegacyConfirm {
		known = append(known, "language", "code")
	}
	for i := range v.Content.Children {
		if name := v.Content.Children[i].Name; !slices.Contains(known, name) && inner.find(name) >= 0 {
			inner = inner.without(name)
			s.c.lose(Changed, v.Source, "%s of the confirmation is left out: %s does not have it", name, s.to.Name)
		}
	}
	return inner
}

// command writes an approval without the id of what it approves, where the server
// knows only one.
func (s *rewriter) command(v *lmc.Record, o object) object {
	if v.Type == "command" && !s.to.NamedGo && strings.HasPrefix(v.Text(), "go:") {
		o.set("content", `"go"`)
	}
	return o
}

// keys removes the keys that only the other dialect has.
func (s *rewriter) keys(v *lmc.Record, o object) object {
	for i := range v.Source.Root.Children {
		name := v.Source.Root.Children[i].Name
		if s.to.HasKey(s.part, name) || s.to.IsFlag(name) || o.find(name) < 0 {
			continue
		}
		if name == "auth" || name == "ack" || !s.from.has(func(d *schema.Dialect) bool { return d.HasKey(s.part, name) }) {
			continue
		}
		o = o.without(name)
		s.c.lose(Changed, v.Source, "%s is left out: %s does not have it", name, s.to.Name)
	}
	return o
}

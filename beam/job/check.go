package job

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/lmclint/lmclint/lint"
)

func init() {
	beam.RegisterDoFn(&checkFn{})
}

// checkFn checks pieces. A part of an input can be split further by the engine,
// at the start of a line; everything else is checked as a whole.
type checkFn struct {
	Config *Shipped
	Column string // of tables
	Shards int    // of the findings

	linters *linters
	metrics metrics
}

// Setup reads the configuration.
func (fn *checkFn) Setup() (err error) {
	fn.metrics = newMetrics()
	fn.linters, err = newLinters(fn.Config)
	return err
}

// CreateInitialRestriction returns the bytes of a part. A whole input has one
// position, so that it cannot be split.
func (fn *checkFn) CreateInitialRestriction(p Piece) offsetrange.Restriction {
	if p.isPart() {
		return offsetrange.Restriction{Start: p.Start, End: p.End}
	}
	return offsetrange.Restriction{End: 1}
}

// SplitRestriction returns the restriction: plan has split the input.
func (fn *checkFn) SplitRestriction(_ Piece, r offsetrange.Restriction) []offsetrange.Restriction {
	return []offsetrange.Restriction{r}
}

// RestrictionSize returns the number of bytes that are checked.
func (fn *checkFn) RestrictionSize(p Piece, r offsetrange.Restriction) float64 {
	if p.isPart() {
		return r.Size()
	}
	return float64(max(p.Size, 1))
}

// CreateTracker implements the interface of splittable functions.
func (fn *checkFn) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// ProcessElement checks a piece. It emits the findings of a whole input by shard,
// and its outcome; the findings and the outcome of a part by the part and by the
// input, because their lines are not known yet. It fails only if the engine
// does.
func (fn *checkFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, p Piece,
	lines func(shard int, _ []byte), ofPart func(part string, _ []byte),
	done func(Outcome), partDone func(path string, _ Outcome),
) error {
	if p.isPart() {
		start := rt.GetRestriction().(offsetrange.Restriction).Start
		outcome, err := fn.part(ctx, rt, &p, func(text []byte) { ofPart(p.key(start), text) })
		if err != nil {
			return err
		}
		fn.metrics.add(ctx, &outcome)
		partDone(p.Path, outcome)
		return ctx.Err()
	}
	if !rt.TryClaim(int64(0)) {
		return nil
	}
	finish := func(o Outcome) {
		fn.metrics.add(ctx, &o)
		done(o)
	}
	outcome, err := fn.whole(ctx, p.Path, func(text []byte) { lines(shardOf(p.Path, fn.Shards), text) }, finish)
	if err != nil {
		return err
	}
	rt.TryClaim(int64(1))
	finish(outcome)
	return ctx.Err()
}

// shardOf returns the shard of the findings of a piece.
func shardOf(key string, shards int) int {
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, key) // a hash has no errors
	return int(hash.Sum32() % uint32(shards))
}

// whole checks an input from its beginning to its end.
func (fn *checkFn) whole(ctx context.Context, path string, emit func([]byte), refuse func(Outcome)) (Outcome, error) {
	outcome := Outcome{Path: path}
	found, err := newFindings(&outcome, emit)
	if err != nil {
		return outcome, err
	}
	linter, _, err := fn.linters.of(path)
	if err != nil {
		return outcome, err
	}
	if err := fn.read(ctx, linter, found, &outcome, refuse); err != nil {
		outcome.Failure = reason(err)
	}
	found.flush()
	return outcome, nil
}

// read checks an input, by what its first bytes say that it is.
func (fn *checkFn) read(ctx context.Context, linter *lint.Linter, found *findings, outcome *Outcome, refuse func(Outcome)) error {
	file, err := open(ctx, outcome.Path, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	counted := &counting{from: file, bytes: &outcome.Bytes}
	text := bufio.NewReaderSize(counted, 64<<10)
	magic, _ := text.Peek(magicBytes) // what fails here fails again
	if read := containers[string(magic)]; read != nil {
		defer func() { outcome.Fixable, outcome.Unsafe = 0, 0 }() // lmclint fix changes plain files only
		return read(ctx, &container{outcome: outcome, linter: linter, found: found, column: fn.Column, refuse: refuse})
	}
	result, err := linter.Run(ctx, outcome.Path, text, found.add)
	outcome.note(&result)
	return err
}

// note adds the result of a run.
func (o *Outcome) note(r *lint.Result) {
	o.Protocol, o.Kind, o.Form = r.Protocol, r.Kind, r.Form
	o.Dialect = cmp.Or(r.Dialect, o.Dialect)
	o.Records += r.Records
	o.Suppressed += r.Suppressed
}

// part checks the lines that begin in a part of an input.
func (fn *checkFn) part(ctx context.Context, rt *sdf.LockRTracker, p *Piece, emit func([]byte)) (Outcome, error) {
	start := rt.GetRestriction().(offsetrange.Restriction).Start
	outcome := Outcome{Path: p.Path, Start: start}
	found, err := newFindings(&outcome, emit)
	if err != nil {
		return outcome, err
	}
	linter, _, err := fn.linters.of(p.Path)
	if err != nil {
		return outcome, err
	}
	if err := checkPart(ctx, rt, p, linter, found, &outcome); err != nil {
		outcome.Failure = reason(err)
	}
	found.flush()
	// Whatever was not claimed is not read any more: it failed.
	for !rt.IsDone() && rt.TryClaim(rt.GetRestriction().(offsetrange.Restriction).End) {
	}
	return outcome, nil
}

// checkPart checks the lines that begin in a part, after the head of its input.
func checkPart(ctx context.Context, rt *sdf.LockRTracker, p *Piece, linter *lint.Linter, found *findings, outcome *Outcome) error {
	lines, head, err := openPart(ctx, rt, p, outcome.Start)
	if err != nil {
		return err
	}
	defer func() { _ = lines.file.Close() }()
	known := int64(0)
	if outcome.Start > 0 {
		known = p.Head
		found.move = &shift{lines: -int64(p.HeadLines), conversations: -int64(p.HeadConversations), offset: lines.at - p.Head}
	}
	result, err := linter.Run(ctx, p.Path, io.MultiReader(bytes.NewReader(head), lines), func(f lint.Finding) error {
		// The first part has the findings of the head, and the next one its own.
		if at := f.Place.Span.Start.Offset; at < known || lines.hasTail && at >= p.Head+lines.read {
			return nil
		}
		return found.add(f)
	})
	if err == nil {
		_, err = io.Copy(io.Discard, lines) // an input that cannot be read is not read to its end
	}
	outcome.note(&result)
	outcome.Bytes, outcome.Lines, outcome.Conversations = lines.read, lines.lines, result.Conversations
	if lines.hasTail {
		outcome.Conversations--
	}
	if outcome.Start == 0 {
		outcome.Bytes += p.Head
		outcome.Lines += p.HeadLines
		return err
	}
	outcome.Records -= p.HeadRecords
	outcome.Conversations -= p.HeadConversations
	return err
}

// openPart opens the lines that begin in a part, and reads the head of the input.
func openPart(ctx context.Context, rt *sdf.LockRTracker, p *Piece, start int64) (lines *partLines, head []byte, err error) {
	file, err := open(ctx, p.Path, 0)
	if err != nil {
		return nil, nil, err
	}
	head = make([]byte, p.Head)
	if _, err = io.ReadFull(file, head); err != nil {
		_ = file.Close()
		return nil, nil, fmt.Errorf("the input was changed: %w", err)
	}
	if start == 0 {
		// The lines of the head are claimed together: no part begins in them.
		rt.TryClaim(p.Head - 1)
		return newPartLines(rt, file, p.Head), head, nil
	}
	_ = file.Close()
	// A line begins at the start if the byte before it ends one.
	if file, err = open(ctx, p.Path, start-1); err != nil {
		return nil, nil, err
	}
	lines = newPartLines(rt, file, start-1)
	if err = lines.skipLine(); err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return lines, head, nil
}

// partLines reads the lines that begin in the range of a tracker. It claims each
// line before it returns a byte of it.
type partLines struct {
	rt      *sdf.LockRTracker
	file    io.Closer
	in      *bufio.Reader
	at      int64 // offset of the next byte; the first line begins there
	read    int64 // bytes
	lines   int   // line feeds
	within  bool  // the next byte continues a line
	ended   bool
	tail    string // what is left to read of what stands for the lines after the part
	hasTail bool
}

func newPartLines(rt *sdf.LockRTracker, file io.ReadCloser, at int64) *partLines {
	return &partLines{rt: rt, file: file, in: bufio.NewReaderSize(file, 256<<10), at: at}
}

// skipLine skips the rest of a line that began before the part.
func (l *partLines) skipLine() error {
	for {
		text, err := l.in.ReadSlice('\n')
		l.at += int64(len(text))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			l.ended = true
			return nil
		default:
			return err
		}
	}
}

// Read implements [io.Reader].
func (l *partLines) Read(p []byte) (int, error) {
	for !l.ended {
		if _, err := l.in.Peek(1); err != nil {
			l.ended = true
			return 0, err
		}
		text, _ := l.in.Peek(min(len(p), l.in.Buffered())) // cannot fail: it is buffered
		n := l.claim(text)
		copy(p, text[:n])
		_, _ = l.in.Discard(n)
		l.at += int64(n)
		l.read += int64(n)
		if l.ended && l.isFollowed() {
			l.hasTail, l.tail = true, anotherConversation
		}
		if n > 0 {
			return n, nil
		}
	}
	n := copy(p, l.tail)
	l.tail = l.tail[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// anotherConversation stands for the lines after a part: a line that is broken at
// its end is another mistake if it is the last one of the input. It has no
// records and no findings.
const anotherConversation = "[]\n"

// isFollowed reports whether a line that is not blank follows the part.
func (l *partLines) isFollowed() bool {
	for range maxBlank {
		c, err := l.in.ReadByte()
		switch {
		case err != nil:
			return false
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return true
		}
	}
	return false
}

// maxBlank is how many bytes of blank lines are read to find out whether the
// input continues, as the linter does.
const maxBlank = 1 << 20

// claim claims the lines that begin in text, and returns how much of it belongs
// to the part.
func (l *partLines) claim(text []byte) (n int) {
	for n < len(text) {
		if !l.within && !l.rt.TryClaim(l.at+int64(n)) {
			l.ended = true
			return n
		}
		l.within = true
		feed := bytes.IndexByte(text[n:], '\n')
		if feed < 0 {
			return len(text)
		}
		n += feed + 1
		l.lines++
		l.within = false
	}
	return n
}

// counting counts the bytes that are read.
type counting struct {
	from  io.Reader
	bytes *int64
}

// Read implements [io.Reader].
func (c *counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	*c.bytes += int64(n)
	return n, err
}

// metrics are the counters of the job, as the engine shows them.
type metrics struct {
	inputs, refused, records, bytes, errors, warnings, notes, suppressed beam.Counter
}

func newMetrics() metrics {
	counter := func(name string) beam.Counter { return beam.NewCounter("lmclint", name) }
	return metrics{
		counter("inputs"), counter("refused"), counter("records"), counter("bytes"),
		counter("errors"), counter("warnings"), counter("notes"), counter("suppressed"),
	}
}

// add adds the outcome of a piece. Of the parts of an input the first one counts
// as an input.
func (m *metrics) add(ctx context.Context, o *Outcome) {
	if o.Start == 0 && !o.InTable {
		m.inputs.Inc(ctx, 1)
	}
	if o.Failure != "" {
		m.refused.Inc(ctx, 1)
	}
	m.records.Inc(ctx, int64(o.Records))
	m.bytes.Inc(ctx, o.Bytes)
	m.errors.Inc(ctx, int64(o.Errors))
	m.warnings.Inc(ctx, int64(o.Warnings))
	m.notes.Inc(ctx, int64(o.Notes))
	m.suppressed.Inc(ctx, int64(o.Suppressed))
}

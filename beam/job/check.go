package job

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/lmclint/lmclint/lint"
)

func init() {
	beam.RegisterDoFn(&checkFn{})
}

// checkFn checks inputs.
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

// ProcessElement checks an input. It emits the findings by shard, and the outcomes
// of the input and of rows of a table that cannot be checked. It fails only if the
// engine does.
func (fn *checkFn) ProcessElement(ctx context.Context, in Input, lines func(shard int, _ []byte), done func(Outcome)) error {
	finish := func(o Outcome) {
		fn.metrics.add(ctx, &o)
		done(o)
	}
	shard := hashOf(in.Path, fn.Shards)
	outcome, err := fn.whole(ctx, in.Path, func(text []byte) { lines(shard, text) }, finish)
	if err != nil {
		return err
	}
	finish(outcome)
	return ctx.Err()
}

// hashOf returns a number below n by which paths are divided.
func hashOf(path string, n int) int {
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, path) // a hash has no errors
	return int(hash.Sum32() % uint32(n))
}

// whole checks an input from its beginning to its end.
func (fn *checkFn) whole(ctx context.Context, path string, emit func([]byte), refuse func(Outcome)) (Outcome, error) {
	outcome := Outcome{Path: path}
	found, err := newFindings(&outcome, emit)
	if err != nil {
		return outcome, err
	}
	linter, err := fn.linters.of(path)
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
	file, err := open(ctx, outcome.Path)
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
	return errors.Join(err, found.end(&result))
}

// note adds the result of a run.
func (o *Outcome) note(r *lint.Result) {
	o.Protocol, o.Kind, o.Form = r.Protocol, r.Kind, r.Form
	o.Dialect = cmp.Or(r.Dialect, o.Dialect)
	o.Records += r.Records
	o.Suppressed += r.Suppressed
	o.Places += r.ErrorPlaces + r.WarningPlaces + r.NotePlaces
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

// add adds the outcome of an input, or of a row of a table.
func (m *metrics) add(ctx context.Context, o *Outcome) {
	if !o.InTable {
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

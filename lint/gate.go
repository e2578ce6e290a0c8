package lint

import (
	"io"
	"math"
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// Gate is an input that lets its bytes through as far as they are checked, such
// as a pipe. Decided is called whenever more of the input is decided: no finding
// of the severity of [WithStopOn] or above can be reported any more at a byte
// before the offset. That is the end of a record, or the start of a JSON document
// that is not complete, in the decompressed input. The call comes before the next
// Read, and before the finding at that place.
type Gate interface {
	io.Reader
	Decided(offset int64)
}

// WithStopOn checks inputs for a program that stops at the first finding of a
// severity or above. An input that is a [Gate] learns up to where there is none.
// Everything is decided as soon as possible: no record waits until the dialect is
// detected. The dialect "auto" is "interpreter" for a stream, or "classic" from the
// first record that only the community's fork has.
func WithStopOn(minimum Severity) Option { return func(l *Linter) { l.stopOn = minimum } }

// WithLiveStopOn is [WithStopOn] for the log of a connection that is open: its
// peers get each frame once it is decided. Nothing waits for an answer of the
// other side, because that would never come, nor for a block to go on or end; a
// finding about what is missing is reported, but its place was let through.
func WithLiveStopOn(minimum Severity) Option {
	return func(l *Linter) { l.stopOn, l.live = minimum, true }
}

// gate follows up to where an input is decided.
type gate struct {
	minimum Severity
	input   Gate
	records []gateRecord     // not known to be decided, in order
	checked int              // how many of them were checked; the others were only read
	base    int64            // gateRecord.before of the record that was read last
	end     int64            // up to where the input was read with it
	amid    bool             // what was read with it has more records
	skipped []source.Problem // that the end of the input will report
	decided int64            // the last argument of Decided
}

// gateRecord is a record as far as a gate needs it.
type gateRecord struct {
	start  int64 // offset of the record
	before int64 // offset of the end of the record before it, or of the start of its document
}

// noteRead notes a record that was read.
func (g *gate) noteRead(rec *source.Record, x source.Extent) {
	switch {
	case x.InDocument:
		g.base = x.Document
	case !g.amid || rec.Start.Offset >= g.end:
		g.base = g.end
	}
	g.records = append(g.records, gateRecord{rec.Start.Offset, g.base})
	g.end, g.amid, g.skipped = x.End, x.Amid || x.InDocument, x.Skipped
}

// noteCheck notes that the first record that was only read is being checked. Of
// records with the same before, which are decided together, the first one is kept.
func (g *gate) noteCheck() {
	g.checked++
	if i := g.checked - 1; i > 0 && g.records[i].before == g.records[i-1].before {
		g.records = slices.Delete(g.records, i, i+1)
		g.checked--
	}
}

// advance reports up to where the input is decided. Hold is the offset of the
// first place that may have another finding, [noHold] if there is none.
func (g *gate) advance(hold int64) {
	i := g.checked
	if hold != noHold {
		for i = max(0, i-1); i > 0 && g.records[i].start > hold; i-- {
		}
	}
	to := g.end
	switch {
	case i < len(g.records):
		to = g.records[i].before
	case g.amid:
		to = g.base
	}
	g.records, g.checked = g.records[i:], g.checked-i
	if to > g.decided {
		g.decided = to
		g.input.Decided(to)
	}
}

// noHold is an offset that no place has.
const noHold = math.MaxInt64

// undecided returns the offset of the first place where a later record may have a
// finding of a severity or above, or that nothing was decided about yet. Skipped
// are the problems of [source.Extent].
func (c *conversation) undecided(minimum Severity, skipped []source.Problem) int64 {
	session, ok := c.session.(plugin.PendingSession)
	if !ok || c.finished {
		return noHold
	}
	c.pending = &pendingFindings{minimum: minimum, first: noHold}
	defer func() { c.pending = nil }()
	held := session.Pending(skipped, c.emit)
	return min(held, c.pending.first)
}

// pendingFindings is where rules may have findings later.
type pendingFindings struct {
	minimum Severity
	first   int64 // the offset of the first one
}

func (p *pendingFindings) add(f *Finding) {
	if f.Severity >= p.minimum {
		p.first = min(p.first, f.Place.Span.Start.Offset)
	}
}

package progress

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
)

// Meter counts what a run has done. It is safe for concurrent use.
type Meter struct {
	Bytes, Records, Findings atomic.Int64
}

// Judged counts records.
func (m *Meter) Judged(records int) { m.Records.Add(int64(records)) }

// Reader returns a reader of r that counts the bytes read.
func (m *Meter) Reader(r io.Reader) io.Reader { return &metered{r, m} }

type metered struct {
	io.Reader
	meter *Meter
}

func (r *metered) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.Bytes.Add(int64(n))
	return n, err
}

// Ready implements [source.Ready].
func (r *metered) Ready() int { return source.AvailableBytes(r.Reader) }

// Text says in one line how far the run has come in that time, and when it
// will be done if that can be told: total is how many bytes there are to read,
// 0 if nobody knows.
func (m *Meter) Text(elapsed time.Duration, total int64) string {
	done := m.Bytes.Load()
	text := Size(done)
	if total >= done && done > 0 {
		text += " of " + Size(total)
	}
	text += ", " + report.Quantity(int(m.Records.Load()), "record") + ", " + report.Quantity(int(m.Findings.Load()), "finding")
	if total >= done && done > 0 {
		left := elapsed.Seconds() / float64(done) * float64(total-done)
		text += ", " + duration(left) + " left"
	}
	return text
}

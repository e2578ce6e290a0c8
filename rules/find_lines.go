package rules

import (
	"runtime"
	"sync/atomic"

	"github.com/lmclint/lmclint/source"
)

// Finding layouts and following records take about as long as each other, so
// they are done side by side where a stretch is long enough to be worth it.
const (
	aloneLines = 16       // lines that must have been found before
	worthAhead = 32 << 10 // bytes that must be left of the stretch
	batchLines = 256      // of them that are handed over at once, each with its run
	batches    = 3        // how far the finder may be ahead
)

// foundLine is a line with its layout, and the run of lines behind it that
// differ from it in nothing but their text.
type foundLine struct {
	known *known
	hole  source.Hole
	size  int // bytes, with the line feed
	more  source.Run
}

// lineFinder finds the layouts of the lines of a text, in order, up to the
// first that has none. For a long text a goroutine of its own does that; the
// memory is that goroutine's until stop returns.
type lineFinder struct {
	memory  *memory
	stretch source.Stretch
	text    []byte // not looked at yet
	served  int    // lines that were asked for

	ahead   chan []foundLine // nil without a goroutine
	stopped atomic.Bool
	batch   []foundLine   // at hand
	rooms   [][]foundLine // memory for batches, in turn
}

// findLines begins to find the layouts of lines.
func (m *memory) findLines(stretch source.Stretch) *lineFinder {
	f := &m.finder
	f.memory, f.stretch, f.text, f.served, f.batch, f.ahead = m, stretch, stretch.Text, 0, nil, nil
	return f
}

// next returns the next line, or false if that has no layout or there is none.
func (f *lineFinder) next() (foundLine, bool) {
	f.served++
	if f.served == aloneLines && len(f.text) >= worthAhead && runtime.GOMAXPROCS(0) > 1 {
		f.stopped.Store(false)
		f.ahead = make(chan []foundLine, batches)
		go f.run()
	}
	if f.ahead == nil {
		return f.find()
	}
	if len(f.batch) == 0 {
		f.batch = <-f.ahead // nil behind the last
	}
	if len(f.batch) == 0 {
		return foundLine{}, false
	}
	line := f.batch[0]
	f.batch = f.batch[1:]
	return line, true
}

// find looks at one line.
func (f *lineFinder) find() (line foundLine, ok bool) {
	if len(f.text) == 0 {
		return line, false
	}
	line.known, line.hole, line.size, _ = f.memory.find(f.text, f.stretch.Python)
	end := f.stretch.Behind(f.text[line.size:])
	if line.known == nil || end == 0 || line.size > f.stretch.Limit {
		return line, false
	}
	line.size += end
	f.text = f.text[line.size:]
	line.more = line.known.sample.Layout.MatchRun(f.text, &f.stretch)
	f.text = f.text[line.more.Size:]
	return line, true
}

// run finds lines ahead of whoever follows them.
func (f *lineFinder) run() {
	defer close(f.ahead)
	for i := 0; !f.stopped.Load(); i++ {
		batch := f.room(i)
		more := true
		for more && len(batch) < batchLines {
			var line foundLine
			if line, more = f.find(); more {
				batch = append(batch, line)
			}
		}
		if len(batch) > 0 {
			f.ahead <- batch
		}
		if !more {
			return
		}
	}
}

// stop ends the finding. What was found ahead of need is forgotten.
func (f *lineFinder) stop() {
	if f.ahead == nil {
		return
	}
	f.stopped.Store(true)
	for range f.ahead { // until it is closed
	}
}

// room returns memory for the i-th batch, which nobody reads any more: no more
// than these can be waiting, at hand, and in the making.
func (f *lineFinder) room(i int) []foundLine {
	const rooms = batches + 2
	if f.rooms == nil {
		f.rooms = make([][]foundLine, rooms)
	}
	if f.rooms[i%rooms] == nil {
		f.rooms[i%rooms] = make([]foundLine, 0, batchLines)
	}
	return f.rooms[i%rooms][:0]
}

package protocol

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/lmclint/lmclint/internal/source"
)

// Finding layouts and following records take about as long as each other, so
// they are done side by side where there is enough to do: one goroutine finds
// lines, the other follows them. Whoever would wait for the other reads on.
const (
	sequentialLines  = 64       // lines that must have been found before
	minPipelineBytes = 16 << 10 // bytes that must be left of the stretch
	batches          = 8        // how far the finder may be ahead
	batchLines       = 128      // of them that are handed over at once, each with its run
	batchBytes       = 64 << 10 // of text with which no more are handed over
)

// finding gives the lines of a stretch, and of what is read behind it, with
// their layouts. The memory belongs to it until stop returns.
type linePipeline struct {
	stretch *source.Window // moved over the lines by whoever follows them
	finder  lineMatcher
	served  int // lines that were asked for
	line    matchedLine

	reading sync.Mutex // of what follows
	feed    source.Prefetcher
	ended   bool          // the feed gives no more
	texts   chan []byte   // that were read, in order
	found   chan *batch   // nil while the finder does not run on its own
	passed  chan struct{} // a text was passed, and another one may be read
	stopped atomic.Bool
	batch   *batch // at hand
	taken   int    // of its lines
	readsOn bool   // a text behind the stretch has come
	rooms   [batches + 2]batch
}

// batch is lines that are handed over at once. In a room for it nobody reads
// any more when its turn comes again: fewer can be waiting, at hand, and in the
// making.
type batch struct {
	text  []byte // if they are the first of a text that was read
	lines []matchedLine
	texts []byte // of their runs
}

// findLines begins to find the layouts of lines.
func (m *templateCache) findLines(stretch *source.Window) *linePipeline {
	f := &m.finding
	f.stretch, f.served, f.found = stretch, 0, nil
	f.finder = lineMatcher{memory: m, in: *stretch, text: stretch.Text, texts: f.finder.texts[:0]}
	return f
}

// next returns the next line, or nil if that has no layout or there is none.
// It is good until the next call.
func (f *linePipeline) next() *matchedLine {
	f.served++
	if f.served == sequentialLines && len(f.finder.rest()) >= minPipelineBytes && runtime.GOMAXPROCS(0) > 1 {
		f.start()
	}
	if f.found != nil {
		return f.nextMatched()
	}
	f.finder.texts = f.finder.texts[:0]
	if f.finder.find(&f.line) {
		return &f.line
	}
	return nil
}

// start lets the finder run on its own.
func (f *linePipeline) start() {
	f.feed, f.ended = f.stretch.Feed(), false
	f.stopped.Store(false)
	f.texts, f.found, f.passed = make(chan []byte, source.PrefetchBuffers), make(chan *batch, batches), make(chan struct{}, source.PrefetchBuffers)
	for range source.PrefetchBuffers {
		f.passed <- struct{}{}
	}
	f.batch, f.taken, f.readsOn = &batch{}, 0, false
	go f.run(f.finder)
}

// received is the next line that the finder found.
func (f *linePipeline) nextMatched() *matchedLine {
	for f.taken == len(f.batch.lines) {
		var ok bool
		if f.batch, ok = f.receive(); !ok {
			return nil
		}
		f.taken = 0
		if f.batch.text != nil {
			f.stretch.Text, f.readsOn = f.batch.text, true
			f.passed <- struct{}{}
		}
	}
	f.taken++
	return &f.batch.lines[f.taken-1]
}

// receive waits for the next batch. Before that it reads a text for the finder,
// which has more to do, but only once that has read one itself: what was read in
// vain must be moved when the finder stops.
func (f *linePipeline) receive() (b *batch, ok bool) {
	if f.readsOn {
		f.tryPrefetch()
	}
	b, ok = <-f.found
	return b, ok
}

// readAside reads a text for the finder, if it has none left, there is room for
// it, and the finder does not read itself.
func (f *linePipeline) tryPrefetch() {
	if len(f.texts) > 0 || !f.reading.TryLock() {
		return
	}
	defer f.reading.Unlock()
	if f.ended {
		return
	}
	select {
	case <-f.passed:
		f.read()
	default:
	}
}

// read reads the next text, if there is one.
func (f *linePipeline) read() {
	if text := f.feed.Next(); text != nil {
		f.texts <- text
		return
	}
	f.ended = true
}

// run finds the lines of the stretch, and reads on.
func (f *linePipeline) run(finder lineMatcher) {
	defer close(f.found)
	var text []byte
	for i := 0; !f.stopped.Load(); i++ {
		if len(finder.rest()) == 0 {
			if text = f.nextText(); text == nil {
				return
			}
			finder.text, finder.at = text, 0
		}
		b := &f.rooms[i%len(f.rooms)]
		b.text, text = text, nil
		more := b.fill(&finder)
		f.found <- b
		if !more {
			return
		}
	}
}

// readOn returns the next text, nil if there is none.
func (f *linePipeline) nextText() []byte {
	f.reading.Lock()
	defer f.reading.Unlock()
	if len(f.texts) == 0 && !f.ended {
		if <-f.passed; !f.stopped.Load() {
			f.read()
		}
	}
	if len(f.texts) == 0 {
		return nil
	}
	return <-f.texts
}

// fill finds some lines. It reports false at one without a layout.
func (b *batch) fill(finder *lineMatcher) (more bool) {
	if b.lines == nil {
		b.lines = make([]matchedLine, batchLines)
	}
	finder.texts = b.texts[:0]
	lines, n, from := b.lines[:batchLines], 0, finder.at
	for more = true; more && n < batchLines && finder.at-from < batchBytes && len(finder.rest()) > 0; {
		if more = finder.find(&lines[n]); more {
			n++
		}
	}
	b.lines, b.texts = lines[:n], finder.texts
	return more
}

// stop ends the finding. What was found ahead of need is forgotten, and the
// text let go.
func (f *linePipeline) stop() {
	if f.found != nil {
		f.stopped.Store(true)
		close(f.passed)
		for range f.found { // until it is closed
		}
	}
	f.stretch, f.batch, f.feed = nil, nil, source.Prefetcher{}
	f.finder.text, f.finder.in = nil, source.Window{}
}

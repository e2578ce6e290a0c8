package rules

import (
	"runtime"
	"sync/atomic"

	"github.com/lmclint/lmclint/source"
)

// Finding layouts and following records take about as long as each other, so
// they are done side by side where there is enough to do. While one goroutine
// finds the lines of one text, the other reads the next text and follows the
// lines of the one before.
const (
	aloneLines = 16       // lines that must have been found before
	worthAhead = 16 << 10 // bytes that must be left of the stretch
	ahead      = 3        // texts that may be with the finder
	batchLines = 512      // that are handed over at once, each with its run
	batchTexts = 64 << 10 // bytes of joined texts with which no more are handed over
)

// finding gives the lines of a stretch with their layouts, and makes the
// stretch longer as it goes. The memory belongs to it until stop returns.
type finding struct {
	stretch *source.Stretch // moved over the lines by whoever follows them
	finder  lineFinder
	served  int // lines that were asked for
	line    foundLine

	texts   chan []byte // for the finder; nil while it does not run on its own
	found   chan *batch
	stopped atomic.Bool
	with    int // texts that the finder has
	batch   []foundLine
	rooms   [ahead + 2]batch // memory for batches, in turn
}

// batch is lines that are handed over at once.
type batch struct {
	lines []foundLine
	texts []byte // of their runs
	last  bool   // of their text
}

// findLines begins to find the layouts of lines.
func (m *memory) findLines(stretch *source.Stretch) *finding {
	f := &m.finding
	f.stretch, f.served, f.texts = stretch, 0, nil
	f.finder = lineFinder{memory: m, in: *stretch, text: stretch.Text, texts: f.finder.texts[:0]}
	return f
}

// next returns the next line, or nil if that has no layout or there is none.
// It is good until the next call.
func (f *finding) next() *foundLine {
	f.served++
	if f.served == aloneLines && len(f.finder.text) >= worthAhead && runtime.GOMAXPROCS(0) > 1 {
		f.start()
	}
	if f.texts != nil {
		return f.received()
	}
	f.finder.texts = f.finder.texts[:0]
	if f.finder.find(&f.line) {
		return &f.line
	}
	return nil
}

// start lets the finder run on its own.
func (f *finding) start() {
	f.stopped.Store(false)
	f.texts, f.found = make(chan []byte, ahead), make(chan *batch, ahead)
	f.hand(f.finder.text)
	go f.run(f.finder)
}

func (f *finding) hand(text []byte) {
	f.with++
	f.texts <- text
}

// received is the next line that the finder found.
func (f *finding) received() *foundLine {
	for len(f.batch) == 0 {
		f.readAhead()
		if f.with == 0 {
			return nil
		}
		b, ok := <-f.found
		if !ok {
			return nil
		}
		f.batch = b.lines
		if b.last {
			f.with--
		}
	}
	line := &f.batch[0]
	f.batch = f.batch[1:]
	return line
}

// readAhead sees to it that the finder has enough to do.
func (f *finding) readAhead() {
	for f.with < ahead {
		text := f.stretch.Extend()
		if len(text) == 0 {
			return
		}
		f.hand(text)
	}
}

// run finds the lines of the texts that it is handed.
func (f *finding) run(finder lineFinder) {
	defer close(f.found)
	i := 0
	for text := range f.texts {
		finder.text = text
		for more := true; more; i++ {
			b := &f.rooms[i%len(f.rooms)]
			if !b.fill(&finder) || f.stopped.Load() {
				f.found <- b
				return
			}
			f.found <- b
			more = !b.last
		}
	}
}

// fill finds as many lines as the batch has room for. It reports false at a
// line without a layout.
func (b *batch) fill(finder *lineFinder) (ok bool) {
	if b.lines == nil {
		b.lines = make([]foundLine, batchLines)
	}
	finder.texts = b.texts[:0]
	n, more := 0, true
	for more && n < batchLines && len(finder.texts) < batchTexts {
		if more = finder.find(&b.lines[:batchLines][n]); more {
			n++
		}
	}
	b.lines, b.texts, b.last = b.lines[:n], finder.texts, len(finder.text) == 0
	return more || b.last
}

// stop ends the finding. What was found ahead of need is forgotten, and the
// text let go.
func (f *finding) stop() {
	if f.texts != nil {
		f.stopped.Store(true)
		close(f.texts)
		for range f.found { // until it is closed
		}
	}
	f.with, f.batch, f.stretch = 0, nil, nil
	f.finder.text, f.finder.in = nil, source.Stretch{}
}

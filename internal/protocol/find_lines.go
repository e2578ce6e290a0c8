package protocol

import (
	"github.com/lmclint/lmclint/internal/source"
)

// foundLine is a line with its layout, and the run of lines behind it that
// differ from it in nothing but their text.
type matchedLine struct {
	known *cachedTemplate
	hole  source.Placeholder
	size  int // bytes, with the line feed
	more  source.LineRun
}

// lineFinder finds the layouts of the lines of a text, in order, up to the
// first that has none.
type lineMatcher struct {
	memory *templateCache
	in     source.Window // for how its lines end
	text   []byte
	at     int    // of text, up to where it was looked at
	texts  []byte // those of runs
}

// find looks at one line and the run behind it. It reports false if there is
// none, or none that has a layout.
func (f *lineMatcher) find(line *matchedLine) bool {
	text := f.rest()
	if len(text) == 0 {
		return false
	}
	line.known, line.hole, line.size, _ = f.memory.find(text, f.in.Python)
	end := f.in.Behind(text[line.size:])
	if line.known == nil || end == 0 || line.size > f.in.Limit {
		return false
	}
	line.size += end
	text = text[line.size:]
	var join *[]byte
	if line.known.takesText {
		join = &f.texts
	}
	line.more = line.known.sample.Layout.MatchRun(text, &f.in, f.memory.shuffled > 0, join)
	f.at += line.size + line.more.Size
	return true
}

// rest is what was not looked at yet.
func (f *lineMatcher) rest() []byte { return f.text[f.at:] }

// Package page shows the view of a recording, which package timeline makes: as the
// JSON document of the HTML report and the playground, as text for a terminal, and as
// SVG. It does not look at records.
//
// A [Builder] makes the document: the JSON report, with the view of each recording
// beside its findings. It receives what a reporter receives: the findings of an input,
// and then the input. The document is bounded: see the limits. It contains the number
// of items that it omits, which the page shows.
//
// Both drawings have a row for each lane of a conversation, or several where
// blocks overlap, and rows for the findings. The horizontal axis is the number
// of the record, or the time.
package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/internal/show/timeline"
)

// row is a line of a drawing: a lane, or a part of one.
type row struct {
	lane  int
	name  string // "" for a further row of a lane
	bars  []*timeline.Bar
	marks []*timeline.Mark
}

// maxRows is how many rows a lane has at most. Blocks that would need more
// overlap in the last one.
const maxRows = 3

// rowsOf assigns the bars and marks of a conversation to rows. A lane of the server
// in which nothing happens is omitted, and so are those of the workbench.
func rowsOf(c *timeline.Conversation) []row {
	lanes := make([][]row, len(c.Lanes))
	for i, name := range c.Lanes {
		lanes[i] = []row{{lane: i, name: name}}
	}
	for _, b := range c.Bars {
		rows := &lanes[b.Lane]
		at := slices.IndexFunc(*rows, func(r row) bool {
			return len(r.bars) == 0 || r.bars[len(r.bars)-1].Last < b.First
		})
		switch {
		case at >= 0:
		case len(*rows) < maxRows:
			at = len(*rows)
			*rows = append(*rows, row{lane: b.Lane})
		default:
			at = maxRows - 1
		}
		(*rows)[at].bars = append((*rows)[at].bars, b)
	}
	for _, m := range c.Marks {
		lanes[m.Lane][0].marks = append(lanes[m.Lane][0].marks, m)
	}
	var rows []row
	for i, lane := range lanes {
		if c.Protocol == "lmc" && c.Lanes[i] != "server" || len(lane[0].bars)+len(lane[0].marks) > 0 {
			rows = append(rows, lane...)
		}
	}
	return rows
}

// barLabels returns what a bar says, the longest text first.
func barLabels(b *timeline.Bar) []string {
	if b.Type == "" && b.Format == "" {
		return nil
	}
	return []string{strings.TrimSpace(b.Type + " " + b.Format), b.Type}
}

// stateOf returns the names of what is unusual about a bar, as in "open, empty".
func stateOf(s timeline.State) string {
	var names []string
	for i, name := range timeline.StateNames() {
		if state := timeline.State(1 << i); s&state != 0 && state != timeline.Stored {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// axis maps records to positions from 0 to its width.
type axis struct {
	records int
	width   float64
	times   []instant // of records, in their order, if the axis is time
	start   int64     // the first of the times
	length  int64     // from the first to the last
	whole   bool      // positions are columns: a record takes a whole number of them, if there is room
	most    float64   // how wide a record is at most
}

// instant is the time of a record.
type instant struct {
	record int
	time   int64 // milliseconds
}

// newAxis returns the axis of a conversation. By time needs c.Timed.
func newAxis(c *timeline.Conversation, width, most float64, byTime, whole bool) *axis {
	a := &axis{records: max(1, c.Records), width: width, whole: whole, most: most}
	if !byTime {
		return a
	}
	for _, b := range c.Bars {
		a.times = append(a.times, instant{b.First, b.Start}, instant{b.Last, b.End})
	}
	for _, m := range c.Marks {
		a.times = append(a.times, instant{m.Record, m.Time})
	}
	end := int64(0)
	a.start = math.MaxInt64
	for _, t := range a.times {
		a.start, end = min(a.start, t.time), max(end, t.time)
	}
	a.length = end - a.start
	slices.SortFunc(a.times, func(x, y instant) int { return cmp.Or(x.record-y.record, cmp.Compare(x.time, y.time)) })
	return a
}

// span returns from where to where some records are, the second position
// excluded.
func (a *axis) span(first, last int) (from, to float64) {
	if a.times != nil {
		from, to = a.at(float64(a.timeOf(first))), a.at(float64(a.timeOf(last)))
		if a.whole {
			from, to = math.Floor(from), math.Floor(to)+1
		}
		return from, max(to, from+1)
	}
	size := min(a.width/float64(a.records), a.most)
	if a.whole && size >= 1 {
		size = math.Floor(size)
	}
	from, to = float64(first)*size, float64(last+1)*size
	if a.whole {
		from, to = math.Floor(from), math.Floor(math.Nextafter(to, 0))+1
	}
	return from, to
}

// at returns the position of a time.
func (a *axis) at(time float64) float64 {
	return (time - float64(a.start)) / float64(max(1, a.length)) * (a.width - 1)
}

// timeOf returns the time of a record: its own, or one between those of its
// neighbors.
func (a *axis) timeOf(record int) int64 {
	i, found := slices.BinarySearchFunc(a.times, record, func(t instant, record int) int { return t.record - record })
	switch {
	case found:
		return a.times[i].time
	case i == 0:
		return a.times[0].time
	case i == len(a.times):
		return a.times[i-1].time
	}
	before, after := a.times[i-1], a.times[i]
	return before.time + (after.time-before.time)*int64(record-before.record)/int64(after.record-before.record)
}

// isDense reports whether records share positions.
func (a *axis) isDense() bool { return a.times == nil && float64(a.records) > a.width }

// tick is a label of the axis.
type tick struct {
	at   float64
	text string
}

// ticks returns labels at round numbers, at least some positions apart.
func (a *axis) ticks(apart func(text string) float64) []tick {
	length, end, steps := int64(a.records-1), int64(a.records), roundNumbers(int64(a.records))
	at := func(n int64) float64 {
		from, _ := a.span(int(n), int(n))
		return from
	}
	room := func(step int64) float64 { return at(step) - at(0) }
	text := func(n, _ int64) string { return humanize.Comma(n) }
	if a.times != nil {
		length, end, steps, text = a.length, a.length, timeSteps(), duration
		at = func(n int64) float64 { return a.at(float64(a.start + n)) }
		room = func(step int64) float64 { return float64(step) / float64(max(1, length)) * a.width }
	}
	var list []tick
	for _, step := range steps {
		if step < end && room(step) < apart(text(length/step*step, step)) {
			continue
		}
		for n := int64(0); n <= length; n += step {
			list = append(list, tick{at(n), text(n, step)})
		}
		break
	}
	return list
}

// roundNumbers returns 1, 2, 5, 10, 20, 50 and so on, up to the first above a number.
func roundNumbers(most int64) (all []int64) {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if all = append(all, n*unit); n*unit > most {
				return all
			}
		}
	}
}

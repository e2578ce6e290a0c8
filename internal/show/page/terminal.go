package page

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
)

// Terminal are the looks of a drawing as text.
type Terminal struct {
	Width  int  // columns, at least [MinWidth]
	Color  bool // with terminal escapes
	ASCII  bool // no other characters
	ByTime bool // the axis is time, where the recording has times

	// Escape makes a text of the input safe to print on one line.
	Escape func(string) string
}

// MinWidth is the least number of columns of a drawing.
const MinWidth = 30

// maxRecordColumns is how many columns a record takes at most.
const maxRecordColumns = 12

// signs are the characters of a drawing.
type signs struct {
	start, end, fill     rune
	startless, open, cut rune // instead of start or end
	empty                rune // instead of fill
	unconfirmed          rune // after the start
	single, condensed    rune // a bar of one column; several blocks in it
	pin                  rune
	rule                 rune // between the name of a row and the drawing
	marks                [7]rune
}

func signsOf(ascii bool) signs {
	if ascii {
		return signs{
			start: '[', end: ']', fill: '=', startless: '?', open: '>', cut: 'x', empty: '.', unconfirmed: '!',
			single: '=', condensed: '#', pin: '^', rule: '|', marks: [...]rune{'C', '/', 'o', 'X', '-', 'K', 'e'},
		}
	}
	return signs{
		start: '┣', end: '┫', fill: '━', startless: '╏', open: '▶', cut: '╳', empty: '┄', unconfirmed: '!',
		single: '■', condensed: '▓', pin: '▲', rule: '│', marks: [...]rune{'◆', '›', '●', '✖', '·', '◇', '○'},
	}
}

// cell is a column of a row. What is more important hides the rest.
type cell struct {
	sign       rune
	color      color.Attribute
	importance int
}

// The importance of what is in a cell.
const (
	ordinary = iota + 1
	text
	marked
	unusual
)

// drawing is the state of drawing one conversation as text.
type drawing struct {
	Terminal
	signs
	axis  *axis
	names int             // columns of the names of rows
	used  map[string]rune // the signs, for the legend
	out   bytes.Buffer
}

// Draw returns a conversation as lines of text.
func (t Terminal) Draw(c *timeline.Conversation) []byte {
	d := &drawing{Terminal: t, signs: signsOf(t.ASCII), used: map[string]rune{}}
	d.Width = max(d.Width, MinWidth)
	rows := rowsOf(c)
	most := d.Width / 4
	d.names = len("warnings")
	for i := range rows {
		rows[i].name = runewidth.Truncate(d.plain(rows[i].name), most, "~")
		d.names = max(d.names, columns(rows[i].name))
	}
	byTime := t.ByTime && c.Timed
	d.axis = newAxis(c, float64(d.Width-d.names-len(" | ")), maxRecordColumns, byTime, true)
	d.wrapped(title(c, d.axis))
	scale, name := d.cells(), "record" // the numbers of records, or the times
	if byTime {
		name = "time"
	}
	for _, t := range d.axis.ticks(func(text string) float64 { return float64(len(text) + 2) }) {
		if at := min(int(t.at), len(scale)-1); at+len(t.text) <= len(scale) {
			write(scale, at, t.text, cell{color: color.Faint, importance: ordinary})
		}
	}
	d.row(name, scale)
	for _, r := range rows {
		cells := d.cells()
		for _, b := range r.bars {
			d.bar(cells, b)
		}
		if d.axis.isDense() && len(r.bars) > 0 && len(r.marks) > 0 {
			d.row(r.name, cells) // the marks would hide the bars
			r.name, cells = "", d.cells()
		}
		for _, m := range r.marks {
			d.mark(cells, m)
		}
		d.row(r.name, cells)
	}
	d.pins(c)
	var legend []string
	for _, name := range slices.Sorted(maps.Keys(d.used)) {
		legend = append(legend, string(d.used[name])+"\u00a0"+strings.ReplaceAll(name, " ", "\u00a0"))
	}
	if len(legend) > 0 {
		d.wrapped(strings.Join(legend, "  "))
	}
	return d.out.Bytes()
}

// plain returns text of the input as it can be printed in columns.
func (d *drawing) plain(s string) string {
	if d.Escape != nil {
		s = d.Escape(s)
	}
	if !d.ASCII {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, s)
}

func columns(s string) int { return runewidth.StringWidth(s) }

func (d *drawing) cells() []cell { return make([]cell, int(d.axis.width)) }

// row writes a row with its name.
func (d *drawing) row(name string, cells []cell) {
	d.out.WriteString(strings.Repeat(" ", d.names-columns(name)))
	d.paint(color.Bold, name)
	d.out.WriteString(" ")
	d.paint(color.Faint, string(d.rule))
	end := len(cells)
	for end > 0 && cells[end-1].sign == 0 {
		end--
	}
	if end > 0 {
		d.out.WriteString(" ")
	}
	for at := 0; at < end; {
		to := at + 1
		for to < end && cells[to].color == cells[at].color {
			to++
		}
		var run strings.Builder
		for _, c := range cells[at:to] {
			switch c.sign {
			case 0:
				run.WriteByte(' ')
			case wide: // the second column of the character before it
			default:
				run.WriteRune(c.sign)
			}
		}
		d.paint(cells[at].color, run.String())
		at = to
	}
	d.out.WriteByte('\n')
}

// wide is the sign of a cell that a wide character to its left takes.
const wide = -1

func (d *drawing) paint(attribute color.Attribute, s string) {
	if attribute != 0 && strings.TrimSpace(s) != "" {
		s = ink.Ink(d.Color).Paint(s, attribute)
	}
	d.out.WriteString(s)
}

// put sets a cell unless what is there is more important.
func put(cells []cell, at int, c cell) bool {
	if at < 0 || at >= len(cells) || cells[at].importance > c.importance {
		return false
	}
	cells[at] = c
	return true
}

// write writes a text into cells, of which all must be free for it.
func write(cells []cell, at int, s string, c cell) {
	for _, r := range s {
		width := runewidth.RuneWidth(r)
		if width == 0 {
			continue
		}
		c.sign = r
		put(cells, at, c)
		if width > 1 {
			c.sign = wide
			put(cells, at+1, c)
		}
		at += width
	}
}

// typeColors are the colors of bars by their types. Others are cyan.
var typeColors = map[string]color.Attribute{"message": color.FgBlue, "code": color.FgMagenta, "console": color.FgGreen}

// bar draws a block.
func (d *drawing) bar(cells []cell, b *timeline.Bar) {
	from, to := d.columns(b.First, b.Last)
	ink := cell{color: cmp.Or(typeColors[b.Type], color.FgCyan), importance: ordinary}
	first, last, fill := d.start, d.end, d.fill
	for _, s := range []struct {
		state timeline.State
		sign  rune
		end   *rune
	}{
		{timeline.Empty, d.empty, &fill},
		{timeline.Startless, d.startless, &first},
		{timeline.Open, d.open, &last},
		{timeline.Cut, d.cut, &last},
	} {
		if b.State&s.state != 0 {
			*s.end = s.sign
			d.used[stateOf(s.state)] = s.sign
			ink.importance = unusual
		}
	}
	if b.State&timeline.Unconfirmed != 0 {
		d.used["unconfirmed"] = d.unconfirmed
		ink.color, ink.importance = color.FgRed, unusual
	}
	if to-from == 1 || to-from == 2 && d.axis.isDense() {
		sign := d.single // or what is unusual about the bar
		switch {
		case b.State&timeline.Unconfirmed != 0:
			sign = d.unconfirmed
		case last != d.end:
			sign = last
		case first != d.start:
			sign = first
		case fill != d.fill:
			sign = fill
		}
		for at := from; at < to; at++ {
			d.point(cells, at, ink, sign)
		}
		return
	}
	for at := from; at < to; at++ {
		ink.sign = fill
		switch at {
		case from:
			ink.sign = first
		case to - 1:
			ink.sign = last
		}
		put(cells, at, ink)
	}
	d.label(cells, from, to, b, ink)
}

// point draws a bar into one column, in which there may be others.
func (d *drawing) point(cells []cell, at int, ink cell, sign rune) {
	ink.sign = sign
	if there := cells[at]; there.importance == ordinary && ink.importance == ordinary {
		ink.sign = d.condensed
		d.used["several blocks"] = d.condensed
		if there.color != ink.color {
			ink.color = color.FgWhite
		}
	}
	put(cells, at, ink)
}

// label writes what a bar is into it, if there is room.
func (d *drawing) label(cells []cell, from, to int, b *timeline.Bar, ink cell) {
	ink.importance = max(ink.importance, text)
	prefix := ""
	if b.State&timeline.Unconfirmed != 0 {
		prefix = string(d.unconfirmed) + " "
		write(cells, from+1, string(d.unconfirmed), ink)
	}
	room := to - from - 2
	if b.State&timeline.Empty != 0 {
		room-- // a part of it shows that it is empty
	}
	for _, label := range barLabels(b) {
		label = " " + prefix + d.plain(label) + " "
		if columns(label) <= room {
			write(cells, from+1, label, ink)
			return
		}
	}
}

// columns returns the columns of some records, the second one excluded.
func (d *drawing) columns(first, last int) (from, to int) {
	a, b := d.axis.span(first, last)
	from = min(int(a), int(d.axis.width)-1)
	return from, max(from+1, min(int(b), int(d.axis.width)))
}

// mark draws what happens at one record, with its label if there is room.
func (d *drawing) mark(cells []cell, m *timeline.Mark) {
	from, to := d.columns(m.Record, m.Record)
	ink := cell{sign: d.marks[m.Kind], color: color.FgYellow, importance: marked}
	if m.Kind == timeline.ServerError {
		ink.color, ink.importance = color.FgRed, unusual
	}
	d.used[m.Kind.String()] = ink.sign
	if !put(cells, from, ink) {
		return
	}
	label := d.plain(m.Label)
	if label != "" && columns(label)+2 <= to-from {
		ink.importance = text
		write(cells, from+2, label, ink)
	}
}

// pins writes a row for each severity: a pin where a finding is, or how many.
func (d *drawing) pins(c *timeline.Conversation) {
	for _, severity := range lint.Severities() {
		counts := map[int]int{} // by column
		for i := range c.Pins {
			if p := &c.Pins[i]; p.Severity == severity {
				at, _ := d.columns(max(0, p.Record), max(0, p.Record))
				counts[at]++
			}
		}
		if len(counts) == 0 {
			continue
		}
		cells := d.cells()
		for at, n := range counts {
			sign := d.pin
			switch {
			case n > 9:
				sign = '+'
				d.used["ten or more"] = sign
			case n > 1:
				sign = rune('0' + n)
			}
			put(cells, at, cell{sign, ink.Severity(severity), unusual})
		}
		d.row(severity.String()+"s", cells)
	}
}

// wrapped writes words on lines. A no-break space is a space within a word.
func (d *drawing) wrapped(s string) {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
	for _, line := range ink.Wrap(words, d.Width, d.Width) {
		d.out.WriteString(strings.ReplaceAll(line, "\u00a0", " ") + "\n")
	}
}

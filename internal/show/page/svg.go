package page

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/show/timeline"
)

// SVG are the looks of a drawing as SVG: one self-contained document that is
// legible on light and dark pages and needs no script, no network and no font.
type SVG struct {
	Title  string // for readers that do not see the drawing
	ByTime bool   // the axis is time, if the recording has times

	// Escape makes a text of the input safe to show on one line.
	Escape func(string) string
}

// svgStyle is the colors of a drawing, light and dark.
//
//go:embed svg.css
var svgStyle string

// Sizes of a drawing, in CSS pixels.
const (
	svgWidth   = 680.0 // for the records, if they need so much
	mostRecord = 72.0
	rowHeight  = 34.0
	barHeight  = 22.0
	margin     = 12.0
	charWidth  = 7.3 // of the font, at most
	smallWidth = 6.1 // of the small one
	pinHeight  = 20.0
)

// vector is the state of drawing one conversation as SVG.
type vector struct {
	SVG
	axis   *axis
	left   float64 // of the first record
	right  float64
	top    float64   // of the first row
	lanes  []float64 // the middle of the first row of each lane
	bottom float64   // of the last row
	out    bytes.Buffer
}

// Draw returns a conversation as an SVG document.
func (s SVG) Draw(c *timeline.Conversation) []byte {
	v := &vector{SVG: s}
	rows := rowsOf(c)
	names := 0.0
	for i := range rows {
		rows[i].name = v.text(rows[i].name)
		names = max(names, textWidth(rows[i].name))
	}
	size := min(svgWidth/float64(max(1, c.Records)), mostRecord)
	v.axis = newAxis(c, size*float64(max(1, c.Records)), size, s.ByTime && c.Timed, false)
	v.left = math.Ceil(margin + names + margin)
	v.right = v.left + v.axis.width
	v.top = margin + 18
	v.bottom = v.top + rowHeight*float64(len(rows))
	v.lanes = make([]float64, len(c.Lanes))
	for i := len(rows) - 1; i >= 0; i-- {
		v.lanes[rows[i].lane] = v.top + rowHeight*(float64(i)+0.5)
	}

	labels, lines := v.pinLabels(c)
	width := v.right + margin
	if v.axis.times != nil {
		width += margin // for the label of the last time
	}
	for _, l := range labels {
		width = max(width, l.to+margin)
	}
	height := v.bottom + 6
	if len(labels) > 0 {
		height += pinHeight * float64(lines)
	}
	height += margin

	fmt.Fprintf(&v.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="title desc">`+"\n",
		px(width), px(height))
	fmt.Fprintf(&v.out, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escaped(v.text(v.Title)), escaped(v.text(Describe(c))))
	fmt.Fprintf(&v.out, "<style>\n%s</style>\n", svgStyle)
	fmt.Fprintf(&v.out, `<rect class="page" x="0.5" y="0.5" width="%s" height="%s" rx="6"/>`+"\n", px(width-1), px(height-1))
	v.ticks()
	for i, r := range rows {
		middle := v.top + rowHeight*(float64(i)+0.5)
		if r.name != "" {
			fmt.Fprintf(&v.out, `<path class="lane" d="M%s %sH%s"/>`+"\n", px(margin), px(middle-rowHeight/2), px(v.right))
			v.label("name", v.left-margin, middle+4, "end", r.name)
		}
		for _, b := range r.bars {
			v.bar(b, middle)
		}
		for _, m := range r.marks {
			v.mark(m, middle)
		}
	}
	v.pins(labels)
	v.out.WriteString("</svg>\n")
	return v.out.Bytes()
}

// text returns text of the input as it can be shown.
func (v *vector) text(s string) string {
	if v.Escape != nil {
		s = v.Escape(s)
	}
	return s
}

// textWidth is how wide a text is at most.
func textWidth(s string) float64 { return charWidth * float64(columns(s)) }

// escaped returns text as a part of the document.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer does not fail
	return b.String()
}

// px returns a length without needless digits.
func px(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }

// ticks draws the numbers of the records, and a line at each.
func (v *vector) ticks() {
	axis := "record"
	if v.axis.times != nil {
		axis = "time"
	}
	v.label("axis", v.left-margin, margin+9, "end", axis)
	for _, t := range v.axis.ticks(func(text string) float64 { return textWidth(text) + charWidth }) {
		x := v.left + t.at
		fmt.Fprintf(&v.out, `<path class="tick" d="M%s %sV%s"/>`+"\n", px(x), px(v.top), px(v.bottom))
		from, to := v.axis.span(0, 0)
		v.label("axis", x+(to-from)/2, margin+9, "middle", t.text)
	}
}

// label draws a text. The position is that of its baseline.
func (v *vector) label(class string, x, y float64, anchor, text string) {
	fmt.Fprintf(&v.out, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", class, px(x), px(y), anchor, escaped(text))
}

// bar draws a block: a box, of which a side is missing where the block has no
// start or no end.
func (v *vector) bar(b *timeline.Bar, middle float64) {
	from, to := v.axis.span(b.First, b.Last)
	gap := min(2, (to-from)/4)
	left, right := v.left+from+gap, v.left+to-gap
	top, bottom := middle-barHeight/2, middle+barHeight/2
	class := "bar other" // a type is a word of the input
	if slices.Contains([]string{"message", "code", "console"}, b.Type) {
		class = "bar " + b.Type
	}
	if b.State&timeline.Empty != 0 {
		class += " empty"
	}
	prefix := ""
	if b.State&timeline.Unconfirmed != 0 {
		class, prefix = class+" unconfirmed", "! "
	}
	noStart, noEnd := b.State&timeline.Startless != 0, b.State&(timeline.Open|timeline.Cut) != 0
	path := fmt.Sprintf("M%s %sH%sV%sH%sZ", px(left), px(top), px(right), px(bottom), px(left))
	edge := ""
	switch {
	case noStart && noEnd:
		edge = fmt.Sprintf("M%s %sH%sM%s %sH%s", px(left), px(top), px(right), px(left), px(bottom), px(right))
	case noStart:
		edge = fmt.Sprintf("M%s %sH%sV%sH%s", px(left), px(top), px(right), px(bottom), px(left))
	case noEnd:
		edge = fmt.Sprintf("M%s %sH%sV%sH%s", px(right), px(top), px(left), px(bottom), px(right))
	}
	fmt.Fprintf(&v.out, `<g class="%s"><path class="fill" d="%s"/><path class="edge" d="%s"/>`, class, path, cmp.Or(edge, path))
	if b.State&timeline.Cut != 0 {
		fmt.Fprintf(&v.out, `<path class="cut" d="M%s %sl10 10m-10 0l10 -10"/>`, px(right-5), px(middle-5))
		right -= 8
	}
	if b.State&timeline.Open != 0 {
		fmt.Fprintf(&v.out, `<path class="cut" d="M%s %sl6 5l-6 5"/>`, px(right-4), px(middle-5))
		right -= 8
	}
	for _, text := range append(barLabels(b), "") {
		text = strings.TrimSpace(prefix + v.text(text))
		if text != "" && textWidth(text)+8 <= right-left {
			fmt.Fprintf(&v.out, `<text x="%s" y="%s">%s</text>`, px(left+6), px(middle+4), escaped(text))
			break
		}
	}
	v.out.WriteString("</g>\n")
}

// mark draws what happens at one record.
func (v *vector) mark(m *timeline.Mark, middle float64) {
	from, to := v.axis.span(m.Record, m.Record)
	x := v.left + (from+to)/2
	shape := fmt.Sprintf("M%s %sl6 6l-6 6l-6 -6Z", px(x), px(middle-6)) // a diamond
	switch m.Kind {
	case timeline.Status, timeline.Frame, timeline.WorkbenchEvent:
		shape = fmt.Sprintf("M%s %sa5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z", px(x-5), px(middle)) // a disc
	case timeline.ServerError:
		shape = fmt.Sprintf("M%s %sl10 10m-10 0l10 -10", px(x-5), px(middle-5)) // a cross
	case timeline.Command:
		shape = fmt.Sprintf("M%s %sl8 6l-8 6Z", px(x-4), px(middle-6)) // a triangle
	}
	fmt.Fprintf(&v.out, `<path class="mark %s" d="%s"><title>%s</title></path>`+"\n", m.Kind, shape, escaped(markText(v.text(m.Label), m.Kind)))
	for _, text := range []string{markText(v.text(m.Label), m.Kind), markText("", m.Kind)} {
		if smallWidth*float64(columns(text)) <= to-from {
			v.label("marked", x, middle+rowHeight/2-3, "middle", text)
			break
		}
	}
}

// markText says what a mark is.
func markText(label string, kind timeline.MarkKind) string {
	switch {
	case kind == timeline.Confirmation:
		return strings.TrimSpace("confirm " + label)
	case label == "":
		return kind.String()
	}
	return label
}

// pinLabel is the text of a pin, and where it is.
type pinLabel struct {
	pin      *timeline.Pin
	text     string
	x        float64 // of the pin
	from, to float64 // of the text
	line     int
}

// pinLabels assigns the texts of the pins to lines, so that they do not overlap.
func (v *vector) pinLabels(c *timeline.Conversation) (labels []pinLabel, lines int) {
	var ends []float64
	for i := range c.Pins {
		p := &c.Pins[i]
		from, to := v.axis.span(max(0, p.Record), max(0, p.Record))
		l := pinLabel{pin: p, text: p.Severity.String() + " " + p.Rule, x: v.left + (from+to)/2}
		l.from = l.x + 9
		l.to = l.from + textWidth(l.text)
		for l.line < len(ends) && ends[l.line] > l.x-8 {
			l.line++
		}
		if l.line == len(ends) {
			ends = append(ends, 0)
		}
		ends[l.line] = l.to + charWidth
		labels = append(labels, l)
	}
	return labels, len(ends)
}

// pins draws the findings, with lines to their records and the related ones.
func (v *vector) pins(labels []pinLabel) {
	for _, l := range labels {
		class := l.pin.Severity.String()
		y := v.bottom + 6 + pinHeight*(float64(l.line)+0.5)
		for _, spot := range l.pin.Related {
			from, to := v.axis.span(spot.Record, spot.Record)
			x := v.left + (from+to)/2
			fmt.Fprintf(&v.out, `<path class="related" d="M%s %sQ%s %s %s %s"/>`+"\n",
				px(l.x), px(y-5), px(x), px(v.bottom), px(x), px(v.lanes[spot.Lane]+barHeight/2))
		}
		fmt.Fprintf(&v.out, `<path class="stem %s" d="M%s %sV%s"/>`+"\n", class, px(l.x), px(y-5), px(v.lanes[l.pin.Lane]+barHeight/2))
		fmt.Fprintf(&v.out, `<path class="pin %s" d="M%s %sl6 10h-12Z"/>`+"\n", class, px(l.x), px(y-5))
		v.label("finding "+class, l.from, y+4, "start", l.text)
	}
}

// Describe says in words what a drawing of a conversation shows.
func Describe(c *timeline.Conversation) string {
	var parts []string
	for _, b := range c.Bars {
		records := fmt.Sprintf("record %d", b.First)
		if b.Last != b.First {
			records = fmt.Sprintf("records %d to %d", b.First, b.Last)
		}
		text := c.Lanes[b.Lane] + ": " + cmp.Or(strings.TrimSpace(b.Type+" "+b.Format), "block") + ", " + records
		if states := stateOf(b.State); states != "" {
			text += ", " + states
		}
		parts = append(parts, text)
	}
	for _, m := range c.Marks {
		parts = append(parts, fmt.Sprintf("%s: %s, record %d", c.Lanes[m.Lane], strings.TrimSpace(m.Kind.String()+" "+m.Label), m.Record))
	}
	for i := range c.Pins {
		parts = append(parts, fmt.Sprintf("%s %s, record %d", c.Pins[i].Severity, c.Pins[i].Rule, max(0, c.Pins[i].Record)))
	}
	return strings.Join(parts, "; ")
}

// Package timeline is the view of a recording that pictures of it are drawn
// from: the HTML page, the terminal and the pictures of the rule pages. No
// drawing code looks at records.
//
// A [Recorder] observes the check of one input (see lint.WithObserver) and makes
// its [Recording]: a [Conversation] for each conversation, with lanes, a [Bar]
// for each block or whole message, a [Mark] for each thing that happens at one
// record, the text of the messages, and excerpts of the records around findings.
// [Recording.Add] then adds a [Pin] for each finding that the report shows.
//
//	linter, err := lint.New(rules.All(), lint.WithObserver(timeline.Observe))
//	…
//	result, err := linter.Run(ctx, name, reader, emit) // emit keeps the findings
//	recording := timeline.Of(result)                   // nil without an observer
//	for i := range findings {
//		recording.Add(&findings[i])
//	}
//
// What is a bar: in a stream or session each block; in a transcript each stored
// message, one record long; in Semantic Workbench each message, in the lane of
// its sender. What is a mark: a confirmation, a command, a frame of the server,
// an authentication, an event of the workbench.
//
// Memory is bounded, whatever the size of the input: see the limits below. Where a
// limit applies, the view has a number: [Bar.Count] is that of the neighbors in one bar,
// [Recording.NotDrawn] that of the bars and marks beyond it, [Content.Omitted] that of the bytes of text that are omitted, and
// [Recording.LeftOut] that of the conversations.
package timeline

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lmclint/lmclint/lint"
)

// Limits of a [Recording].
const (
	// MaxBars is how many bars and how many marks all conversations of an input
	// have. Beyond it, neighbors in a lane are merged.
	MaxBars = 1 << 16

	maxBuckets = 2048 // of a [Density], which a conversation has with more than so many findings:
	minDensity = 1000

	// MaxConversations is how many conversations are kept that have no finding.
	// Of the others, as many again are kept.
	MaxConversations = 2000

	wholeBytes = 28 << 10 // of the text of a message; of a longer one, the first 12 KiB (see blocks.NewTextBuilder)
	tailBytes  = 4 << 10  // and the last bytes

	maxTextBytes   = 4 << 20   // of all messages; later ones keep their first bytes only:
	shortHeadBytes = 160       // so many,
	maxAllBytes    = 6 << 20   // until there are so many of all
	maxImageBytes  = 384 << 10 // of one image in base64
	maxImagesBytes = 3 << 20   // of all images
	maxLabelBytes  = 120       // of the label of a mark, and of a role, type or format

	excerptBytes     = 1 << 10 // of a record, from its start
	maxExcerpts      = 4000    // records
	maxExcerptsBytes = 2 << 20 // of all
	maxRecentBytes   = 4 << 20 // of the last records of a conversation, which a later finding may need
	neighbors        = 2       // records before and after one with a finding

	maxLanes = 12
)

// Recording is the view of one input.
type Recording struct {
	Path          string
	Conversations []*Conversation // in the order in which they began
	LeftOut       int             // conversations beyond the limit
	NotDrawn      int             // bars and marks beyond the limit that could not be merged

	findings int // that were added
}

// Conversation is the view of one conversation. Numbers of records are those of
// findings, from 0.
type Conversation struct {
	Number   int    `json:"number"`   // as in lint.Finding
	Protocol string `json:"protocol"` // lmc or workbench
	Kind     string `json:"kind"`     // transcript, stream or session
	Dialect  string `json:"dialect"`  // in effect at its end
	Records  int    `json:"records"`  // that were read

	// Timed is set if each bar and mark has a time, and not all the same.
	Timed bool `json:"timed"`

	Lanes    []string   `json:"lanes"` // user, assistant, computer, server, then others; of the workbench: the senders
	Bars     []*Bar     `json:"bars"`  // in the order of their first records
	Marks    []*Mark    `json:"marks"` // in the order of their records
	Pins     []Pin      `json:"-"`     // in the order of [Recording.Add]
	Excerpts []*Excerpt `json:"-"`

	// Density is where findings are, nil if there are few: of these the places are known.
	Density *Density `json:"density,omitempty"`
}

// Density is how many findings are in equally many records each.
type Density struct {
	Size   int      `json:"size"`   // records
	Counts [][3]int `json:"counts"` // errors, warnings and notes
	Total  int      `json:"total"`
}

// add counts a finding at a record.
func (d *Density) add(record int, severity lint.Severity) {
	for record/d.Size >= maxBuckets {
		d.Size *= 2
		for i := range d.Counts {
			half := d.Counts[i]
			d.Counts[i] = [3]int{}
			for k, n := range half {
				d.Counts[i/2][k] += n
			}
		}
		d.Counts = d.Counts[:(len(d.Counts)+1)/2]
	}
	for record/d.Size >= len(d.Counts) {
		d.Counts = append(d.Counts, [3]int{})
	}
	d.Counts[record/d.Size][lint.SeverityError-severity]++
	d.Total++
}

// State is what is unusual about a bar: a set.
type State uint8

// The states of a bar. Zero is a block with a start, content and an end.
const (
	Open        State = 1 << iota // the input ends inside the block
	Cut                           // another record ended it instead of an end flag
	Unconfirmed                   // code that ran without the confirmation that it needs
	Empty                         // no content
	Startless                     // content without a start flag
	Stored                        // a whole message, not a block
)

// StateNames are the names of the states, in the order of their bits.
func StateNames() []string {
	return []string{"open", "cut", "unconfirmed", "empty", "startless", "stored"}
}

// Bar is a block or a message.
type Bar struct {
	Lane    int      `json:"lane"` // in Conversation.Lanes
	Role    string   `json:"role,omitempty"`
	Type    string   `json:"type,omitempty"`
	Format  string   `json:"format,omitempty"`
	First   int      `json:"first"` // number of its first record
	Last    int      `json:"last"`
	Start   int64    `json:"start,omitempty"` // time of the first record, in milliseconds since 1970; 0 if unknown
	End     int64    `json:"end,omitempty"`
	Written string   `json:"written,omitempty"` // the time of the first record as the input has it, unless that is UTC
	State   State    `json:"state,omitempty"`
	Content *Content `json:"content,omitempty"` // nil if nothing was said
	Count   int      `json:"count,omitempty"`   // of neighbors that are merged into this one; 0 for one

	done bool // nothing of it changes
}

// Content is what a block or message says, as a reader would see it.
type Content struct {
	Head      string `json:"head,omitempty"`      // of the text
	Tail      string `json:"tail,omitempty"`      // empty if nothing is omitted
	Omitted   int64  `json:"omitted,omitempty"`   // bytes between them
	Image     string `json:"image,omitempty"`     // base64 of a valid PNG or JPEG file, or ""
	MediaType string `json:"mediaType,omitempty"` // of Image
	Binary    int64  `json:"binary,omitempty"`    // bytes of an image, audio or binary frames that are not shown
}

// MarkKind is what a mark shows.
type MarkKind uint8

// The kinds of marks.
const (
	Confirmation MarkKind = iota
	Command
	Status
	ServerError
	Frame // another frame of the server
	Authentication
	WorkbenchEvent
)

// String returns the kind in a word.
func (k MarkKind) String() string {
	return [...]string{"confirmation", "command", "status", "error", "frame", "auth", "event"}[k]
}

// MarshalText implements [encoding.TextMarshaler].
func (k MarkKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Mark is something that happens at one record.
type Mark struct {
	Lane   int      `json:"lane"`
	Kind   MarkKind `json:"kind"`
	Label  string   `json:"label,omitempty"` // a language, a command, a status, an error, the name of an event
	Record int      `json:"record"`
	Time   int64    `json:"time,omitempty"`  // as in Bar; 0 if unknown
	Code   int      `json:"code"`            // of a confirmation: the first record of the code; else -1
	Count  int      `json:"count,omitempty"` // as in Bar
}

// Pin is where a finding is.
type Pin struct {
	Finding  int // counts the calls of Add, from 0
	Severity lint.Severity
	Rule     string
	Record   int // -1 between records
	Lane     int
	Related  []Spot // in the same conversation
}

// Spot is a record in its lane.
type Spot struct{ Record, Lane int }

// Excerpt is the start of a record with a finding, or of one near it.
type Excerpt struct {
	Record, Lane int
	Line, Column int    // of its first character in the input, from 1
	Offset       int64  // of its first byte
	Text         string // valid UTF-8
	Bytes        int    // of the whole record
	Size         int    // of them in Text
	Decoded      bool   // the input has it in another notation, such as inside a string
}

// timeForms are how recordings write times.
var timeForms = []string{
	time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
}

// parseTime returns the time that a JSON number or string says, in milliseconds
// since 1970; 0 if it says none. A number is in seconds, or in milliseconds if it
// is large.
func parseTime(raw []byte) int64 {
	text := strings.Trim(string(raw), `"' `)
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		const (
			firstSeconds, firstMillis = 1e8, 1e11 // in 1973
			lastMillis                = 1e13      // in 2286
		)
		switch {
		case n >= firstSeconds && n < firstMillis:
			return int64(math.Round(n * 1000))
		case n >= firstMillis && n < lastMillis:
			return int64(n)
		}
		return 0
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil && t.Year() > 1970 {
			return t.UnixMilli()
		}
	}
	return 0
}

// isTimed reports whether everything in a view has a time, and not the same.
func isTimed(v *Conversation) bool {
	first, last := int64(math.MaxInt64), int64(0)
	note := func(t int64) bool {
		first, last = min(first, t), max(last, t)
		return t > 0
	}
	for _, b := range v.Bars {
		if !note(b.Start) || !note(b.End) || b.End < b.Start {
			return false
		}
	}
	for _, m := range v.Marks {
		if !note(m.Time) {
			return false
		}
	}
	return first < last
}

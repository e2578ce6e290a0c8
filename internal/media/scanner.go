// Package media reads images that are written as base64: is it base64, what
// kind of image is it, and where does the image end?
//
// A [Scanner] looks at a text once, in pieces if need be. It keeps a few
// kilobytes, whatever the size of the image, and allocates nothing.
package media

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// So many characters are decoded at once: few where the next are likely to be
// of no interest.
const (
	blockText  = 4 << 10
	blockBytes = blockText / 4 * 3
	fewText    = 32
)

// Scanner follows one image through its base64 to the first mistake. Reset
// makes a used one new; the zero value must be reset, too.
type Scanner struct {
	fault  Fault
	bytes  int64 // decoded
	head   [headBytes]byte
	heads  int // bytes in head
	kind   Kind
	png    png
	jpeg   jpeg
	ended  bool // the image is complete
	closed bool // padding ended the base64

	open  int    // characters of the quantum at hand, 0 to 3
	bits  uint32 // their bits
	equal bool   // and one '=' of two
	white int    // offset of white space that nothing has followed yet, or -1

	block [blockBytes]byte
}

// Reset makes the scanner ready for another image.
func (s *Scanner) Reset() {
	s.fault = Fault{}
	s.bytes, s.heads, s.kind = 0, 0, Unknown
	s.ended, s.closed = false, false
	s.open, s.bits, s.equal, s.white = 0, 0, false, -1
}

// Fault is the first mistake so far.
func (s *Scanner) Fault() Fault { return s.fault }

// Bytes is the size of the image so far, in bytes.
func (s *Scanner) Bytes() int64 { return s.bytes }

// Head returns the first bytes of the image, 12 at most. It is valid until
// the next call of Add or Reset.
func (s *Scanner) Head() []byte { return s.head[:s.heads] }

// Kind is the kind of the image by its first bytes.
func (s *Scanner) Kind() Kind {
	if s.heads < headBytes {
		return kindOf(s.head[:s.heads])
	}
	return s.kind
}

// Complete reports whether the image or its base64 is at its end.
func (s *Scanner) Complete() bool { return s.ended || s.closed }

// Missing is how many characters the base64 lacks to be whole: 0 if it is,
// else 1 or 2 for padding, or 3 where padding cannot help.
func (s *Scanner) Missing() int {
	switch {
	case s.open == 0:
		return 0
	case s.equal:
		return 1
	}
	return 4 - s.open
}

// Add scans the next piece of the text. After a mistake it does nothing.
func (s *Scanner) Add(text []byte) {
	if s.fault.Kind != Sound {
		return
	}
	if s.bytes == 0 && s.open == 0 && len(text) > 0 && text[0]|0x20 == 'd' {
		s.dataURL(string(text[:min(len(text), longestURL)]))
	}
	s.white = -1
	solid := len(text)
	for solid > 0 && (isSpace(text[solid-1]) || text[solid-1] == '=') {
		solid--
	}
	for i := 0; i < len(text) && s.fault.Kind == Sound; {
		i += s.read(text, i, solid)
	}
	if at := s.fault.At; s.fault.Kind != Sound {
		from, to := max(0, at-maxOpen), min(len(text), at+window)
		s.explain(string(text[from:to]), at-from)
	}
}

// read takes in the text from an offset on, by the block where nothing speaks
// against it, and returns how many characters that were. From solid on there
// are only padding and white space.
func (s *Scanner) read(text []byte, from, solid int) int {
	n := (solid - from) &^ 3
	if n <= 0 || s.open > 0 || s.white >= 0 || s.Complete() {
		s.char(text[from], from)
		return 1
	}
	if n := s.uninteresting(text[from : from+n]); n > 0 {
		s.pass(n / 4 * 3)
		return n
	}
	n = min(n, s.atOnce())
	if !s.decode(text[from:from+n], from) {
		for i := from; i < from+n && s.fault.Kind == Sound; i++ {
			s.char(text[i], i)
		}
	}
	return n
}

// uninteresting is how many characters, in whole quanta, a text begins with
// that are base64 and stand for bytes that nobody looks at. They need not be
// decoded.
func (s *Scanner) uninteresting(text []byte) int {
	switch {
	case s.heads < headBytes:
		return 0
	case s.kind == JPEG && s.jpeg.inScan():
		return countUnmarked(text)
	case s.kind == JPEG && s.jpeg.state == going:
		return 0
	case s.kind == PNG:
		text = text[:min(len(text), s.png.uninteresting()/3*4)]
	}
	return countBase64(text) &^ 3
}

// atOnce is how many characters are decoded next at most.
func (s *Scanner) atOnce() int {
	if s.kind == PNG || s.kind == JPEG && s.jpeg.inScan() {
		return fewText
	}
	return blockText
}

// pass takes in bytes that nobody looks at.
func (s *Scanner) pass(n int) {
	s.bytes += int64(n)
	if s.kind == PNG && s.png.state == going {
		s.png.pass(int64(n))
	}
}

// decode takes in whole quanta at once: text, which stands at an offset. It
// reports false, with nothing taken in, if there is anything but base64 in it.
func (s *Scanner) decode(text []byte, from int) bool {
	got, err := base64.RawStdEncoding.Decode(s.block[:], text)
	if err != nil || got != len(text)/4*3 {
		return false
	}
	if used := s.feed(s.block[:got]); used < got {
		s.open = [...]int{0, 2, 3}[used%3]
		s.fail(Trailing, from+used/3*4+s.open, 1)
	}
	return true
}

// char takes in the character at an offset.
func (s *Scanner) char(c byte, at int) {
	value := strings.IndexByte(alphabet, c)
	switch {
	case isSpace(c):
		if s.white < 0 {
			s.white = at
		}
	case s.Complete() && (c != '=' || s.white >= 0):
		s.fail(Trailing, at, 1)
	case s.white >= 0:
		s.fail(WhiteSpace, s.white, at-s.white)
	case c == '=':
		s.pad(at)
	case value >= 0 && s.equal:
		s.fail(Padding, at, 1)
	case value >= 0:
		s.symbol(uint32(value))
	case c == '-', c == '_':
		s.fail(URLSafe, at, 1)
	default:
		s.fail(Foreign, at, 1)
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// symbol takes in six bits. A byte counts as soon as it is there, so that
// the end of the image is known before whatever follows it.
func (s *Scanner) symbol(value uint32) {
	s.bits = s.bits<<6 | value
	s.open++
	if s.open == 1 {
		return
	}
	s.block[0] = byte(s.bits >> (8 - 2*s.open))
	if s.open == 4 {
		s.open, s.bits = 0, 0
	}
	s.feed(s.block[:1])
}

// pad takes in a '='.
func (s *Scanner) pad(at int) {
	switch {
	case s.closed, s.open < 2:
		s.fail(Padding, at, 1)
	case s.open == 2 && !s.equal:
		s.equal = true
	default:
		s.closed = true
		s.open, s.bits, s.equal = 0, 0, false
	}
}

// feed takes in decoded bytes and returns how many of them are the image's.
func (s *Scanner) feed(data []byte) int {
	s.bytes += int64(len(data))
	taken := 0
	if s.heads < headBytes {
		taken = copy(s.head[s.heads:], data)
		s.heads += taken
		if s.heads < headBytes {
			return taken
		}
		s.begin()
	}
	return taken + s.follow(data[taken:])
}

// begin finds out the kind. No image ends within its first bytes; one that
// seems to is not followed.
func (s *Scanner) begin() {
	s.kind = kindOf(s.head[:])
	switch s.kind {
	case PNG:
		s.png = newPNG()
	case JPEG:
		s.jpeg = newJPEG()
	}
	s.follow(s.head[:])
	if s.ended {
		s.ended, s.jpeg.state = false, lost
	}
}

func (s *Scanner) follow(data []byte) (used int) {
	used = len(data)
	switch s.kind {
	case PNG:
		used = s.png.feed(data)
		s.ended = s.png.state == ended
	case JPEG:
		used = s.jpeg.feed(data)
		s.ended = s.jpeg.state == ended
	}
	return used
}

func (s *Scanner) fail(kind FaultKind, at, length int) {
	s.fault = Fault{Kind: kind, At: at, End: at + length}
}

// longestURL is within how many bytes the data of a data: URL must begin.
const longestURL = 256

// dataURL looks whether the text begins as a data: URL.
func (s *Scanner) dataURL(start string) {
	const scheme = "data:"
	if len(start) < len(scheme) || !strings.EqualFold(start[:len(scheme)], scheme) {
		return
	}
	s.fail(DataURL, 0, max(len(scheme), strings.IndexByte(start, ',')+1))
}

// FaultKind is a kind of mistake in the base64 of an image.
type FaultKind uint8

// The mistakes.
const (
	Sound      FaultKind = iota // none
	DataURL                     // it begins as a data: URL
	URLSafe                     // a character of the URL-safe alphabet
	Foreign                     // a character of no alphabet
	WhiteSpace                  // white space before the end
	Padding                     // '=' where none can stand, or one too few or too many
	Trailing                    // more text after the padding or after the end of the image
)

// Fault is the first mistake in a text. At and End are byte offsets in the
// piece that was added last.
type Fault struct {
	Kind    FaultKind
	At, End int

	// What follows the image, for Trailing.
	Next   Kind // the image that begins there, or Unknown
	Text   bool // it is text rather than more base64
	Padded bool // it follows padding, which ends any base64
}

const (
	window  = 64 // characters behind an image that are looked at, to say what they are
	maxOpen = 3  // characters before that, of the group at hand
)

// explain completes a fault: text is what stands around it, and at where in
// text it stands.
func (s *Scanner) explain(text string, at int) {
	f := &s.fault
	if f.Kind != Foreign && f.Kind != Trailing {
		return
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	f.End = f.At + size
	if f.Kind == Trailing {
		f.Next, f.Padded = s.next(text, at), s.closed
		f.Text = f.Next == Unknown && (s.white >= 0 || !isBase64(text[at:]))
	}
}

// next tells the kind of an image that begins at an offset: one whose base64
// was put behind this one's, or whose bytes were.
func (s *Scanner) next(text string, at int) Kind {
	if kind := Begins(text[at:]); kind != Unknown {
		return kind
	}
	if s.open == 0 || s.white >= 0 || at < s.open {
		return Unknown
	}
	return begins(text[at-s.open:], s.open-1)
}

// Begins tells the kind of the image that a base64 text begins with, if
// anything can be told.
func Begins(text string) Kind { return begins(text, 0) }

// begins passes over some decoded bytes first. A beginning of a signature is
// not enough here.
func begins(text string, pass int) Kind {
	var raw [24]byte
	end := 0
	for end < min(len(text), 2*headBytes) && strings.IndexByte(alphabet, text[end]) >= 0 {
		end++
	}
	n, err := base64.RawStdEncoding.Decode(raw[:], []byte(text[:end&^3]))
	if err != nil || n-pass < len(pngSignature) {
		return Unknown
	}
	return kindOf(raw[pass:n])
}

// isBase64 reports whether a text consists of base64 characters, but for
// white space at its end.
func isBase64(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c != '=' && !strings.ContainsRune(alphabet, c)
	})
}

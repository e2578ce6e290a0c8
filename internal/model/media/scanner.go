// Package media scans images that are encoded as base64: is it base64, what
// kind of image is it, and where does the image end?
//
// A [Scanner] reads a text once, in pieces. Its memory is a few kilobytes for
// images of any size, and it allocates nothing.
package media

import (
	"encoding/base64"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	blockText  = 4 << 10 // characters that are decoded at a time
	blockBytes = blockText / 4 * 3
	fewText    = 32 // the same, if the next ones can probably be skipped
)

// Scanner follows one image through its base64 to the first mistake. It must be
// reset before use, also a zero value. It is not safe for concurrent use.
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

	open  int    // characters of the current quantum, 0 to 3
	bits  uint32 // their bits
	equal bool   // they are followed by one '=' of two
	white int    // offset of whitespace at the end of the text so far, or -1
	space Space  // the first whitespace before the end

	block [blockBytes]byte
}

// Reset prepares the scanner for another image.
func (s *Scanner) Reset() {
	s.fault = Fault{}
	s.bytes, s.heads, s.kind = 0, 0, Unknown
	s.ended, s.closed = false, false
	s.open, s.bits, s.equal, s.white, s.space = 0, 0, false, -1, Space{}
}

// Fault returns the first mistake so far.
func (s *Scanner) Fault() Fault { return s.fault }

// Space returns the first whitespace that more base64 follows, in the piece that was added
// last. It is skipped.
func (s *Scanner) Space() Space { return s.space }

// Bytes returns the size of the image so far, in bytes.
func (s *Scanner) Bytes() int64 { return s.bytes }

// Head returns the first bytes of the image, 12 at most. It is valid until
// the next call of Add or Reset.
func (s *Scanner) Head() []byte { return s.head[:s.heads] }

// Kind returns the kind of the image, by its first bytes.
func (s *Scanner) Kind() Kind {
	if s.heads < headBytes {
		return kindOf(s.head[:s.heads])
	}
	return s.kind
}

// Complete reports whether the image or its base64 has ended.
func (s *Scanner) Complete() bool { return s.ended || s.closed }

// Missing returns how many characters the last quantum lacks: 0 if it is
// complete, 1 or 2 of padding, or 3 if padding cannot complete it.
func (s *Scanner) Missing() int {
	switch {
	case s.open == 0:
		return 0
	case s.equal:
		return 1
	}
	return 4 - s.open
}

// Truncated reports whether the base64 is complete so far, but the PNG or JPEG
// image in it is not. An image whose structure is invalid has no known end and
// is not truncated.
func (s *Scanner) Truncated() bool {
	switch {
	case s.fault.Kind != Sound, s.open > 0, s.ended:
		return false
	case s.Kind() == PNG:
		return s.heads < headBytes || s.png.state == going
	case s.Kind() == JPEG:
		return s.heads < headBytes || s.jpeg.state == going
	}
	return false
}

// Add scans the next piece of the text. After a mistake it does nothing.
func (s *Scanner) Add(text []byte) {
	if s.fault.Kind != Sound {
		return
	}
	if s.bytes == 0 && s.open == 0 && len(text) > 0 && text[0]|0x20 == 'd' {
		s.dataURL(string(text[:min(len(text), longestURL)]))
	}
	s.white, s.space = -1, Space{}
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

// read reads the text from an offset, in blocks if possible, and returns how many
// characters that were. From solid on there is only padding and whitespace.
func (s *Scanner) read(text []byte, from, solid int) int {
	n := (solid - from) &^ 3
	if n <= 0 || s.open > 0 || s.white >= 0 || s.Complete() {
		s.char(text[from], from)
		return 1
	}
	if n := s.skippable(text[from : from+n]); n > 0 {
		s.bytes += int64(n / 4 * 3)
		if s.kind == PNG && s.png.state == going {
			s.png.advance(int64(n / 4 * 3))
		}
		return n
	}
	if n = min(n, blockText); s.kind == PNG {
		n = min(n, fewText)
	}
	if !s.decode(text[from:from+n], from) {
		for i := from; i < from+n && s.fault.Kind == Sound; i++ {
			s.char(text[i], i)
		}
	}
	return n
}

// skippable returns how many characters, in whole quanta, a text starts with that
// are base64 of bytes without effect on the structure of the image. They need
// not be decoded.
func (s *Scanner) skippable(text []byte) int {
	switch {
	case s.heads < headBytes, s.kind == JPEG && s.jpeg.state == going:
		return 0
	case s.kind == PNG:
		text = text[:min(len(text), s.png.skippable()/3*4)]
	}
	return countBase64(text) &^ 3
}

// decode reads whole quanta of text at an offset. It reports false, and reads
// nothing, if the text is not only base64.
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

// char reads the character at an offset.
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
		if s.space.End == 0 {
			s.space = Space{s.white, at}
		}
		s.white = -1
		s.char(c, at)
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

// symbol reads six bits. It passes on a byte as soon as it is complete, so that
// the end of the image is known before the next character.
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

// pad reads a '='.
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

// feed reads decoded bytes and returns how many of them are the image's.
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

// begin detects the kind, and reads the first bytes.
func (s *Scanner) begin() {
	switch s.kind = kindOf(s.head[:]); s.kind {
	case PNG:
		s.png = newPNG()
		s.png.feed(s.head[:])
	case JPEG:
		s.jpeg = newJPEG()
		if s.jpeg.feed(s.head[:]); s.jpeg.state == ended {
			s.jpeg.state = lost // no image ends so soon: this one is not followed
		}
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

// longestURL is within how many bytes the data of a data: URL must start.
const longestURL = 256

// dataURL checks whether the text starts as a data: URL.
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
	Sound    FaultKind = iota // none
	DataURL                   // it starts as a data: URL
	URLSafe                   // a character of the URL-safe alphabet
	Foreign                   // a character that is in neither alphabet
	Padding                   // a misplaced '=', or one too few or too many
	Trailing                  // more text after the padding or after the end of the image
)

// Space is whitespace in a text, by its byte offsets. Its End is 0 if there is none.
type Space struct{ At, End int }

// Fault is the first mistake in a text. At and End are byte offsets, from 0, in
// the piece that was added last.
type Fault struct {
	Kind    FaultKind
	At, End int

	// What follows the image, for Trailing.
	Next   Kind // the image that begins there, or Unknown
	Text   bool // it is text rather than more base64
	Padded bool // it follows padding, which ends any base64
}

const (
	window  = 64 // bytes after an image that are examined, to say what they are
	maxOpen = 3  // bytes before that, of the current quantum
)

// explain completes a fault from the text around it, in which it is at an offset.
func (s *Scanner) explain(text string, at int) {
	f := &s.fault
	if f.Kind != Foreign && f.Kind != Trailing {
		return
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	f.End = f.At + size
	if f.Kind == Trailing {
		f.Next, f.Padded = s.next(text, at), s.closed
		f.Text = f.Next == Unknown && (s.white >= 0 || !IsBase64(text[at:]))
	}
}

// next returns the kind of an image that starts at an offset: its base64 was
// appended to this one's, or its bytes were.
func (s *Scanner) next(text string, at int) Kind {
	if kind := Begins(text[at:]); kind != Unknown {
		return kind
	}
	if s.open == 0 || s.white >= 0 || at < s.open {
		return Unknown
	}
	return begins(text[at-s.open:], s.open-1)
}

// Begins returns the kind of the image that a base64 text starts with, or
// Unknown.
func Begins(text string) Kind { return begins(text, 0) }

// begins is Begins after some decoded bytes. A part of a signature is not enough
// here.
func begins(text string, skip int) Kind {
	var raw [24]byte
	end := 0
	for end < min(len(text), 2*headBytes) && strings.IndexByte(alphabet, text[end]) >= 0 {
		end++
	}
	n, err := base64.RawStdEncoding.Decode(raw[:], []byte(text[:end&^3]))
	if err != nil || n-skip < len(pngSignature) {
		return Unknown
	}
	return kindOf(raw[skip:n])
}

// IsBase64 reports whether a text is only base64 characters, and whitespace at
// its end.
func IsBase64(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c != '=' && !strings.ContainsRune(alphabet, c)
	})
}

// alphabet is the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// symbols says of each byte whether it is a character of base64.
var symbols = sync.OnceValue(func() *[256]bool {
	var is [256]bool
	for i := range len(alphabet) {
		is[alphabet[i]] = true
	}
	return &is
})

// countBase64 returns the number of base64 characters, without padding, that a
// text starts with.
func countBase64(text []byte) (n int) {
	is := symbols()
	const step = 8
	for len(text)-n >= step {
		b := (*[step]byte)(text[n:])
		if !is[b[0]] || !is[b[1]] || !is[b[2]] || !is[b[3]] || !is[b[4]] || !is[b[5]] || !is[b[6]] || !is[b[7]] {
			break
		}
		n += step
	}
	for n < len(text) && is[text[n]] {
		n++
	}
	return n
}

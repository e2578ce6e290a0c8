package media

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// Kind is a format of an image, or of other data that may be in its place.
type Kind uint8

// The kinds that have a signature.
const (
	Unknown Kind = iota
	PNG
	JPEG
	GIF
	WebP
	BMP
	TIFF
	ICO
	AVIF
	HEIC
	SVG
	XML
	HTML
	PDF
)

// String returns the kind's usual name, as in "PNG".
func (k Kind) String() string {
	return [...]string{
		"unknown", "PNG", "JPEG", "GIF", "WebP", "BMP", "TIFF", "ICO", "AVIF", "HEIC", "SVG", "XML", "HTML", "PDF",
	}[k]
}

// Named returns the kind that an image format of LMC names, such as
// "base64.jpeg". Plain "base64" is PNG. A format without a kind is Unknown.
func Named(format string) Kind {
	name := strings.TrimPrefix(strings.TrimPrefix(format, "base64"), ".")
	return named[strings.ToLower(name)]
}

var named = map[string]Kind{"": PNG, "png": PNG, "jpeg": JPEG, "jpg": JPEG, "gif": GIF, "webp": WebP, "bmp": BMP, "avif": AVIF, "heic": HEIC}

// headBytes is how many bytes a signature has at most.
const headBytes = 12

const (
	pngSignature  = "\x89PNG\r\n\x1a\n"
	jpegSignature = "\xff\xd8\xff"
)

// signatures are the first bytes of the kinds, the likely ones first. A '?'
// matches any byte.
var signatures = []struct {
	kind  Kind
	bytes string
}{
	{PNG, pngSignature},
	{JPEG, jpegSignature},
	{GIF, "GIF87a"},
	{GIF, "GIF89a"},
	{WebP, "RIFF????WEBP"},
	{BMP, "BM????\x00\x00\x00\x00"},
	{TIFF, "II*\x00"},
	{TIFF, "MM\x00*"},
	{ICO, "\x00\x00\x01\x00"},
	{AVIF, "????ftypavif"},
	{HEIC, "????ftypheic"},
	{HEIC, "????ftypmif1"},
	{PDF, "%PDF-"},
}

// kindOf detects the kind of an image from its first bytes. For PNG and JPEG a
// part of the signature is enough: the image may be truncated.
func kindOf(head []byte) Kind {
	if len(head) == 0 {
		return Unknown
	}
	for _, s := range signatures {
		if matches(head, s.bytes) {
			return s.kind
		}
	}
	switch {
	case strings.HasPrefix(pngSignature, string(head)):
		return PNG
	case strings.HasPrefix(jpegSignature, string(head)):
		return JPEG
	}
	text := strings.ToLower(string(bytes.TrimLeft(head, "\ufeff \t\r\n")))
	switch {
	case strings.HasPrefix(text, "<svg"):
		return SVG
	case strings.HasPrefix(text, "<?xml"):
		return XML
	case strings.HasPrefix(text, "<!doctype"), strings.HasPrefix(text, "<html"):
		return HTML
	}
	return Unknown
}

func matches(head []byte, signature string) bool {
	if len(head) < len(signature) {
		return false
	}
	for i := range len(signature) {
		if signature[i] != '?' && signature[i] != head[i] {
			return false
		}
	}
	return true
}

// IsWAVOrPath reports whether the content of audio/wav, without whitespace
// around it, is what it may be: base64 of a WAV file, or a path.
func IsWAVOrPath(text string) bool {
	// No WAV file is shorter than its header of 44 bytes.
	if !strings.HasPrefix(text, "data:") && (len(text) < 44 || strings.ContainsAny(text, `.:\~`)) {
		return true
	}
	var head [12]byte
	n, err := base64.StdEncoding.Decode(head[:], []byte(text[:min(len(text), 16)]))
	if err != nil || n < len(head) || string(head[8:]) != "WAVE" {
		return false
	}
	switch string(head[:4]) {
	case "RIFF", "RIFX", "RF64":
		return true
	}
	return false
}

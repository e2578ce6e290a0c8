package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/model/media"
)

// tiny are images of one point in base64, or the beginning of data of other kinds.
var tiny = map[media.Kind]string{
	media.PNG:  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==",
	media.JPEG: "/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=",
	media.GIF:  "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
	media.WebP: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
	media.BMP:  "Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	media.TIFF: "SUkqAAgAAAAAAAAAAAAA", media.ICO: "AAABAAEAAQEAAAEAIAAwAAAAFgAA",
	media.AVIF: "AAAAHGZ0eXBhdmlmAAAAAAAA", media.HEIC: "AAAAGGZ0eXBoZWljAAAAAAAA",
	media.SVG: "PHN2Zz48L3N2Zz4gICAg", media.XML: "PD94bWwgICAgICAgPz4g", media.HTML: "PGh0bWw+PC9odG1sPiAg", media.PDF: "JVBERi0xLjQgICAgICAg",
}

// sound is an empty WAV file in base64.
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="

// media returns what replaces the chunks of images or sounds, or nil.
func (r *redactor) media(chunks []string) []string {
	if isSound := strings.HasPrefix(chunks[0], "UklGR") && len(chunks[0]) >= 44 && media.IsWAVOrPath(strings.TrimSpace(chunks[0])) && !strings.ContainsAny(chunks[0], `.:\~`); isSound {
		return append([]string{sound}, make([]string, len(chunks)-1)...)
	}
	if signature := strings.TrimRight(chunks[0], "="); len(chunks) == 1 && len(signature) >= 11 && strings.HasPrefix(tiny[media.PNG], signature) {
		return chunks // nothing more
	}
	if media.Begins(chunks[0]) == media.Unknown {
		return nil
	}
	with := make([]string, len(chunks))
	for first := 0; first < len(chunks); {
		next := first + 1
		for next < len(chunks) && media.Begins(chunks[next]) == media.Unknown {
			next++
		}
		image := r.image(strings.Join(chunks[first:next], ""))
		for ; first < next-1 && len(image) > 12; first++ {
			with[first], image = image[:12], image[12:]
		}
		with[next-1], first = image, next
	}
	return with
}

// image returns a tiny image with the mistakes that another one has.
func (r *redactor) image(text string) string {
	image := tiny[media.Begins(text)]
	if image == "" {
		return string(replace([]byte(text), r.of(text), nil))
	}
	var s media.Scanner
	s.Reset()
	s.Add([]byte(text))
	fault, half := s.Fault(), len(image)/2&^3
	switch {
	case fault.Kind == media.Trailing:
		return image + string(replace([]byte(text[fault.At:]), r.of(text[fault.At:]), nil))
	case fault.Kind != media.Sound:
		half += fault.At % 4
		found := text[fault.At:fault.End]
		if len(found) > utf8.UTFMax {
			found = string(replace([]byte(found), nil, nil))
		}
		return image[:half] + found + image[half:]
	case s.Space().End > 0:
		return image[:half] + text[s.Space().At:s.Space().End] + image[half:]
	case s.Truncated() || s.Missing() > 0:
		return image[:half+(4-s.Missing())%4]
	}
	return image + text[len(strings.TrimRight(text, " \t\r\n")):]
}

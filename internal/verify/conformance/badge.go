package conformance

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Words and colors of badges.
const (
	badgeLabel   = "LMC conformance"
	badgePassed  = "#2e7d32"
	badgePartial = "#b26a00"
	badgeFailed  = "#b3261e"
)

// badge returns the words and the color of a badge: "core, one: 83 of 85". A checker
// is shown at level one if it ran at that level.
func (r *Report) badge() (message, color string) {
	level := suite.Must
	if slices.Contains(r.levels(), suite.One) {
		level = suite.One
	}
	n := r.At(level)
	switch {
	case n.Passed == 0:
		color = badgeFailed
	case n.Passed < n.Run():
		color = badgePartial
	default:
		color = badgePassed
	}
	return fmt.Sprintf("%s, %s: %d of %d", joinProfiles(r.Profiles), level, n.Passed, n.Run()), color
}

// joinProfiles lists profiles in words; all of them are "all".
func joinProfiles(profiles []suite.Profile) string {
	if len(profiles) == len(suite.Profiles()) {
		return "all"
	}
	words := make([]string, len(profiles))
	for i, p := range profiles {
		words[i] = string(p)
	}
	return strings.Join(words, "+")
}

// BadgeJSON is the badge as an endpoint of shields.io.
func (r *Report) BadgeJSON() ([]byte, error) {
	message, color := r.badge()
	text, err := json.Marshal(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, badgeLabel, message, color})
	if err != nil {
		return nil, fmt.Errorf("encode the badge: %w", err)
	}
	return append(text, '\n'), nil
}

// BadgeSVG is the badge as a picture. It loads nothing.
func (r *Report) BadgeSVG() []byte {
	message, color := r.badge()
	left, right := badgeWidth(badgeLabel), badgeWidth(message)
	text := func(at, width int, s string) string {
		return fmt.Sprintf(`<text x="%d" y="14" textLength="%d">%s</text>`, at+width/2, width-12, html.EscapeString(s))
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">`+
		`<title>%[2]s: %[3]s</title><rect width="%[4]d" height="20" fill="#444"/><rect x="%[4]d" width="%[5]d" height="20" fill="%[6]s"/>`+
		`<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">%[7]s%[8]s</g></svg>`+"\n",
		left+right, badgeLabel, html.EscapeString(message), left, right, color, text(0, left, badgeLabel), text(left, right, message))
}

// badgeWidth is the width of a part of a badge in pixels: about that of its text
// in Verdana, and a margin.
func badgeWidth(s string) int { return 7*utf8.RuneCountInString(s) + 12 }

package conformance

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// Words and colors of badges.
const (
	badgeLabel   = "LMC conformance"
	badgePassed  = "#2e7d32"
	badgePartial = "#b26a00"
	badgeFailed  = "#b3261e"
)

// badge returns the words and the color of a badge: "83 of 85 must".
func (r *Report) badge() (message, color string) {
	var parts []string
	var all Count
	for _, l := range r.levels() {
		n := r.At(l)
		all.Passed, all.Failed = all.Passed+n.Passed, all.Failed+n.Failed
		parts = append(parts, fmt.Sprintf("%d of %d %s", n.Passed, n.Run(), l))
	}
	switch {
	case all.Passed == 0:
		color = badgeFailed
	case all.Passed < all.Run():
		color = badgePartial
	default:
		color = badgePassed
	}
	return strings.Join(parts, ", "), color
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

package page

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/timeline"
)

// timeSteps are the distances between labels of a time axis, in milliseconds.
func timeSteps() []int64 {
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	steps := []int64{
		1, 2, 5, 10, 20, 50, 100, 200, 500, second, 2 * second, 5 * second, 10 * second, 20 * second, 30 * second,
		minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour,
	}
	for step := int64(day); step < 1e6*day; step *= 2 {
		steps = append(steps, step)
	}
	return steps
}

// duration returns a time since the start, as exact as the step between two.
func duration(ms, step int64) string {
	const second, minute, day = 1000, 60_000, 86_400_000
	switch {
	case step >= day:
		return strconv.FormatInt(ms/day, 10) + "d"
	case step < second:
		return strconv.FormatFloat(float64(ms)/second, 'f', -1, 64) + "s"
	case ms < minute:
		return strconv.FormatInt(ms/second, 10) + "s"
	}
	text := (time.Duration(ms) * time.Millisecond).String()
	if step >= minute {
		text = strings.TrimSuffix(text, "0s")
	}
	return text
}

// title says what a conversation is.
func title(c *timeline.Conversation, a *axis) string {
	text := "LMC"
	if c.Protocol != "lmc" {
		text = "Semantic Workbench"
	}
	text += " " + c.Kind + ", " + english.Plural(c.Records, "record", "")
	if c.Dialect != "" {
		text += ", dialect " + c.Dialect
	}
	if a.times != nil {
		text += ", " + (time.Duration(a.length) * time.Millisecond).String()
	}
	if c.Number >= 0 {
		text = fmt.Sprintf("conversation %d: %s", c.Number, text)
	}
	return text
}

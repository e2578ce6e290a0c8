package progress

import (
	"fmt"
	"math"
)

// Size writes a number of bytes with two digits or three, as in "1.2 GB".
func Size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	value, unit := float64(bytes)/1000, 0
	for value >= 999.5 && unit < len(units)-1 {
		value, unit = value/1000, unit+1
	}
	if value < 9.95 {
		return fmt.Sprintf("%.1f %cB", value, units[unit])
	}
	return fmt.Sprintf("%.0f %cB", value, units[unit])
}

const units = "kMGTPE"

// duration writes seconds in the largest unit of which there are two.
func duration(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", math.Ceil(seconds))
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}

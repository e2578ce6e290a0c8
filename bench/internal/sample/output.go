package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// outputLine is one line that a program prints, with its line feed.
func outputLine(rng *rand.Rand, names []string) string {
	a, b := pick(rng, names), pick(rng, names)
	n, m := rng.IntN(100000), rng.Float64()*1000
	switch rng.IntN(9) {
	case 0:
		return fmt.Sprintf("%s: %d\n", a, n)
	case 1:
		return fmt.Sprintf("%d  %-12s %10.3f\n", n%100, a, m)
	case 2:
		return fmt.Sprintf("Collecting %s>=%d.%d\n", a, n%9, n%13)
	case 3:
		return fmt.Sprintf("-rw-r--r-- 1 user user %7d Nov 20 08:%02d %s.csv\n", n, n%60, a)
	case 4:
		return fmt.Sprintf("{'%s': %d, '%s': %.2f}\n", a, n, b, m)
	case 5:
		return fmt.Sprintf("Downloading \"%s-%s.whl\"\t(%d kB) ━━━━ %d%%\n", a, b, n, n%101)
	}
	return fmt.Sprintf("%.6f\n", m)
}

// output is several such lines.
func output(rng *rand.Rand, names []string, lines int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(outputLine(rng, names))
	}
	return b.String()
}

// traceback is what a failing program prints.
func traceback(rng *rand.Rand, names []string, line int) string {
	name := pick(rng, names)
	return fmt.Sprintf("%s\nNameError                                 Traceback (most recent call last)\nCell In[2], line %d\n----> %d %s\n\nNameError: name '%s' is not defined\n",
		strings.Repeat("-", 75), line, line, name, name)
}

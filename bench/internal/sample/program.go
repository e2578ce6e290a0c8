package sample

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// language is the name of a language and lines of it, in which fill replaces '@' with
// a name, '%' with a number and '~' with a path.
type language struct {
	name  string
	lines []string
}

func languages() []language {
	list := []language{
		{"shell", []string{
			"ls -la ~", "cd ~", "pip install @ @", `echo "@: $@"`, "grep -rn '@' ~ | head -%", "for @ in *.csv; do", "  wc -l \"$@\"", "done",
			"cat ~ | sort | uniq -c | sort -rn | head -%", "mkdir -p ~", "du -sh ~ 2>/dev/null", `export @="%"`,
		}},
		{"javascript", []string{
			"const @ = require('@');", "let @ = %;", "for (let i = 0; i < %; i++) {", "  console.log(`@: ${@}`);", "}", "const @ = [%, %, %].map(x => x * %);",
			`console.log("@", @);`, "// @ of the @", "if (@ > %) {", "  return { @: %, @: \"@\" };",
		}},
		{"r", []string{
			"library(@)", `@ <- read.csv("~")`, "@ <- c(%, %, %)", "summary(@)", "print(mean(@$@))", "# @ of @", "@ <- subset(@, @ > %)",
		}},
		{"applescript", []string{
			`tell application "@"`, "  activate", "  set @ to %", "end tell", `display dialog "@"`, "set @ to (path to desktop)",
		}},
	}
	python := language{"python", []string{
		"import @", "from @ import @ as @", "@ = %", "@ = @ + %", `@ = pd.read_csv("~")`, "for @ in range(%):", "    print(f\"@: {@}\")", "print(@)",
		`print("@ of @:", @)`, "@ = [@ * % for @ in @ if @ > %]", "def @(@, @=%):", "    return @ / %", "    # @ the @", "with open('~') as f:", "    @ = f.read()",
		"if @ is None:", `    raise ValueError("@ \"@\" is not in @")`, "@ = {'@': %, '@': @}", "", "plt.plot(@, @, label='@')", "@.sort(key=lambda x: x['@'])",
	}}
	for range 9 {
		list = append(list, python)
	}
	return list
}

// program writes a number of lines, not all of them blank.
func (l language) program(rng *rand.Rand, names []string, lines int) string {
	var b strings.Builder
	for i := range lines {
		line := pick(rng, l.lines)
		if line == "" && i == 0 {
			line = l.lines[0]
		}
		fill(&b, rng, names, line)
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// fill writes a line with names, numbers and paths in their places.
func fill(b *strings.Builder, rng *rand.Rand, names []string, line string) {
	for i := range len(line) {
		switch line[i] {
		case '@':
			b.WriteString(pick(rng, names))
		case '%':
			b.WriteString(strconv.Itoa(rng.IntN(1000)))
		case '~':
			b.WriteString("/home/user/" + pick(rng, names) + "/" + pick(rng, names) + ".csv")
		default:
			b.WriteByte(line[i])
		}
	}
}

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

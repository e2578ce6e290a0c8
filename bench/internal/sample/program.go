package sample

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// language is the name of a language and lines of it; '@' stands for a name,
// '%' for a number and '~' for a path.
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

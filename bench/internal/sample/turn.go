package sample

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

var (
	assistantMessage = header{"assistant", "message", ""}
	consoleFlags     = header{"computer", "console", ""}
	consoleOutput    = header{"computer", "console", "output"}
	consoleLine      = header{"computer", "console", "active_line"}
)

// author writes turns.
type author struct {
	rng       *rand.Rand
	tongues   []tongue
	languages []language
	names     []string // of variables and files
	records   []record // of the turn being written
}

func newAuthor(rng *rand.Rand, script Script) *author {
	a := &author{rng: rng, tongues: tongues(script), languages: languages(), names: strings.Fields(english)}
	if script == Han {
		a.names = strings.Fields(han)
	}
	return a
}

func (a *author) add(r ...record) { a.records = append(a.records, r...) }

// turn writes the response to one user message. The records are valid until the
// next call.
func (a *author) turn() []record {
	a.records = a.records[:0]
	t := pick(a.rng, a.tongues)
	a.message(t.paragraph(a.rng, between(a.rng, 2, 8)))
	if a.rng.IntN(100) < 15 {
		return a.records
	}
	for range between(a.rng, 1, 3) {
		a.run(t)
	}
	a.message(t.paragraph(a.rng, between(a.rng, 1, 6)))
	return a.records
}

// run writes code and its execution.
func (a *author) run(t tongue) {
	switch n := a.rng.IntN(100); {
	case n < 2:
		a.plot()
	case n < 3:
		a.page(t)
	default:
		a.program()
	}
}

func (a *author) message(s string) { a.block(assistantMessage, s) }

// block streams a text in tokens.
func (a *author) block(h header, s string) {
	a.add(h.start())
	for _, token := range tokens(s) {
		a.add(h.content(token))
	}
	a.add(h.end())
}

// code streams a program and its confirmation, sometimes with a review before it.
func (a *author) code(language, code string) {
	a.block(header{"assistant", "code", language}, code)
	if a.rng.IntN(100) < 4 {
		a.block(header{"assistant", "review", "warning"}, "This code reads files of the user's home directory.")
	}
	a.add(confirmation(language, code))
}

// program is code that prints, line by line or all at once.
func (a *author) program() {
	l := pick(a.rng, a.languages)
	lines := between(a.rng, 1, 9)
	code := l.program(a.rng, a.names, lines)
	lines = strings.Count(code, "\n") + 1
	a.code(l.name, code)
	a.add(consoleFlags.start())
	if l.name == "python" {
		a.batches(lines)
	} else {
		a.lineByLine(lines)
	}
	a.finalLine()
}

// batches prints like a Python kernel: a line number before each batch.
func (a *author) batches(lines int) {
	line := between(a.rng, 1, lines)
	a.activeLine(line)
	switch n := a.rng.IntN(20); {
	case n == 0:
		a.print(traceback(a.rng, a.names, line))
	case n == 1: // a long run
		for range between(a.rng, 50, 400) {
			a.print(outputLine(a.rng, a.names))
		}
	case n < 5: // no output
	default:
		a.print(output(a.rng, a.names, between(a.rng, 1, 5)))
	}
}

// lineByLine prints like a shell: the rest of the marker's line first.
func (a *author) lineByLine(lines int) {
	for line := 1; line <= lines; line++ {
		a.activeLine(line)
		a.print("\n")
		for range a.rng.IntN(3) {
			a.print(outputLine(a.rng, a.names))
		}
	}
}

func (a *author) activeLine(line int) { a.add(consoleLine.literal(strconv.Itoa(line))) }

func (a *author) print(s string) { a.add(consoleOutput.content(s)) }

// finalLine ends an execution.
func (a *author) finalLine() { a.add(consoleLine.literal("null"), consoleFlags.end()) }

// plot is Python code that draws between two prints.
func (a *author) plot() {
	python := a.languages[len(a.languages)-1]
	a.code(python.name, python.program(a.rng, a.names, between(a.rng, 3, 10))+"\nplt.show()\nprint('done')")
	a.add(consoleFlags.start())
	a.activeLine(1)
	a.print(outputLine(a.rng, a.names))
	a.add(consoleFlags.end())
	image := header{"computer", "image", "base64.png"}
	a.add(image.start(), image.content(base64PNG(a.rng, between(a.rng, 1<<10, 4<<10))+"\n"), image.end())
	a.add(consoleFlags.start())
	a.activeLine(3)
	a.print("done\n")
	a.finalLine()
}

// page is HTML that the computer displays.
func (a *author) page(t tongue) {
	code := "<!DOCTYPE html>\n<html lang=\"en\">\n<body class=\"report\">\n<p>" + t.paragraph(a.rng, 2) + "</p>\n</body>\n</html>"
	a.code("html", code)
	a.add(consoleFlags.start(), consoleOutput.content("HTML being displayed on the user's machine...").to("assistant"), consoleFlags.end())
	shown := header{"computer", "code", "html"}
	a.add(shown.start(), shown.content(code).to("user"), shown.end())
	image := header{"computer", "image", "base64.png"}
	a.add(image.start(), image.content(base64PNG(a.rng, between(a.rng, 1<<10, 4<<10))).to("assistant"), image.end())
	a.add(consoleFlags.start())
	a.finalLine()
}

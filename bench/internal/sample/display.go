package sample

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

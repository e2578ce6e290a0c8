package report

import (
	"bytes"
	"io"
	"strings"
)

// CI systems take orders from the output of the programs that they run:
// "##[set-output name=x]y" to GitHub, "##vso[" to Azure, "##teamcity[", and the
// first two anywhere on a line. A recording must not give any, so that the
// second character of such a mark is written in another way.
var ciCommands = []string{"##[", "##vso[", "##teamcity["}

// inert is a writer of reports that gives no orders. The reports write whole
// lines, or a document in parts that end behind a string or a tag: no mark is
// cut in two.
type commandEscaper struct {
	out  io.Writer
	hash string // how a # is written
}

// newInert makes a writer for a format. What github writes are orders, in which
// there can be no others.
func newInert(f Format, w io.Writer) io.Writer {
	switch f {
	case FormatGitHub:
		return w
	case FormatJSON, FormatJSONL, FormatSARIF, FormatGitLab, FormatRDJSONL:
		return &commandEscaper{out: w, hash: `\u0023`}
	case FormatJUnit, FormatCheckstyle:
		return &commandEscaper{out: w, hash: "&#35;"}
	}
	return &commandEscaper{out: w, hash: visibleHash}
}

const visibleHash = "<U+0023>"

func (i *commandEscaper) Write(p []byte) (int, error) {
	text := p
	if bytes.Contains(text, []byte("##")) {
		for _, order := range ciCommands {
			text = bytes.ReplaceAll(text, []byte(order), []byte("#"+i.hash+order[2:]))
		}
	}
	if _, err := i.out.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// disarmed is a text for a terminal or a log without orders.
func escapeCommands(text string) string {
	if !strings.Contains(text, "##") {
		return text
	}
	for _, order := range ciCommands {
		text = strings.ReplaceAll(text, order, "#"+visibleHash+order[2:])
	}
	return text
}

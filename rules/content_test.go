package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/lint"
)

const (
	onePNG  = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=`
	oneJPEG = `/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z`
	onePix  = `R0lGODlhAQABAIAAAAAAAAAAACwAAAAAAQABAAACAkQBADs=` // a GIF
)

// transcript is an input of messages, one a line.
func transcript(messages ...string) string { return "[" + strings.Join(messages, ",\n") + "]\n" }

func imageAs(format, content string) string {
	return `{"role": "user", "type": "image", "format": "` + format + `", "content": "` + content + `"}`
}

// imageStream is a stream of one image block in chunks.
func imageStream(contents ...string) string {
	const head = `{"role": "computer", "type": "image", "format": "base64.png", `
	lines := []string{head + `"start": true}`}
	for _, content := range contents {
		lines = append(lines, head+`"content": "`+content+`"}`)
	}
	return strings.Join(append(lines, head+`"end": true}`), "\n") + "\n"
}

// rulesFound lints an input and returns the rules and lines found.
func rulesFound(t *testing.T, input string) []string {
	t.Helper()
	places := found(t, lint.Example{Input: input})
	for i, place := range places {
		places[i], _, _ = strings.Cut(place, ":")
	}
	return places
}

func TestImagesOfTranscripts(t *testing.T) {
	half := onePNG[:len(onePNG)/2]
	cases := map[string]struct {
		format, content string
		want            []string
	}{
		"PNG under the bare format":     {"base64", onePNG, nil},
		"JPEG under the bare format":    {"base64", oneJPEG, []string{"LMC402 1"}},
		"PNG under JPEG":                {"base64.jpeg", onePNG + `\n`, []string{"LMC402 1"}},
		"GIF under PNG":                 {"base64.png", onePix, []string{"LMC402 1"}},
		"a PNG cut short":               {"base64.png", half, []string{"LMC410 1"}},
		"a JPEG cut short":              {"base64.jpeg", oneJPEG[:100], []string{"LMC410 1"}},
		"a JPEG without its last bytes": {"base64.jpeg", oneJPEG[:len(oneJPEG)-4], []string{"LMC410 1"}},
		"a PNG cut after its signature": {"base64.png", "iVBORw0KGgo=", []string{"LMC410 1"}},
		"a cut JPEG under PNG":          {"base64.png", oneJPEG[:100], []string{"LMC402 1", "LMC410 1"}},
		"two halves with padding":       {"base64.png", half[:len(half)/4*4-2] + "==" + half, []string{"LMC403 1"}},
		"a GIF, which is not followed":  {"base64.png", onePix[:40], []string{"LMC402 1"}},
		"a PNG cut inside a group":      {"base64.png", half + "A", []string{"LMC401 1"}},
		"nothing":                       {"base64.png", "", []string{"LMC402 1"}},
		"white space":                   {"base64.png", `\n`, []string{"LMC402 1"}},
		"damage in the middle":          {"base64.png", half + "!" + half, []string{"LMC401 1"}},
		"damage and another kind":       {"base64.png", oneJPEG[:40] + "#" + oneJPEG[40:], []string{"LMC401 1"}},
		"damage after a mistaken end":   {"base64.png", onePNG + "!", []string{"LMC403 1"}},
		"two images":                    {"base64.png", onePNG + onePNG, []string{"LMC403 1"}},
		"two images without padding":    {"base64.jpeg", oneJPEG + oneJPEG, []string{"LMC403 1"}},
		"another kind with more behind": {"base64.png", oneJPEG + `\nok`, []string{"LMC402 1", "LMC403 1"}},
		"a path":                        {"base64.png", "/home/user/plot.png", []string{"LMC401 1"}},
		"an escaped slash":              {"base64.jpeg", strings.Replace(oneJPEG, "/", `\/`, 1), nil},
		"a real path":                   {"path", "/home/user/plot.png", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.ElementsMatch(t, c.want, rulesFound(t, transcript(imageAs(c.format, c.content))))
		})
	}
}

func TestImagesOfStreams(t *testing.T) {
	unpadded := strings.TrimRight(onePNG, "=")
	cases := map[string]struct {
		contents []string
		want     []string
	}{
		"one image":                       {[]string{onePNG + `\n`}, nil},
		"two images":                      {[]string{onePNG + `\n`, onePNG}, []string{"LMC404 3"}},
		"three images are one mistake":    {[]string{onePNG, onePNG, onePNG}, []string{"LMC404 3"}},
		"one image in two":                {[]string{onePNG[:33], onePNG[33:]}, []string{"LMC404 3"}},
		"one image in many":               {pieces(onePNG, 10), []string{"LMC404 3"}},
		"one image, cut in its signature": {[]string{onePNG[:5], onePNG[5:]}, []string{"LMC404 3"}},
		"damage in the second half":       {[]string{onePNG[:33], "!" + onePNG[33:]}, []string{"LMC401 3", "LMC404 3"}},
		"damage in the first half":        {[]string{onePNG[:20] + "!", onePNG[33:]}, []string{"LMC401 2", "LMC404 3"}},
		"no padding":                      {[]string{unpadded}, []string{"LMC401 2"}},
		"no padding before the next":      {[]string{unpadded, onePNG}, []string{"LMC401 2", "LMC404 3"}},
		"a short one before the next":     {[]string{onePNG[:33], onePNG}, []string{"LMC401 2", "LMC404 3"}},
		"one image without its end":       {[]string{onePNG[:32]}, []string{"LMC410 2"}},
		"two, the first without its end":  {[]string{onePNG[:32], onePNG}, []string{"LMC410 2", "LMC404 3"}},
		"two in one chunk":                {[]string{onePNG + onePNG}, []string{"LMC403 2"}},
		"an empty chunk":                  {[]string{""}, []string{"LMC208 2"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.ElementsMatch(t, c.want, rulesFound(t, imageStream(c.contents...)))
		})
	}
}

// pieces cuts a text into pieces of n bytes.
func pieces(text string, n int) []string {
	var cut []string
	for ; len(text) > n; text = text[n:] {
		cut = append(cut, text[:n])
	}
	return append(cut, text)
}

func TestEscapes(t *testing.T) {
	const message = `{"role": "user", "type": "message", "content": "`
	for content, want := range map[string][]string{
		`\u001b[31mred\u001b[0m`:          {"LMC407 1:50"},
		`red \u001b]0;title\u0007`:        {"LMC407 1:54"},
		`cut off \u001b`:                  {"LMC407 1:58"},
		`\u009b31mred`:                    {"LMC407 1:50"},
		`\u009b and \u009b1;2mred`:        {"LMC407 1:61"},
		`badly decoded: \u00c5\u009bwiat`: {},
		`\\u001b[31m`:                     {},
	} {
		assert.Equal(t, want, found(t, lint.Example{Input: transcript(message + content + `"}`)}), content)
	}
}

func TestEscapesAreToldOfOncePerBlock(t *testing.T) {
	block := `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "\u001b[31mred"}
{"role": "assistant", "type": "message", "content": "\u001b[0m"}
{"role": "assistant", "type": "message", "end": true}
`
	assert.Equal(t, []string{"LMC407 2", "LMC407 6"}, rulesFound(t, block+block))
}

func TestAudio(t *testing.T) {
	const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
	for content, want := range map[string][]string{
		wav:                            {},
		wav + `\n`:                     {},
		"RklSU1Q" + wav:                {"LMC405 1"},
		"data:audio/wav;base64," + wav: {"LMC405 1"},
		wav[:40]:                       {},
		"~/Library/Recordings/a long path without any ending at all": {},
		"/home/user/recordings/2024-11-20/question-one.wav":          {},
	} {
		message := `{"role": "user", "type": "audio", "format": "wav", "content": "` + content + `"}`
		if len(want) == 0 {
			want = []string{"LMC508 1"} // any other audio
		}
		assert.Equal(t, want, rulesFound(t, transcript(message)), content)
	}
}

func TestReviewTags(t *testing.T) {
	for content, want := range map[string]bool{
		"> fine":            true,
		"fine </":           true,
		"fine </warn":       true,
		"fine </warning>":   true,
		"fine warning>":     true,
		`fine </warning>\n`: true,
		"a <b> is fine":     false,
		"a warning":         false,
		"a > b":             false,
		"</safe> is safe":   false,
	} {
		const head = `{"role": "assistant", "type": "review", "format": "warning", `
		input := head + `"start": true}` + "\n" + head + `"content": "` + content + `"}` + "\n" + head + `"end": true}` + "\n"
		assert.Equal(t, want, len(rulesFound(t, input)) == 1, content)
	}
}

func TestTranscriptOrder(t *testing.T) {
	const (
		user    = `{"role": "user", "type": "message", "content": "Hi"}`
		code    = `{"role": "assistant", "type": "code", "format": "python", "content": "print(1)"}`
		blank   = `{"role": "assistant", "type": "code", "format": "python", "content": " "}`
		note    = `{"role": "assistant", "type": "code", "format": "Text", "content": "1"}`
		output  = `{"role": "computer", "type": "console", "format": "output", "content": "1"}`
		plot    = `{"role": "computer", "type": "image", "format": "base64.png", "content": "` + onePNG + `"}`
		system  = `{"role": "system", "type": "message", "content": "Be brief."}`
		strange = `{"role": "assistant", "type": "cod", "content": "print(1)"}`
		bad     = `{"role": "assistant", "type": code}`
		flag    = `{"role": "assistant", "type": "code", "format": "python", "start": true}`
		line    = `{"role": "computer", "type": "console", "format": "active_line", "content": 1}`
		command = `{"role": "user", "type": "command", "content": "go"}`
	)
	cases := map[string]struct {
		messages []string
		want     []string
	}{
		"code and output":                    {[]string{user, code, output, output}, nil},
		"code and a plot":                    {[]string{user, code, plot}, nil},
		"no code, twice":                     {[]string{user, output, user, output}, []string{"LMC503 2", "LMC503 4"}},
		"no code, in a row":                  {[]string{user, output, output}, []string{"LMC503 2"}},
		"code after the output":              {[]string{user, output, code, output}, []string{"LMC503 2"}},
		"what may have been code":            {[]string{user, strange, output}, []string{"LMC104 2"}},
		"what cannot be read":                {[]string{user, bad, output}, []string{"LMC001 2"}},
		"the start of code":                  {[]string{user, flag, output}, []string{"LMC501 2"}},
		"code, then a user":                  {[]string{code, user}, []string{"LMC504 1"}},
		"code, then code":                    {[]string{code, code, output}, []string{"LMC504 1"}},
		"code at the end":                    {[]string{user, code}, []string{"LMC504 2"}},
		"a note, then a user":                {[]string{note, user}, nil},
		"code, then what cannot be read":     {[]string{code, bad, user}, []string{"LMC001 2"}},
		"code, then a line, then its output": {[]string{code, line, output}, []string{"LMC502 2"}},
		"code, then go, then its output":     {[]string{code, command, output}, []string{"LMC507 2"}},
		"code, then a system message":        {[]string{user, code, system, output}, []string{"LMC506 3"}},
		"blank code at the end":              {[]string{user, blank}, []string{"LMC505 2"}},
		"a system message behind a command":  {[]string{command, system}, []string{"LMC507 1", "LMC506 2"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.ElementsMatch(t, c.want, rulesFound(t, transcript(c.messages...)))
		})
	}
}

func TestACutStreamExplainsATruncatedImage(t *testing.T) {
	cut := imageStream(onePNG[:32])
	lines := strings.SplitAfter(cut, "\n")
	assert.Equal(t, []string{"LMC203 2"}, rulesFound(t, lines[0]+lines[1]))
	assert.Equal(t, []string{"LMC202 3"}, rulesFound(t, lines[0]+lines[1]+imageStream(onePNG)))
}

func TestPathsAndData(t *testing.T) {
	for content, want := range map[string][]string{
		"data:image/png;base64," + onePNG:   {"LMC411 1"},
		onePNG:                              {"LMC411 1"},
		onePNG[:20]:                         {"LMC411 1"},
		oneJPEG + `\n`:                      {"LMC411 1"},
		strings.Repeat("QUJD", 20) + "QQ==": {"LMC411 1"},
		strings.Repeat("/QUJD", 20):         {},
		"QUJD":                              {},
		"database/plot":                     {},
		"/9j/plot.jpg":                      {},
	} {
		assert.Equal(t, want, rulesFound(t, transcript(imageAs("path", content))), content)
	}
}

func TestLeakedMarkers(t *testing.T) {
	const code = `{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}`
	for content, want := range map[string][]string{
		`##active_line3##`:                      {"LMC412 2:73"},
		`a ##active_line##\n##active_line12##b`: {"LMC412 2:92"},
		`##active_line3`:                        {},
		`##active_line3#`:                       {},
		`print('##active_line3##')\n`:           {},
		`print(\"##active_line3##\")`:           {},
		`'##active_line1##'\n##active_line1##`:  {"LMC412 2:93"},
	} {
		output := `{"role": "computer", "type": "console", "format": "output", "content": "` + content + `"}`
		assert.Equal(t, want, found(t, lint.Example{Input: transcript(code, output)}), content)
	}
}

// The lines before a marker are skipped together.
func TestAMarkerAfterARunOfOutput(t *testing.T) {
	line := `{"role": "computer", "type": "console", "format": "output", "content": "a line\n"}` + "\n"
	input := `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
` + strings.Repeat(line, 50) + strings.Replace(line, "a line", "##active_line1##", 1) + strings.Repeat(line, 5) +
		`{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
	assert.Equal(t, []string{"LMC412 56"}, rulesFound(t, input))
}

func TestUserToUserIsReportedOncePerBlock(t *testing.T) {
	block := `{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "Hi", "recipient": "user"}
{"role": "user", "type": "message", "content": " there", "recipient": "user"}
{"role": "user", "type": "message", "end": true}
`
	assert.Equal(t, []string{"LMC122 2", "LMC122 6"}, rulesFound(t, block+block))
}

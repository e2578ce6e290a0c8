package rules_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everything writes out all that a run says, findings and result.
func everything(linter *lint.Linter, r io.Reader) string {
	var out strings.Builder
	result, err := linter.Run(context.Background(), "in", r, func(f lint.Finding) error {
		fmt.Fprintf(&out, "%s %s %q %q %+v %d\n", f.Rule.ID, f.Severity, f.Message, f.Help, f.Place, f.Conversation)
		for _, related := range f.Related {
			fmt.Fprintf(&out, "  %q %+v\n", related.Message, related.Place)
		}
		return nil
	})
	result.RulesRun, result.RulesOff = nil, nil // copies of rules have other addresses
	fmt.Fprintf(&out, "%+v %v\n", result, err)
	return out.String()
}

// lanes are two linters that must have the same findings: one reads every record,
// the other matches templates.
type lanes struct{ slow, fast *lint.Linter }

func newLanes(config lint.Config, options ...lint.Option) lanes {
	options = append(options, lint.WithConfig(config))
	return lanes{
		slow: linttest.MustNew(rules.All(), append(options, lint.WithoutFastPath())...),
		fast: linttest.MustNew(rules.All(), options...),
	}
}

// agree checks that an input gives the same findings in both lanes, byte for
// byte.
func (l lanes) agree(t *testing.T, data []byte) {
	t.Helper()
	require.Equal(t, everything(l.slow, bytes.NewReader(data)), everything(l.fast, bytes.NewReader(data)))
}

// agreeInParts is agree for an input that arrives in parts.
func (l lanes) agreeInParts(t *testing.T, data []byte) {
	t.Helper()
	want := everything(l.slow, bytes.NewReader(data))
	for name, reader := range map[string]io.Reader{
		"byte by byte":   iotest.OneByteReader(bytes.NewReader(data)),
		"half by half":   iotest.HalfReader(bytes.NewReader(data)),
		"error with end": iotest.DataErrReader(bytes.NewReader(data)),
		"compressed":     bytes.NewReader(compressed(t, data)),
	} {
		require.Equal(t, want, everything(l.fast, reader), name)
	}
}

// compressed returns data as gzip has it, if it is not compressed already.
func compressed(t *testing.T, data []byte) []byte {
	t.Helper()
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) || bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")) {
		return data
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestFastPathMatchesSlowPathOnSuite(t *testing.T) {
	t.Parallel()
	detect, named := newLanes(lint.Config{}), newLanes(lint.Config{Dialect: "interpreter", Kind: "stream"})
	var paths []string
	err := filepath.WalkDir(suiteRoot, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, suite.ExpectationExt) && !strings.HasSuffix(path, ".md") && d.Name() != suite.ManifestName {
			paths = append(paths, path)
		}
		return err
	})
	require.NoError(t, err)
	inParts := exhaustive.Sample(paths, 40)
	for _, path := range exhaustive.Sample(paths, 250) {
		t.Run(strings.TrimPrefix(path, suiteRoot+"/"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			detect.agree(t, data)
			// In the second copy every record may match a template.
			named.agree(t, append(bytes.Clone(data), data...))
			if len(data) < 10_000 && slices.Contains(inParts, path) {
				detect.agreeInParts(t, data)
			}
		})
	}
}

// FuzzLanes mixes lines of real and broken streams: mix says which lines, in
// which order, and which byte of each is damaged.
func FuzzLanes(f *testing.F) {
	var lines [][]byte
	for _, name := range []string{
		"recorded/v0.4.2/py_html_last.chunks.jsonl", "recorded/v0.4.2/several_blocks.chunks.jsonl",
		"recorded/v0.4.2/review_warning.chunks.jsonl", "recorded/v0.4.2/unicode_ansi.chunks.jsonl",
		"recorded/v0.4.2/py_two_images.chunks.jsonl", "recorded/v0.1.17/html.chunks.jsonl",
	} {
		data, err := os.ReadFile(filepath.Join(suiteRoot, name))
		require.NoError(f, err)
		lines = append(lines, bytes.SplitAfter(data, []byte{'\n'})...)
	}
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x00\x01\x02\x03"), uint16(0))
	f.Add(make([]byte, 200), uint16(0))
	f.Add([]byte("\x10\x11\x12\x13\x10\x11\x12\x13\x20\x21"), uint16(77))
	detect, named := newLanes(lint.Config{Kind: "stream"}), newLanes(lint.Config{Dialect: "interpreter", Kind: "stream"})
	f.Fuzz(func(t *testing.T, mix []byte, seed uint16) {
		var input []byte
		at := int(seed)
		for _, b := range mix[:min(len(mix), 200)] {
			at += int(int8(b))
			if b&0x40 == 0 {
				at++
			}
			line := bytes.Clone(lines[((at%len(lines))+len(lines))%len(lines)])
			if b > 0xF0 && len(line) > 0 {
				line[int(seed)*int(b)%len(line)] ^= b & 0x1F
			}
			input = append(input, line...)
		}
		detect.agree(t, input)
		named.agree(t, input)
		named.agreeInParts(t, input)
	})
}

// What an input holds before the records that a template is made of, or between them,
// decides what is found in those after.
func TestLanesAgreeOnWhatChangesLater(t *testing.T) {
	const (
		flag    = `{"role": "user", "type": "message", "start": true}` + "\n"
		hello   = flag + `{"role": "user", "type": "message", "content": "Hi"}` + "\n" + `{"role": "user", "type": "message", "end": true}` + "\n"
		records = `{"role": "user", "type": "message", "start": true}, {"role": "user", "type": "message", "content": "Hi"}`
		whole   = `{"id": 1, "messages": [` + records + `, {"role": "user", "type": "message", "end": true}]}` + "\n"
		problem = `{"id": 1, "id": 2, "messages": [` + records + "]}\n"
		output  = `{"role": "computer", "type": "console", "format": "output", "content": `
		turn    = `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
		complete = `{"role": "server", "type": "status", "content": "complete"}` + "\n" + turn + turn + turn
	)
	stream := lint.Config{Dialect: "interpreter", Kind: "stream"}
	for name, c := range map[string]struct {
		input   string
		config  lint.Config
		rule    string
		isFound bool
	}{
		"a server after a turn":             {turn + complete, lint.Config{}, "LMC301", false},
		"a server after 1,700 turns":        {strings.Repeat(turn, 1_700) + complete, lint.Config{}, "LMC301", true},
		"a torn record":                     {hello + hello + hello[:90] + "\n" + hello + "garbage\n" + hello, stream, "LMC001", true},
		"a problem before the conversation": {problem + whole + problem, stream, "LMC203", true},
		"a block with a wrong start":        {flag + output + `"12"}` + "\n" + flag + output + "null}\n" + flag, stream, "LMC203", true},
	} {
		t.Run(name, func(t *testing.T) {
			both := newLanes(c.config)
			for range 2 { // the second input begins with the templates of the first
				both.agree(t, []byte(c.input))
			}
			assert.Equal(t, c.isFound, strings.Contains(everything(both.fast, strings.NewReader(c.input)), c.rule))
		})
	}
}

// Lines of one layout are followed all at once, as long as none means
// something of its own.
func TestFastPathMatchesSlowPathOnRuns(t *testing.T) {
	both := newLanes(lint.Config{Dialect: "interpreter", Kind: "stream"})
	runs := map[string][]string{
		"words":        {"Hello", ", ", "world", "!", "Hello", ", ", "world", "!"},
		"doubled":      {"Hello, world!", "Hello", ", ", "world", "!"},
		"nearly so":    {"Hello, world!", "Hello", ", ", "world", "?"},
		"escapes":      {`\u00fc`, `a\nb`, `\"`, "a longer text than others", `\ud83c\udf89`, "ü"},
		"not plain":    {"a", "b", `\u001b[0m`, "c", "d", `\ud83c`, "e", "f", "\x9b", "g"},
		"one is empty": {"a", "b", "", "c", "d"},
		"blank":        {" ", "  ", "\\n", " "},
		"refusal":      {"", "`cobol` disabled or not supported.", " ", "x", "y"},
		"review tag":   {"<pass", "/>", "<pass/>", "text", "and more"},
	}
	kinds := []string{
		`"role": "assistant", "type": "message"`, `"role": "assistant", "type": "code", "format": "python"`,
		`"role": "assistant", "type": "review", "format": "pass"`, `"role": "computer", "type": "console", "format": "output"`,
		`"role": "computer", "type": "image", "format": "base64.png"`, `"role": "computer", "type": "code", "format": "html"`,
	}
	for name, texts := range runs {
		for _, end := range []string{"\n", "\r\n"} {
			for _, kind := range kinds {
				block := "{" + kind + `, "start": true}` + end
				for _, text := range texts {
					block += "{" + kind + `, "content": "` + text + `"}` + end
				}
				final := `{"role": "computer", "type": "console", "format": "active_line", "content": null}` + end
				whole := block + "{" + kind + `, "end": true}` + end
				for _, input := range []string{whole + whole, whole + block, whole + final + block, block + final + block, whole + kind} {
					t.Run(name, func(t *testing.T) { both.agree(t, []byte(input)) })
				}
			}
		}
	}
}

// A long stream is skimmed by two goroutines; mistakes stop both at once.
func TestLanesAgreeOnALongStream(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(suiteRoot, "recorded", "v0.4.2", "*.chunks.jsonl"))
	require.NoError(t, err)
	var lines [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines = append(lines, bytes.SplitAfter(data, []byte{'\n'})...)
	}
	both := newLanes(lint.Config{Dialect: "interpreter", Kind: "stream"})
	for _, every := range exhaustive.Sample([]int{7, 100, 1_000, 8 * len(lines)}, 2) {
		var input []byte
		for i, line := range slices.Repeat(lines, 8) {
			if i%every != every-1 {
				input = append(input, line...)
			}
		}
		require.Greater(t, len(input), 1_200_000)
		both.agree(t, input)
	}
}

// What is switched off changes nothing about what else is found, in either lane.
func TestLanesAgreeOnSomeRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(suiteRoot, "*", "bad", "lmc[0-4]*.jsonl"))
	require.NoError(t, err)
	var input []byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		if len(data) < 10_000 {
			input = append(append(input, data...), '\n')
		}
	}
	input = append(input, input...)
	for _, off := range exhaustive.Sample([]string{"shape", "LMC2", "execution", "all"}, 2) {
		selection, err := rules.Catalog().Resolve(lint.Layer{Ignore: []lint.Selector{{Text: off}}})
		require.NoError(t, err)
		config := lint.Config{Dialect: "interpreter", Kind: "stream"}
		all := everything(newLanes(config).slow, bytes.NewReader(input))
		both := newLanes(config, lint.WithSelection(selection))
		both.agree(t, input)
		for line := range strings.Lines(everything(both.fast, bytes.NewReader(input))) {
			if strings.HasPrefix(line, "LMC") {
				require.Contains(t, all, line)
			}
		}
	}
}

// A record that is as large as one may be is recognised, and a larger one is
// not, in any form.
func TestLanesAgreeOnTheLimit(t *testing.T) {
	chunk := `{"role": "assistant", "type": "message", "content": "%s"}`
	flag := `{"role": "assistant", "type": "message", "%s": true}`
	var chunks []string
	for size := range 40 {
		chunks = append(chunks, fmt.Sprintf(chunk, strings.Repeat("a", size%7+size%3*10)))
	}
	stream := append(append([]string{fmt.Sprintf(flag, "start")}, chunks...), fmt.Sprintf(flag, "end"))
	for form, input := range map[string]string{
		"lines":  strings.Join(stream, "\n") + "\n",
		"array":  "[" + strings.Join(chunks, ",\n") + "]",
		"events": "data: " + strings.Join(stream, "\n\ndata: ") + "\n\n",
	} {
		for limit := len(chunk) - 1; limit < len(chunk)+30; limit += 2 {
			options := lint.WithConfig(lint.Config{MaxRecordBytes: int64(limit)})
			l := lanes{slow: linttest.MustNew(rules.All(), options, lint.WithoutFastPath()), fast: linttest.MustNew(rules.All(), options)}
			t.Run(fmt.Sprintf("%s of %d bytes", form, limit), func(t *testing.T) { l.agreeInParts(t, []byte(input)) })
		}
	}
}

// bigPNG is a PNG of chunks of so many bytes, as far as anybody follows it.
func bigPNG(random *rand.Rand, sizes ...int) []byte {
	image := []byte("\x89PNG\r\n\x1a\n")
	for _, size := range sizes {
		image = binary.BigEndian.AppendUint32(image, uint32(size))
		image = append(append(image, "IDAT"...), noise(random, size+4, 256)...)
	}
	return append(image, "\x00\x00\x00\x00IEND\xae\x42\x60\x82"...)
}

// bigJPEG is a JPEG of so many bytes of pixels.
func bigJPEG(random *rand.Rand, size int) []byte {
	image := append([]byte("\xff\xd8\xff\xe0\x00\x06abcd\xff\xda\x00\x02"), noise(random, size, 255)...)
	for i := 200; i+1 < size; i += 700 {
		image[i], image[i+1] = 0xFF, 0
	}
	return append(image, "\xff\xd9"...)
}

func noise(random *rand.Rand, size, below int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(random.IntN(below))
	}
	return data
}

// Both paths have the same findings in images, valid and damaged.
func TestFastPathMatchesSlowPathOnImages(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var list []string
	images := 96
	if !exhaustive.Enabled() {
		images = 24
	}
	for i := range images {
		format, data := "base64.png", bigPNG(random, random.IntN(100_000), 10, random.IntN(30_000))
		if i%3 == 0 {
			format, data = "base64.jpeg", bigJPEG(random, 1000+random.IntN(150_000))
		}
		text := base64.StdEncoding.EncodeToString(data)
		list = append(list, fmt.Sprintf(`{"role": "user", "type": "image", "format": "%s", "content": "%s"}`, format, damaged(random, text, i)))
	}
	both := newLanes(lint.Config{Dialect: "interpreter"})
	transcript := "[" + strings.Join(list, ",\n") + "]"
	both.agree(t, []byte(transcript))
	both.agree(t, []byte(strings.Join(list, "\n")+"\n"))
}

// damaged makes a mistake of one of many kinds in every second image.
func damaged(random *rand.Rand, text string, kind int) string {
	at := random.IntN(len(text))
	switch kind % 24 {
	case 1:
		return text[:at] + "*" + text[at:]
	case 3:
		return text[:at] + "-" + text[at+1:]
	case 5:
		return text[:at] + `\n` + text[at:]
	case 7:
		return strings.TrimRight(text, "=") + "="
	case 9:
		return text + text
	case 11:
		return text + `\nafter plot\n`
	case 13:
		return text[:at]
	case 15:
		return text[:at] + `\u0041` + text[at+1:]
	case 17:
		return text[:at] + "ä" + text[at:]
	case 19:
		return text[:at] + "=" + text[at:]
	case 21:
		return text + `\n`
	case 23:
		return "data:image/png;base64," + text
	}
	return text
}

// Both lanes find the same in streams whose members come in an order of their
// own in every record, sound ones and others.
func TestLanesAgreeOnShuffledMembers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	lanes := newLanes(lint.Config{})
	for _, name := range []string{
		"recorded/v0.4.2/py_html_last.chunks.jsonl", "recorded/v0.4.2/several_blocks.chunks.jsonl",
		"recorded/v0.4.2/review_warning.chunks.jsonl", "recorded/v0.4.2/py_two_images.chunks.jsonl", "recorded/v0.1.17/html.chunks.jsonl",
	} {
		data, err := os.ReadFile(filepath.Join(suiteRoot, name))
		require.NoError(t, err)
		for _, wrong := range []int{0, 20} {
			var records []string
			for range 6 {
				for line := range bytes.Lines(data) {
					records = append(records, shuffled(t, rng, line, wrong > 0 && rng.IntN(wrong) == 0))
				}
			}
			for form, text := range map[string]string{
				"lines": strings.Join(records, "\n") + "\n", "CRLF": strings.Join(records, "\r\n") + "\r\n",
				"list": "[" + strings.Join(records, ", ") + "]", "events": "data: " + strings.Join(records, "\n\ndata: ") + "\n\n",
				"Python": strings.NewReplacer("true", "True", "null", "None").Replace(strings.Join(records, "\n")) + "\n",
			} {
				t.Run(fmt.Sprint(filepath.Base(name), " ", form, " ", wrong), func(t *testing.T) {
					lanes.agree(t, []byte(text))
					if wrong > 0 {
						lanes.agreeInParts(t, []byte(text))
					}
				})
			}
		}
	}
}

// shuffled writes a record with its members in any order, and one of them left
// out if it is to be wrong.
func shuffled(t *testing.T, rng *rand.Rand, record []byte, wrong bool) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(record, &members))
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		if value[0] == '{' {
			value = json.RawMessage(shuffled(t, rng, value, false))
		}
		parts = append(parts, fmt.Sprintf("%q: %s", name, value))
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if wrong {
		parts = parts[1:]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

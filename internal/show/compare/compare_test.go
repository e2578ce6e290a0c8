package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// The linters make recordings: of LMC, and of any protocol. No rule runs.
var (
	linter    = linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Protocol: "lmc", AllowEmpty: true}), lint.WithSelection(noRules()), lint.WithObserver(compare.Observe))
	anyLinter = linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{AllowEmpty: true}), lint.WithSelection(noRules()), lint.WithObserver(compare.Observe))
)

func noRules() *lint.Selection {
	none, err := rules.Catalog().Resolve(lint.Layer{Levels: []lint.SeverityOverride{{Selector: lint.Selector{Text: "all"}}}})
	if err != nil {
		panic(err)
	}
	return none
}

func read(t testing.TB, text []byte) *compare.Recording {
	t.Helper()
	result, err := linter.Run(context.Background(), "in", bytes.NewReader(text), func(lint.Finding) error { return nil })
	require.NoError(t, err)
	recording := compare.Of(result)
	require.NotNil(t, recording)
	return recording
}

func differences(t testing.TB, a, b []byte, o compare.Options) []compare.Difference {
	t.Helper()
	return compare.Compare(read(t, a), read(t, b), o).Differences
}

func recordings(t testing.TB) []*mutation.Recording {
	t.Helper()
	list, err := mutationtest.Load(os.DirFS("../../../testdata/recorded"))
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

func TestARecordingEqualsItself(t *testing.T) {
	for _, r := range recordings(t) {
		assert.Empty(t, differences(t, r.Data(), r.Data(), compare.Options{}), r.Name)
	}
}

// The lines of a log before its first record are not a conversation.
func TestLinesWithoutARecordAreNoConversation(t *testing.T) {
	stream := `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	log := "INFO: begins\nchunk: " + strings.ReplaceAll(strings.TrimSpace(stream), "\n", "\nchunk: ") + "\nINFO: ends\n"
	list := `INFO: collected {"chunks": [` + strings.ReplaceAll(strings.TrimSpace(stream), "\n", ", ") + "]}\nINFO: ends\n"
	for _, text := range []string{log, list} {
		assert.Empty(t, differences(t, []byte(text), []byte(stream), compare.Options{}), text)
		assert.Empty(t, differences(t, []byte(stream), []byte(text), compare.Options{}), text)
	}
}

// A value that is not a record is compared as a value, however it is written.
func TestValuesThatAreNoRecordsAreEqualInEachForm(t *testing.T) {
	const start, end = `{"role": "assistant", "type": "message", "start": true}`, `{"role": "assistant", "type": "message", "end": true}`
	python := strings.NewReplacer(`"`, `'`, "true", "True")
	for _, odd := range []string{`[1, {"a": "b"}]`, `"text"`, `true`, `{"role": "assistant", "type": "message", "content": "a", "content": "b"}`} {
		written := start + "\n" + odd + "\n" + end + "\n"
		assert.Empty(t, differences(t, []byte(written), []byte(python.Replace(written)), compare.Options{}), odd)
		other := strings.NewReplacer("a", "c", `"text"`, `"tent"`, `true`, `false`).Replace(odd)
		assert.NotEmpty(t, differences(t, []byte(written), []byte(start+"\n"+other+"\n"+end+"\n"), compare.Options{}), odd)
	}
}

// Foreign values that the linter only counts are compared one by one.
func TestEachValueThatIsNoRecordCounts(t *testing.T) {
	text := func(count int) []byte {
		return []byte(`{"role": "user", "type": "message", "content": "Hi"}` + "\n" + strings.Repeat("1\n", count))
	}
	assert.Len(t, differences(t, text(200), text(201), compare.Options{}), 1)
}

// Each record counts as one of a block, or as one that is not compared.
func TestNoRecordIsLost(t *testing.T) {
	count := func(name string, data []byte) {
		recording := read(t, data)
		records := recording.Skipped
		for _, b := range recording.Blocks {
			records += b.Records
		}
		assert.Equal(t, recording.Records, records, name)
	}
	for _, r := range exhaustive.Sample(recordings(t), 16) {
		count(r.Name, r.Data())
		for _, kind := range mutation.Kinds() {
			if m := kind.Seed(r, 0); m != nil {
				count(kind.Name+" in "+r.Name, m.Data)
			}
		}
	}
}

// Without its content, a recording equals one that says something else.
func TestOptions(t *testing.T) {
	image := func(data string) []byte {
		return []byte(`[{"role": "assistant", "type": "message", "content": "a"}, {"role": "computer", "type": "image", "format": "base64.png", "content": "` + data + `"}]`)
	}
	text, other := transcript("one", "two"), transcript("one", "three")
	assert.Len(t, differences(t, text, other, compare.Options{}), 1)
	assert.Len(t, differences(t, text, other, compare.Options{IgnoreImages: true}), 1)
	assert.Empty(t, differences(t, text, other, compare.Options{IgnoreContent: true}))
	assert.Len(t, differences(t, text, transcript("one"), compare.Options{IgnoreContent: true}), 1)
	assert.Len(t, differences(t, image("iVBORw0KGgo="), image("iVBORw0KGgoA"), compare.Options{}), 1)
	assert.Empty(t, differences(t, image("iVBORw0KGgo="), image("iVBORw0KGgoA"), compare.Options{IgnoreImages: true}))
	assert.Len(t, differences(t, image("iVBORw0KGgo="), []byte(`[{"role": "assistant", "type": "message", "content": "a"}]`), compare.Options{IgnoreImages: true}), 1)
}

// rechunk divides the texts of a stream into other chunks: it joins some chunks,
// and splits others at any code point.
func rechunk(t *testing.T, dice *rand.Rand, data []byte) []byte {
	t.Helper()
	var records []map[string]any
	for line := range bytes.Lines(data) {
		var r map[string]any
		require.NoError(t, json.Unmarshal(line, &r))
		records = append(records, r)
	}
	signature := func(r map[string]any) string {
		s, _ := json.Marshal([]any{r["role"], r["type"], r["format"], r["recipient"]})
		return string(s)
	}
	isText := func(r map[string]any) bool {
		_, ok := r["content"].(string)
		return ok && r["start"] == nil && r["end"] == nil && r["stop"] == nil && r["format"] != "active_line"
	}
	var out bytes.Buffer
	write := func(r map[string]any) {
		line, err := json.Marshal(r)
		require.NoError(t, err)
		out.Write(append(line, '\n'))
	}
	for i := 0; i < len(records); i++ {
		r := records[i]
		if !isText(r) || r["type"] == "image" {
			write(r)
			continue
		}
		for dice.IntN(2) == 0 && i+1 < len(records) && isText(records[i+1]) && signature(records[i+1]) == signature(r) {
			i++
			r["content"] = r["content"].(string) + records[i]["content"].(string)
		}
		runes := []rune(r["content"].(string))
		for len(runes) > 1 && dice.IntN(3) == 0 {
			cut := 1 + dice.IntN(len(runes)-1)
			r["content"] = string(runes[:cut])
			write(r)
			runes = runes[cut:]
		}
		r["content"] = string(runes)
		write(r)
	}
	return out.Bytes()
}

func TestChunksDoNotCount(t *testing.T) {
	changed := 0
	for _, r := range recordings(t) {
		if r.Transcript {
			continue
		}
		dice := rand.New(rand.NewPCG(1, uint64(len(r.Data()))))
		again := rechunk(t, dice, r.Data())
		if bytes.Count(again, []byte{'\n'}) != bytes.Count(r.Data(), []byte{'\n'}) {
			changed++
		}
		assert.Empty(t, differences(t, r.Data(), again, compare.Options{}), r.Name)
	}
	assert.Greater(t, changed, 50)
}

// A mistake is a difference, whether or not it changes what Open Interpreter
// stores. Only a byte order mark, an empty chunk and null for a recipient change no block.
func TestMistakesAreDifferences(t *testing.T) {
	found, all := 0, 0
	for _, r := range exhaustive.Sample(recordings(t), 16) {
		stored, original := mutationtest.Transcript(t, r, r.Data()), read(t, r.Data())
		for _, kind := range mutation.Kinds() {
			m := kind.Seed(r, 0)
			if m == nil {
				continue
			}
			all++
			recording := read(t, m.Data)
			differs := len(compare.Compare(original, recording, compare.Options{}).Differences) > 0
			if differs {
				found++
				continue
			}
			assert.Contains(t, []string{"byte order mark at the start", "comment", "empty chunk", "unknown recipient on content"}, kind.Name, r.Name)
			assert.Equal(t, stored, mutationtest.Transcript(t, r, m.Data), "%s in %s", kind.Name, r.Name)
		}
	}
	assert.Greater(t, found, all*9/10)
}

// Of interleaved blocks, the one that is open remains equal. The content of the other
// one is a block, which its end belongs to.
func TestInterleavedBlocks(t *testing.T) {
	const message, code = `{"role": "assistant", "type": "message", `, `{"role": "assistant", "type": "code", "format": "python", `
	text := func(records ...string) []byte { return []byte(strings.Join(records, "}\n") + "}\n") }
	a := text(message+`"start": true`, message+`"content": "Hello "`, message+`"content": "you"`, message+`"end": true`,
		code+`"start": true`, code+`"content": "print"`, code+`"content": "(1)"`, code+`"end": true`)
	b := text(message+`"start": true`, message+`"content": "Hello "`, code+`"start": true`, code+`"content": "print"`,
		message+`"content": "you"`, code+`"content": "(1)"`, message+`"end": true`, code+`"end": true`)
	found := compare.Compare(read(t, a), read(t, b), compare.Options{})
	assert.Equal(t, 1, found.Equal)
	require.Equal(t, []string{"changed Hello you Hello ", "added - you"}, changesOf(found.Differences))
	assert.Equal(t, "end", found.Differences[1].B.Flags)
}

// The comparison of swapped recordings is the mirrored one.
func TestSwappedRecordingsAreMirrored(t *testing.T) {
	list := exhaustive.Sample(recordings(t), 16)
	mirror := func(a, b *compare.Recording, name string) {
		forth, back := compare.Compare(a, b, compare.Options{}), compare.Compare(b, a, compare.Options{})
		assert.Equal(t, forth.Equal, back.Equal, name)
		assert.ElementsMatch(t, signatures(forth.Differences, false), signatures(back.Differences, true), name)
		assert.ElementsMatch(t, signatures(forth.Explained, false), signatures(back.Explained, true), name)
	}
	for i, r := range list {
		a := read(t, r.Data())
		other := list[(i+1)%len(list)]
		mirror(a, read(t, other.Data()), r.Name+" and "+other.Name)
		for k, kind := range mutation.Kinds() {
			if (i+k)%7 != 0 {
				continue
			}
			if m := kind.Seed(r, 0); m != nil {
				mirror(a, read(t, m.Data), kind.Name+" in "+r.Name)
			}
		}
	}
}

// signatures returns differences in a form that can be compared, mirrored if they
// are those of swapped recordings.
func signatures(list []compare.Difference, mirrored bool) (all []string) {
	for _, d := range list {
		change, a, b := d.Change, d.A, d.B
		if mirrored {
			a, b = b, a
			switch change {
			case compare.Removed:
				change = compare.Added
			case compare.Added:
				change = compare.Removed
			}
		}
		all = append(all, strings.Join([]string{string(change), where(a), where(b), string(d.Reason)}, " "))
	}
	return all
}

func where(b *compare.Entry) string {
	if b == nil {
		return "-"
	}
	return b.Name() + "@" + string(rune('0'+b.Place.Record%10)) + b.Place.Pointer
}

// A stream equals the transcript of its conversation, but for what is known to
// differ.
func TestStreamsEqualTheirTranscripts(t *testing.T) {
	compared := 0
	byName := map[string]*mutation.Recording{}
	for _, r := range recordings(t) {
		byName[r.Name] = r
	}
	for name, stream := range byName {
		base, ok := strings.CutSuffix(name, ".chunks.jsonl")
		stored := byName[base+".messages.json"]
		if !ok || stored == nil {
			continue
		}
		compared++
		for _, d := range differences(t, stream.Data(), stored.Data(), compare.Options{}) {
			if !slices.Contains(knownDifferences, base[strings.LastIndexByte(base, '/')+1:]) {
				t.Errorf("%s: %s %s", name, d.Change, where(d.A)+where(d.B))
			}
		}
	}
	assert.Greater(t, compared, 20)
}

// knownDifferences are recordings whose transcripts have messages that were not
// streamed.
var knownDifferences = []string{"app_as_computer", "list_with_images", "collected_alias"}

// A block differs in the fields that differ.
func TestFields(t *testing.T) {
	message := func(more string) []byte {
		return []byte(`[{"role": "computer", "type": "console", "format": "output", "content": "a"` + more + "}]")
	}
	stream := func(chunks ...string) []byte {
		return []byte(`{"role": "assistant", "type": "message", "format": "reasoning", "start": true}` + "\n" + strings.Join(chunks, "\n") + "\n" +
			`{"role": "assistant", "type": "message", "format": "reasoning", "end": true}` + "\n")
	}
	reasoning := func(text, more string) string {
		return fmt.Sprintf(`{"role": "assistant", "type": "message", "format": "reasoning", "content": %q%s}`, text, more)
	}
	altered := func(text []byte, from, to string) []byte { return bytes.Replace(text, []byte(from), []byte(to), 1) }
	for _, test := range []struct {
		name string
		a, b []byte
		want []compare.Field
	}{
		{"a recipient", message(""), message(`, "recipient": "user"`), []compare.Field{compare.FieldRecipient}},
		{"another key", message(""), message(`, "mine": 1`), []compare.Field{compare.FieldKeys}},
		{"a format", message(""), altered(message(""), `"output"`, `"html"`), []compare.Field{compare.FieldFormat}},
		{"a flag", stream(reasoning("a", "")), altered(stream(reasoning("a", "")), "true", "1"), []compare.Field{compare.FieldFlags}},
		{"replaced reasoning", stream(reasoning("a", ""), reasoning("b", `, "replace": true`)), stream(reasoning("b", `, "replace": true`)), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []compare.Field
			for _, d := range differences(t, test.a, test.b, compare.Options{}) {
				assert.Equal(t, compare.Changed, d.Change)
				got = append(got, d.Fields...)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

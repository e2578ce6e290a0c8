package job

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dividing is a tracker of a part that is divided while it is checked, as an
// engine does it to give work to another worker.
type dividing struct {
	*offsetrange.Tracker
	random  *rand.Rand
	waiting *[]offsetrange.Restriction // parts to check
}

// TryClaim claims a position, after what follows may have been divided off.
func (d *dividing) TryClaim(position any) bool {
	if d.random.IntN(40) == 0 {
		if _, rest, err := d.TrySplit(d.random.Float64()); err == nil && rest != nil {
			*d.waiting = append(*d.waiting, rest.(offsetrange.Restriction))
		}
	}
	return d.Tracker.TryClaim(position)
}

// TestParts checks that the parts of an input have the findings and the counts
// of the input, wherever an engine divides it.
func TestParts(t *testing.T) {
	config, err := ReadConfig(nil, true)
	require.NoError(t, err)
	fn := &checkFn{Config: config, Shards: 1}
	require.NoError(t, fn.Setup())
	plan := &planFn{Config: config, Part: 16 << 10, Lanes: 1}
	require.NoError(t, plan.Setup())
	for seed := range uint64(8) {
		text := archive(t, 60_000, seed)
		path := filepath.Join(t.TempDir(), "conversations.jsonl")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		var want []string
		whole, err := fn.whole(t.Context(), path, func(text []byte) { want = slices.AppendSeq(want, strings.Lines(string(text))) }, nil)
		require.NoError(t, err)

		head, err := plan.head(t.Context(), Piece{Path: path, Size: int64(len(text))})
		require.NoError(t, err)
		require.NotNil(t, head)
		p := partsOf(t, fn, head, int64(len(text)), rand.New(rand.NewPCG(seed, 9)))
		require.Greater(t, len(p.outcomes), 3)
		got, joined := p.join()
		slices.Sort(want)
		slices.Sort(got)
		assert.Equal(t, want, got)
		assert.Equal(t, bytes.Count(text, []byte{'\n'}), joined.Lines)
		joined.Lines, joined.Conversations = 0, 0
		slices.SortFunc(whole.Rules, byRule)
		slices.SortFunc(joined.Rules, byRule)
		assert.Equal(t, whole, joined)
	}
}

func byRule(a, b RuleCount) int { return strings.Compare(a.Rule+a.Severity, b.Rule+b.Severity) }

// parts is the result of parts of an input.
type parts struct {
	path     string
	outcomes []Outcome
	texts    map[string][][]byte
}

// partsOf checks an input of a size in parts that begin at random.
func partsOf(t *testing.T, fn *checkFn, head *Piece, size int64, random *rand.Rand) *parts {
	t.Helper()
	p := &parts{path: head.Path, texts: map[string][][]byte{}}
	middle := head.Head + 1 + random.Int64N(size-head.Head-1)
	for waiting := []offsetrange.Restriction{{End: middle}, {Start: middle, End: size}}; len(waiting) > 0; {
		r := waiting[0]
		waiting = waiting[1:]
		piece := *head
		piece.Start, piece.End = r.Start, size
		rt := sdf.NewLockRTracker(&dividing{offsetrange.NewTracker(r), random, &waiting})
		outcome, err := fn.part(context.Background(), rt, &piece, func(text []byte) {
			key := piece.key(r.Start)
			p.texts[key] = append(p.texts[key], text)
		})
		require.NoError(t, err)
		require.True(t, rt.IsDone())
		p.outcomes = append(p.outcomes, outcome)
	}
	return p
}

// join returns the findings of the input and its outcome.
func (p *parts) join() (lines []string, whole Outcome) {
	bases := map[string]Base{}
	joinFn{}.ProcessElement(p.path, each(p.outcomes), func(part string, b Base) { bases[part] = b }, func(o Outcome) { whole = o })
	for key, texts := range p.texts {
		var base []Base
		if b, ok := bases[key]; ok {
			base = []Base{b}
		}
		(&relocateFn{Shards: 1}).ProcessElement(key, each(texts), each(base), func(_ int, text []byte) {
			lines = slices.AppendSeq(lines, strings.Lines(string(text)))
		})
	}
	return lines, whole
}

// each returns values as an engine passes them.
func each[T any](values []T) func(*T) bool {
	return func(v *T) bool {
		if len(values) == 0 {
			return false
		}
		*v, values = values[0], values[1:]
		return true
	}
}

// TestPartFails checks that nothing after a part that cannot be read counts.
func TestPartFails(t *testing.T) {
	p := &parts{path: "x", texts: map[string][][]byte{}, outcomes: []Outcome{
		{Path: "x", Start: 20, Lines: 2, Records: 1},
		{Path: "x", Start: 10, Lines: 3, Records: 4, Failure: "unreadable"},
		{Path: "x", Lines: 5, Records: 2},
	}}
	piece := Piece{Path: "x"}
	for start, line := range map[int64]string{0: `{"line":5}`, 10: `{"line":1}`, 20: `{"line":2}`} {
		p.texts[piece.key(start)] = [][]byte{[]byte(line + "\n")}
	}
	lines, whole := p.join()
	slices.Sort(lines)
	assert.Equal(t, []string{`{"line":5}` + "\n", `{"line":6}` + "\n"}, lines)
	assert.Equal(t, Outcome{Path: "x", Lines: 8, Records: 6, Failure: "unreadable"}, whole)
}

// TestNotInParts checks which inputs are not divided.
func TestNotInParts(t *testing.T) {
	config, err := ReadConfig(nil, true)
	require.NoError(t, err)
	plan := &planFn{Config: config, Part: 16 << 10, Lanes: 1}
	require.NoError(t, plan.Setup())
	text := archive(t, 60_000, 1)
	list := "[" + strings.Repeat(`{"role":"user","type":"message","content":"x"},`+"\n", 2000)
	for name, text := range map[string][]byte{
		"stream":          bytes.Repeat([]byte(`{"role":"user","type":"message","content":"x"}`+"\n"), 2000),
		"one list":        []byte(list + `{"role":"user","type":"message","content":"x"}]`),
		"gzip":            gzipped(t, text),
		"carriage return": bytes.ReplaceAll(text, []byte("\n"), []byte("\r")),
		"long first line": append([]byte(`[{"role":"user","type":"message","content":"`), bytes.Repeat([]byte("x"), 50_000)...),
		"binary":          bytes.Repeat([]byte{0, '\n'}, 30_000),
		"workbench":       bytes.Repeat([]byte(`{"messages": [{"id": "1", "sender": {"participant_role": "user", "participant_id": "1"}, "message_type": "chat", "timestamp": "2026-07-01T00:00:00Z", "content": "x", "content_type": "text/plain", "filenames": [], "metadata": {}}]}`+"\n"), 200),
	} {
		path := filepath.Join(t.TempDir(), "input")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		head, err := plan.head(t.Context(), Piece{Path: path, Size: int64(len(text))})
		require.NoError(t, err, name)
		assert.Nil(t, head, name)
	}
}

// TestShift checks that places move, and texts do not.
func TestShift(t *testing.T) {
	const finding = `{"rule":"LMC001","message":"\"line\":1, \\\"line\":2","path":"a\"line\":3","conversation":4,"line":5,"column":6,"endLine":7,"endColumn":8,` +
		`"offset":9,"endOffset":10,"record":11,"pointer":"/line\":12","related":[{"message":"\"offset\":1","line":13,"offset":14}],` +
		`"fix":{"safe":true,"edits":[{"line":15,"endLine":16,"offset":17,"endOffset":18,"text":"\"line\":"}]}}`
	const want = `{"rule":"LMC001","message":"\"line\":1, \\\"line\":2","path":"a\"line\":3","conversation":24,"line":105,"column":6,"endLine":107,"endColumn":8,` +
		`"offset":1009,"endOffset":1010,"record":11,"pointer":"/line\":12","related":[{"message":"\"offset\":1","line":113,"offset":1014}],` +
		`"fix":{"safe":true,"edits":[{"line":115,"endLine":116,"offset":1017,"endOffset":1018,"text":"\"line\":"}]}}`
	move := shift{lines: 100, conversations: 20, offset: 1000}
	assert.Equal(t, []byte(want), move.apply([]byte(finding)))
	back := shift{lines: -100, conversations: -20, offset: -1000}
	assert.Equal(t, []byte(finding), back.apply([]byte(want)))
}

package lint_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// words is a protocol of records {"word": …}: every word is an event.
type words struct{}

const said plugin.Mask = 1

func (words) Name() string { return "words" }

func (words) Sniff(first []*source.Record, _ source.Form, _ plugin.Config, final bool) plugin.Detection {
	for _, r := range first {
		if r.Root.Member("word") != nil {
			return plugin.Detection{Kind: "transcript"}
		}
	}
	if final && len(first) > 0 {
		return plugin.Detection{LooksLike: "it has no words"}
	}
	if final {
		return plugin.Detection{Kind: "transcript"}
	}
	return plugin.Detection{}
}

func (words) Prepare(config plugin.Config) (plugin.NewSession, error) {
	if config.Dialect == "bad" {
		return nil, errors.New("unknown dialect")
	}
	return func(_ string, emit plugin.Emit) plugin.Session {
		return &wordSession{dialect: config.Dialect, emit: emit}
	}, nil
}

type wordSession struct {
	dialect string
	emit    plugin.Emit
	count   int
}

func (s *wordSession) State() any                { return s }
func (s *wordSession) Dialect() (string, string) { return s.dialect, s.dialect }

func (*wordSession) Outcome(string) (none plugin.Outcome) { return none }
func (*wordSession) FastPath() plugin.FastPath            { return nil }

func (s *wordSession) Step(r *source.Record) {
	s.count++
	s.emit(said, r)
}
func (s *wordSession) Finish() {}

func (words) MeaningOf(*source.Node) source.Meaning { return source.Foreign }

var protocol plugin.Protocol = words{}

// noting reports every record whose word is one of some.
func noting(id string, severity lint.Severity, some ...string) *lint.Rule {
	return &lint.Rule{
		ID: id, Severity: severity, Severities: []lint.SeverityCase{{Severity: lint.SeverityError, Dialect: "strict"}},
		Inputs: lint.Transcripts, Protocol: protocol,
		New: func(p *lint.Pass) []lint.Hook {
			return []lint.Hook{{On: said, Do: func(event any) {
				r := event.(*source.Record)
				word := r.Root.Member("word").Text()
				for _, s := range some {
					if s == word {
						p.Report(lint.Finding{Place: r.Place(), Message: word})
					}
				}
			}}}
		},
	}
}

func run(t *testing.T, linter *lint.Linter, input string) ([]string, lint.Result, error) {
	t.Helper()
	var got []string
	result, err := linter.Run(context.Background(), "in", strings.NewReader(input), func(f lint.Finding) error {
		got = append(got, fmt.Sprintf("%s:%d %s %s %s %d", f.Path, f.Place.Span.Start.Line, f.Severity, f.Rule.ID, f.Message, f.Conversation))
		return nil
	})
	return got, result, err
}

const hello = `{"word": "hello"}
{"word": "world"}
`

func TestFindingsComeInOrder(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W2", lint.SeverityNote, "hello"), noting("W1", lint.SeverityWarning, "hello", "world")})
	got, result, err := run(t, linter, hello)
	require.NoError(t, err)
	assert.Equal(t, []string{"in:1 warning W1 hello -1", "in:1 note W2 hello -1", "in:2 warning W1 world -1"}, got)
	assert.Len(t, result.RulesRun, 2)
	result.RulesRun = nil
	assert.Equal(t, lint.Result{
		Path: "in", Protocol: "words", Kind: "transcript", Form: "jsonl", Records: 2, Warnings: 2, Notes: 1, WarningPlaces: 2, NotePlaces: 1,
	}, result)
	assert.Equal(t, 3, result.Findings())
}

func TestSeverityFollowsTheDialect(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello")}, lint.WithConfig(lint.Config{Dialect: "strict"}))
	got, _, err := run(t, linter, hello)
	require.NoError(t, err)
	assert.Equal(t, []string{"in:1 error W1 hello -1"}, got)
}

func TestRulesOfOtherKindsDoNotRun(t *testing.T) {
	rule := noting("W1", lint.SeverityNote, "hello")
	rule.Inputs = lint.Streams
	got, _, err := run(t, linttest.MustNew([]*lint.Rule{rule}), hello)
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestConversationsAreIndependent(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello")})
	got, result, err := run(t, linter, `[{"word": "hello"}]`+"\n"+`[{"word": "you"}, {"word": "hello"}]`+"\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"in:1 note W1 hello 0", "in:2 note W1 hello 1"}, got)
	assert.Equal(t, 3, result.Records)
	assert.Equal(t, 2, result.Conversations)
}

func TestUnknownInputIsAnError(t *testing.T) {
	_, _, err := run(t, linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote)}), `{"text": "hello"}`)
	var unknown *lint.UnknownInputError
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, "it has no words", unknown.Looks)
}

func TestNewRejectsWrongOptions(t *testing.T) {
	some := []*lint.Rule{noting("W1", lint.SeverityNote)}
	for _, c := range []struct {
		rules  []*lint.Rule
		option lint.Option
		want   string
	}{
		{nil, lint.WithConfig(lint.Config{}), "no rule has a protocol"},
		{some, lint.WithConfig(lint.Config{Dialect: "bad"}), "unknown dialect"},
		{some, lint.WithConfig(lint.Config{Protocol: "letters"}), `unknown protocol "letters", expected one of ["words"]`},
		{some, lint.WithConfig(lint.Config{Form: "yaml"}), `unknown form "yaml"`},
		{some, lint.WithConfig(lint.Config{MaxRecordBytes: -1}), "limit -1 is negative, expected 0 for the default or more"},
	} {
		linter, err := lint.New(c.rules, c.option)
		require.ErrorContains(t, err, c.want)
		assert.Nil(t, linter)
	}
}

func TestPanicKeepsFindings(t *testing.T) {
	broken := noting("W9", lint.SeverityNote)
	broken.New = func(*lint.Pass) []lint.Hook {
		return []lint.Hook{{On: said, Do: func(event any) {
			if event.(*source.Record).Index == 1 {
				panic("out of words")
			}
		}}}
	}
	got, _, err := run(t, linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world"), broken}), hello)
	assert.Equal(t, []string{"in:1 note W1 hello -1", "in:2 note W1 world -1"}, got)
	var caught *lint.PanicError
	require.ErrorAs(t, err, &caught)
	assert.Equal(t, "W9", caught.Rule)
	assert.EqualError(t, err, "internal error in rule W9: out of words")
	assert.NotEmpty(t, caught.Stack)
}

func TestReadErrorKeepsFindings(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world")})
	broken := io.MultiReader(strings.NewReader(hello), iotest.ErrReader(errors.New("disk on fire")))
	var got []string
	_, err := linter.Run(context.Background(), "in", broken, func(f lint.Finding) error {
		got = append(got, f.Message)
		return nil
	})
	require.ErrorContains(t, err, "disk on fire")
	assert.Equal(t, []string{"hello", "world"}, got)
}

func TestCancelledContextEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote)}).Run(ctx, "in", strings.NewReader(hello), nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestEmitErrorEndsTheRun(t *testing.T) {
	full := errors.New("disk full")
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world")})
	calls := 0
	_, err := linter.Run(context.Background(), "in", strings.NewReader(hello), func(lint.Finding) error {
		calls++
		return full
	})
	require.ErrorIs(t, err, full)
	assert.Equal(t, 1, calls)
}

func TestLintStopsWithItsConsumer(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello", "world")})
	calls := 0
	for f, err := range linter.Lint(context.Background(), "in", strings.NewReader(hello)) {
		require.NoError(t, err)
		assert.Equal(t, "hello", f.Message)
		calls++
		break
	}
	assert.Equal(t, 1, calls)
}

func TestSeverityText(t *testing.T) {
	for _, s := range lint.Severities() {
		text, err := s.MarshalText()
		require.NoError(t, err)
		var back lint.Severity
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, s, back)
	}
	_, err := lint.ParseSeverity("fatal")
	require.EqualError(t, err, `unknown severity "fatal", expected error, warning or note`)
}

func TestProgressCountsRecords(t *testing.T) {
	total := 0
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote)}, lint.WithProgress(func(records int) { total += records }))
	_, result, err := run(t, linter, hello+"{}\n")
	require.NoError(t, err)
	assert.Equal(t, 3, total)
	assert.Equal(t, 3, result.Records)
}

// A fix that changes later records is whole when its finding is emitted.
func TestEmittedFixesDoNotChange(t *testing.T) {
	rule := noting("W1", lint.SeverityNote)
	rule.New = func(p *lint.Pass) []lint.Hook {
		fix := &lint.Fix{}
		return []lint.Hook{{On: said, Do: func(event any) {
			if len(fix.Edits) == 0 {
				p.Report(lint.Finding{Place: event.(*source.Record).Place(), Message: "x", Fix: fix})
			}
			fix.Edits = append(fix.Edits, lint.Edit{})
		}}}
	}
	linter := linttest.MustNew([]*lint.Rule{rule}, lint.WithFixes())
	broken := io.MultiReader(strings.NewReader(hello), iotest.ErrReader(errors.New("disk on fire")))
	for name, input := range map[string]io.Reader{"whole": strings.NewReader(hello), "broken": broken} {
		var edits []int
		_, err := linter.Run(t.Context(), "in", input, func(f lint.Finding) error {
			edits = append(edits, len(f.Fix.Edits))
			return nil
		})
		assert.Equal(t, name == "broken", err != nil)
		assert.Equal(t, []int{2}, edits, name)
	}
}

// A finding without a fix is emitted with its record, also with fixes: an input may have one for each byte or two.
func TestFindingsWithoutFixAreNotKept(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote, "hello")}, lint.WithFixes())
	cut := errors.New("enough")
	reached, err := linter.Run(t.Context(), "in", strings.NewReader(strings.Repeat(hello, 10_000)), func(lint.Finding) error { return cut })
	require.ErrorIs(t, err, cut)
	assert.Less(t, reached.Records, 10)
}

// What was checked goes on in whole lines, however they arrive, and never back. The name of
// an event goes on with its data.
func TestCheckedReader(t *testing.T) {
	linter := linttest.MustNew([]*lint.Rule{noting("W1", lint.SeverityNote)}, lint.WithConfig(lint.Config{Protocol: "words", Kind: "transcript", Immediate: true}))
	for name, c := range map[string]struct {
		lines []string
		want  []int // of the offsets after each line, how many lines the consumer has
	}{
		"lines":  {[]string{`{"word": "a"}`, "", "# c", "{", `"word": "b"`, "}", `{"word": "c"}`}, []int{1, 2, 3, 3, 3, 6, 7}},
		"mark":   {[]string{"\ufeff", `{"word": "a"}`}, []int{0, 2}},
		"events": {[]string{`data: {"word": "a"}`, "", ": ping", "event: x", "id: 1", `data: {"word": "b"}`, ""}, []int{1, 2, 3, 3, 3, 6, 7}},
	} {
		for _, size := range []int{0, 1, 5} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				src := &checkedReader{size: size, lines: map[int][]int{}}
				for _, line := range c.lines {
					src.text += line + "\n"
				}
				_, err := linter.Run(t.Context(), "x", src, func(lint.Finding) error { return nil })
				require.NoError(t, err)
				require.True(t, slices.IsSorted(src.checked), src.checked)
				for i, lines := range src.lines {
					if i > 0 {
						require.Equal(t, c.want[i-1:i], slices.Compact(lines), "after line %d", i)
					}
				}
			})
		}
	}
}

// checkedReader returns a line at a time, or so many bytes.
type checkedReader struct {
	text       string
	size, read int
	checked    []int64       // arguments of Checked
	lines      map[int][]int // lines checked before each Read, by lines read; not after a record without its line feed
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if !strings.HasSuffix(c.text[:c.read], "}") {
		read, checked := strings.Count(c.text[:c.read], "\n"), 0
		if n := len(c.checked); n > 0 {
			checked = strings.Count(c.text[:c.checked[n-1]], "\n")
		}
		c.lines[read] = append(c.lines[read], checked)
	}
	rest := c.text[c.read:]
	if rest == "" {
		return 0, io.EOF
	}
	size := strings.IndexByte(rest, '\n') + 1
	if c.size > 0 {
		size = min(size, c.size)
	}
	n := copy(p, rest[:size])
	c.read += n
	return n, nil
}

func (c *checkedReader) Checked(end int64) { c.checked = append(c.checked, end) }

package apply_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// fixTable is what TestGeneratedFixes finds, for people to read.
const fixTable = "../../../testdata/fixes.md"

// minRestored is the share of the kinds of mistakes with a safe fix, in percent,
// whose fixes must give back the transcript of the valid recording.
const minRestored = 95

// A safe fix of an inserted mistake gives back the transcript of the healthy
// recording, and never another one than that or the mutant's. Read the difference
// of the table before you commit it.
func TestGeneratedFixes(t *testing.T) {
	recordings, err := mutationtest.Load(os.DirFS("../../../testdata/recorded"))
	require.NoError(t, err)
	if !generated.Wanted() {
		recordings = exhaustive.Sample(recordings, 15)
	}
	linters := map[lint.Config]*lint.Linter{} // complete after the next loop
	healthy := make([]fixed, len(recordings))
	for i, r := range recordings {
		healthy[i] = fixBoth(t, linterOf(linters, r), r.Data())
		healthy[i].afterSafe = transcript(t, r, healthy[i].safe.Text)
		healthy[i].after = transcript(t, r, healthy[i].unsafe.Text)
	}
	scores := make([]score, len(mutation.Kinds()))
	mutationtest.EachKind(t, func(t *testing.T, number int, kind mutation.Kind) {
		s := &scores[number]
		s.kind = kind.Name
		for i, r := range recordings {
			if m := kind.Seed(r, 0); m != nil {
				s.count(t, linterOf(linters, r), r, m, healthy[i])
			}
		}
	})
	withFix, restored := 0, 0
	for _, s := range scores {
		if s.safe > 0 {
			withFix++
			if s.restored == s.safe {
				restored++
			}
		}
	}
	require.NotZero(t, withFix)
	assert.GreaterOrEqual(t, 100*restored, minRestored*withFix, "%d of %d kinds are restored", restored, withFix)
	if !generated.Wanted() {
		return
	}
	generated.File(t, fixTable, fixReport(scores, withFix, restored, len(recordings)))
}

// No fix, safe or unsafe, adds a finding to a valid recording, or to one with a
// mistake.
func TestFixesAddNoFinding(t *testing.T) {
	recordings, err := mutationtest.Load(os.DirFS("../../../testdata/recorded"))
	require.NoError(t, err)
	count := 200
	if exhaustive.Enabled() {
		count = 5000
	}
	kinds, fixing, checking := mutation.Kinds(), map[lint.Config]*lint.Linter{}, map[lint.Config]*lint.Linter{}
	random := rand.New(rand.NewPCG(1, 2))
	check := func(r *mutation.Recording, data []byte) {
		config := lint.Config{Dialect: r.Dialect, AutoRun: r.AutoRun, AllowEmpty: true}
		if checking[config] == nil {
			checking[config] = linttest.MustNew(rules.All(), lint.WithConfig(config))
		}
		now := fixBoth(t, linterOf(fixing, r), data)
		mustNotAdd(t, checking[config], r.Name, data, now.safe.Text, false)
		mustNotAdd(t, checking[config], r.Name, data, now.unsafe.Text, true)
	}
	for _, r := range exhaustive.Sample(recordings, 20) {
		check(r, r.Data())
	}
	for done := 0; done < count; {
		r := recordings[random.IntN(len(recordings))]
		m := kinds[random.IntN(len(kinds))].Seed(r, random.Uint64())
		if m == nil {
			continue
		}
		done++
		check(r, m.Data)
	}
}

func linterOf(linters map[lint.Config]*lint.Linter, r *mutation.Recording) *lint.Linter {
	config := lint.Config{Dialect: r.Dialect, AutoRun: r.AutoRun, AllowEmpty: true}
	if linters[config] == nil {
		linters[config] = linttest.MustNew(rules.All(), lint.WithConfig(config), lint.WithFixes())
	}
	return linters[config]
}

// score counts what became of the mutants of a kind.
type score struct {
	kind     string
	mutants  int
	safe     int // a safe fix changed it
	restored int // of these, those with the transcript of the valid recording
	unsafe   int // only unsafe fixes changed it
	guessed  int // of these, those with the transcript of the valid recording
}

// fixed is what the fixes of an input give. Only those of a valid recording
// have the transcripts.
type fixed struct {
	safe, unsafe     *apply.Result
	afterSafe, after []string // the transcripts, with safe and with all fixes
}

func fixBoth(t *testing.T, linter *lint.Linter, data []byte) fixed {
	t.Helper()
	f := fixed{safe: mend(t, linter, string(data), false)}
	f.unsafe = f.safe
	if f.safe.Summary.FixableUnsafely > 0 {
		f.unsafe = mend(t, linter, string(data), true)
	}
	return f
}

// count counts a mutant. What can be fixed in the valid recording, such as the
// spelling of a language, does not count.
func (s *score) count(t *testing.T, linter *lint.Linter, r *mutation.Recording, m *mutation.Mutant, healthy fixed) {
	s.mutants++
	now := fixBoth(t, linter, m.Data)
	switch {
	case now.safe.Count() > healthy.safe.Count():
		s.safe++
		after := transcript(t, r, now.safe.Text)
		if slices.Equal(after, healthy.afterSafe) {
			s.restored++
			return
		}
		if testing.Verbose() {
			t.Logf("%s in %s: %v fixed, %v left", s.kind, r.Name, now.safe.Fixed, ids(now.safe.Left))
		}
		before := transcript(t, r, m.Data)
		assert.Equal(t, before, after, "%s in %s: the fixes of %v changed the transcript", s.kind, r.Name, fixedIDs(now.safe))
	case now.unsafe.Count() > healthy.unsafe.Count():
		s.unsafe++
		if slices.Equal(transcript(t, r, now.unsafe.Text), healthy.after) {
			s.guessed++
		}
	}
}

func fixedIDs(r *apply.Result) (ids []string) {
	for rule := range r.Fixed {
		ids = append(ids, rule.ID)
	}
	return ids
}

// transcript returns the messages that the interpreter stores of a stream, or
// those of a transcript, with their keys in order.
func transcript(t *testing.T, r *mutation.Recording, data []byte) []string {
	t.Helper()
	messages := mutationtest.Transcript(t, r, data)
	for i := range messages {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(messages[i]), &m))
		if m["format"] == "base64" {
			m["format"] = "base64.png" // both are PNG
		}
		sorted, err := json.Marshal(m)
		require.NoError(t, err)
		messages[i] = string(sorted)
	}
	return messages
}

func fixReport(scores []score, withFix, restored, recordings int) []byte {
	var rows, out bytes.Buffer
	total := score{}
	for _, s := range scores {
		total.mutants += s.mutants
		total.safe += s.safe
		total.restored += s.restored
		total.unsafe += s.unsafe
		total.guessed += s.guessed
		if s.safe+s.unsafe > 0 {
			fmt.Fprintf(&rows, "| %s | %d | %s | %s | %s | %s |\n", s.kind, s.mutants,
				number(s.safe), share(s.restored, s.safe), number(s.unsafe), share(s.guessed, s.unsafe))
		}
	}
	fmt.Fprintf(&out, "# Fixed mistakes\n\nThe mistakes of [mutations.md](mutations.md), one of each of %d kinds in each of %d valid recordings: %d mutants, each fixed by\n`lmclint fix`. A mutant is restored if Open Interpreter stores the same messages as for the valid recording.\n\n", len(scores), recordings, total.mutants)
	fmt.Fprintf(&out, "With a safe fix: %d mutants, of which %d (%s) are restored; all mutants of %d of %d kinds (%s). With an unsafe fix only: %d mutants, of which\n%d (%s) are restored.\n",
		total.safe, total.restored, share(total.restored, total.safe), restored, withFix, share(restored, withFix), total.unsafe, total.guessed, share(total.guessed, total.unsafe))
	out.WriteString("\nGenerated by `go generate ./...`; `go test ./internal/change/apply -run TestGeneratedFixes -v` names the mutants that are not restored.\n\n")
	out.WriteString("| mistake | mutants | safely fixed | restored | fixed with --unsafe only | restored |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	out.Write(rows.Bytes())
	return out.Bytes()
}

// number writes a count, and nothing for none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// share never rounds up to 100 %, nor down to 0 %.
func share(part, whole int) string {
	switch {
	case whole == 0:
		return ""
	case part == whole:
		return "100 %"
	case part == 0:
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", min(max(100*float64(part)/float64(whole), 0.1), 99.9))
}

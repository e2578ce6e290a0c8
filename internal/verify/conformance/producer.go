package conformance

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// streamed returns the messages of a transcript that a stream has: all but the
// user's, whose code would be lacking before its output. Unfit is why a producer cannot be asked for it, "" if it can.
func streamed(transcript []byte) (messages []message, unfit string) {
	all, err := readMessages(transcript)
	if err != nil {
		return nil, err.Error()
	}
	for _, m := range all {
		switch {
		case m.Role == "user" && m.Type != "code":
			continue
		case !isStreamed(m):
			return nil, "no stream has " + m.describe()
		}
		messages = append(messages, m)
	}
	return messages, ""
}

// isStreamed reports whether each stream may have a message: one of the assistant
// or the computer, of a type that all dialects know.
func isStreamed(m message) bool {
	return slices.Contains([]any{"assistant", "computer"}, m.Role) &&
		slices.Contains([]any{"message", "code", "console", "image"}, m.Type) && (m.Type != "image" || m.Format != "path" && m.Format != "description")
}

// judgeProducer checks the stream of a producer, and assembles it again.
func (r *Runner) judgeProducer(ctx context.Context, c *suite.Case, want []message, a answer) (verdict, error) {
	v := verdict{shown: []string{makesStreams}}
	empty := len(bytes.TrimSpace(a.stdout)) == 0
	switch {
	case a.fault != "":
		v.fail(makesStreams, "%s", a.fault)
		return v, nil
	case a.status != 0:
		v.fail(makesStreams, "crashes: exit status %d", a.status)
		return v, nil
	case empty && len(required(want)) > 0:
		v.fail(makesStreams, "no answer on standard output")
		return v, nil
	case empty:
		return v, nil
	}
	found, err := r.Reference.Check(ctx, c.Detected.Dialect, c.Options.AutoRun, a.stdout)
	if err != nil {
		v.fail(makesStreams, "the answer is not a stream of LMC: %v", err)
		return v, nil
	}
	clean := true
	for _, f := range found {
		level, requirement := r.levelInAnswer(c, f)
		v.add(level, mistake{text: "the stream is not clean: " + describeExpected(f), requirements: []string{requirement}})
		clean = clean && !r.Level.Includes(level)
	}
	if !clean {
		return v, nil
	}
	transcript, _, err := r.Reference.Assemble(ctx, c.Detected.Dialect, c.Options.AutoRun, a.stdout)
	if err != nil {
		return v, fmt.Errorf("assemble: %w", err)
	}
	got, err := readMessages(transcript)
	if err != nil {
		return v, fmt.Errorf("assemble: %w", err)
	}
	if d := difference(want, got); d != "" {
		v.fail(makesStreams, "assembled again, %s", d)
	}
	return v, nil
}

// levelInAnswer returns the level at which a finding in the stream of a producer counts,
// and the requirement. A recording may have a repeated confirmation or lack a final line,
// because its consumer stopped it, a producer may not, unless its transcript has the same.
func (r *Runner) levelInAnswer(c *suite.Case, f suite.Finding) (suite.Level, string) {
	isFinalLine := slices.ContainsFunc(r.Manifest.Requirements, func(q suite.Requirement) bool {
		return q.ID == finalLine && slices.Contains(q.Rules, f.Rule)
	})
	isOfTranscript := slices.ContainsFunc(c.Findings, func(e suite.Finding) bool { return e.Rule == f.Rule })
	switch {
	case isFinalLine || f.Level == suite.Should && !isOfTranscript:
		return suite.Must, executesOnce
	default:
		return f.Level, makesStreams
	}
}

package conformance

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// streamed returns the messages of a transcript that a stream has: all but the
// user's. Unfit is why a producer cannot be asked for it, "" if it can.
func streamed(transcript []byte) (messages []message, unfit string) {
	all, err := readMessages(transcript)
	if err != nil {
		return nil, err.Error()
	}
	for _, m := range all {
		switch {
		case m.Role == "user":
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
		v.add(f.Level, mistake{text: "the stream is not clean: " + describeExpected(f), requirements: []string{makesStreams}})
		clean = clean && !r.Level.Includes(f.Level)
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

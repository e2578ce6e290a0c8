package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/rules"
)

// hostileContents are what a content is made of, as JSON: each may make a rule, a
// reader or a fix look at the whole content for each part of it.
var hostileContents = []string{
	`\u001b`, `\u001b[31m`, "\u009b31m", `##active_line1##`, `\n`, `\"`, `\\`, `\ud800`, `\u0000`, "漢", "{", "[", "{'", "`py` ", " ", "</",
	`iVBORw0KGgo=`, "A", "// ", "# ",
}

// The work for a finding and its fix is proportional to the input. It is the number
// of statements that the program executes: when the content doubles, so may what is
// executed for it; if it grows by more than three times, the work is quadratic.
//
// It builds the program anew to count them, which takes longer than all other tests: it
// is one of the exhaustive tests, for which CI has the time. They try each rule with a
// few of the contents, others for each, so that each content meets several rules.
func TestWorkIsLinear(t *testing.T) {
	if !exhaustive.Enabled() {
		t.Skip("set " + exhaustive.Variable + " to run it")
	}
	const (
		bytes = 6 << 10
		most  = 3.0     // times as much
		noise = 500_000 // statements: buffers grow in steps; a loop for each byte over all others takes 36 million
	)
	program := countingProgram(t)
	type hostile struct{ name, kind, protocol, dialect, text, content string }
	var all []hostile
	for _, rule := range rules.All() {
		if rule.Fixes == 0 {
			continue
		}
		e := rule.Bad[0]
		config, err := protocol.ExampleConfig(e)
		require.NoError(t, err)
		of := ""
		if rule.Protocol != nil {
			of = rule.Protocol.Name()
		}
		for _, content := range append([]string{""}, hostileContents...) {
			all = append(all, hostile{rule.ID, config.Kind, of, config.Dialect, e.Text(), content})
		}
	}
	path := filepath.Join(t.TempDir(), "input")
	for i := 0; i < len(all); i += 5 {
		h := all[i]
		var work [3]int
		for size := range work {
			require.NoError(t, os.WriteFile(path, []byte(enlarged(h.text, h.content, bytes<<size)), 0o600))
			arguments := []string{"--isolated", "--allow-empty", path}
			for flag, value := range map[string]string{"--kind": h.kind, "--protocol": h.protocol, "--dialect": h.dialect} {
				if value != "" {
					arguments = append(arguments, flag, value)
				}
			}
			work[size] = program.statements(t, append([]string{"check", "--format", "json"}, arguments...), append([]string{"fix", "--unsafe", "--check"}, arguments...))
		}
		first, second := work[1]-work[0], work[2]-work[1]
		assert.LessOrEqual(t, float64(second), most*float64(max(first, 0))+noise,
			"%d: %s with %q: %d statements, of twice the content %d, of four times %d", i, h.name, h.content, work[0], work[1], work[2])
	}
}

// contentText is a content that is a string.
var contentText = regexp.MustCompile(`(["']content["']: ["'])((?:[^"'\\]|\\.)*)(["'])`)

// enlarged returns an example whose contents have that many bytes more of a hostile
// content, or that is repeated if it has no content or that is empty.
func enlarged(text, content string, bytes int) string {
	if content == "" || !contentText.MatchString(text) {
		return strings.Repeat(text, 1+bytes/len(text))
	}
	return contentText.ReplaceAllStringFunc(text, func(member string) string {
		parts := contentText.FindStringSubmatch(member)
		return parts[1] + parts[2] + strings.Repeat(content, bytes/len(content)) + parts[3]
	})
}

// counting is a program that counts the statements that it executes.
type counting struct{ path, covdata string }

func countingProgram(t *testing.T) counting {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program again")
	}
	path := filepath.Join(t.TempDir(), "lmclint")
	const module = "github.com/lmclint/lmclint"
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+module+"/...", "-o", path, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "tool", "-n", "covdata").Output()
	require.NoError(t, err)
	return counting{path, strings.TrimSpace(string(out))}
}

// statements returns how many statements some runs execute. How they end does not
// matter, as long as they do not fail.
func (c *counting) statements(t *testing.T, runs ...[]string) (count int) {
	t.Helper()
	dir := t.TempDir()
	for _, arguments := range runs {
		run := exec.Command(c.path, arguments...)
		run.Env = append(os.Environ(), "GOCOVERDIR="+dir)
		out, err := run.CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = nil
		}
		require.NoError(t, err)
		require.NotContains(t, string(out), "internal error", "%q", arguments)
	}
	profile := filepath.Join(dir, "profile")
	out, err := exec.Command(c.covdata, "textfmt", "-i", dir, "-o", profile).CombinedOutput()
	require.NoError(t, err, "%s", out)
	file, err := os.Open(profile)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the mode
		}
		statements, err := strconv.Atoi(fields[1])
		require.NoError(t, err)
		times, err := strconv.Atoi(fields[2])
		require.NoError(t, err)
		count += statements * times
	}
	return count
}

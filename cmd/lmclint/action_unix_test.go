//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
)

// job is a place in which the script of the action runs as GitHub runs it.
type job struct {
	t                       *testing.T
	dir, output, jobSummary string
	env                     []string
}

func newJob(t *testing.T) *job {
	t.Helper()
	root := t.TempDir()
	temp := filepath.Join(root, "runner's $temp")
	j := &job{t: t, dir: filepath.Join(root, "the work space"), output: filepath.Join(root, "output"), jobSummary: filepath.Join(root, "summary.md")}
	require.NoError(t, os.Mkdir(j.dir, 0o755))
	require.NoError(t, os.Mkdir(temp, 0o755))
	path := os.Getenv("PATH")
	if !exhaustive.Enabled() { // building takes seconds: the test itself serves as the program
		fake := filepath.Join(root, "bin")
		require.NoError(t, os.Mkdir(fake, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(fake, "go"), []byte(fakeGo), 0o755))
		path = fake + string(filepath.ListSeparator) + path
	}
	j.env = append(os.Environ(), "GITHUB_ACTIONS=true", "CI=true", "RUNNER_TEMP="+temp,
		"GITHUB_OUTPUT="+j.output, "GITHUB_STEP_SUMMARY="+j.jobSummary, "GITHUB_WORKSPACE="+j.dir, "PATH="+path)
	return j
}

// fakeGo is a go command that "builds" by copying the program of the tests.
const fakeGo = `#!/bin/sh
[ "$1" = build ] || exit 0
while [ "$1" != -o ]; do shift; done
cp "$(command -v lmclint)" "$2"
`

// run runs the script with some inputs. Those that a job does not set are
// empty, or what action.yml says.
func (j *job) run(inputs ...string) (log string, status int) {
	j.t.Helper()
	script, err := filepath.Abs("../../packaging/action/lint")
	require.NoError(j.t, err)
	for _, file := range []string{j.output, j.jobSummary} {
		require.NoError(j.t, os.WriteFile(file, nil, 0o600))
	}
	command := exec.CommandContext(j.t.Context(), script)
	command.Dir = j.dir
	command.Env = append(append(j.env, "LMCLINT_PATHS=.", "LMCLINT_FORMAT=github", "LMCLINT_SARIF=",
		"LMCLINT_FAIL_ON=error", "LMCLINT_CONFIG=", "LMCLINT_ARGS="), inputs...)
	out, err := command.CombinedOutput()
	var failed *exec.ExitError
	if err != nil {
		require.ErrorAs(j.t, err, &failed, "%s", out)
		status = failed.ExitCode()
	}
	return string(out), status
}

func (j *job) write(name, text string) {
	j.t.Helper()
	require.NoError(j.t, os.WriteFile(filepath.Join(j.dir, name), []byte(text), 0o600))
}

func (j *job) read(path string) string {
	j.t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(j.t, err)
	return string(text)
}

const unopened = `{"role": "assistant", "type": "message", "end": true}` + "\n"

func TestActionScript(t *testing.T) {
	j := newJob(t)
	j.write("clean.jsonl", confirmedRun)
	log, status := j.run()
	assert.Equal(t, 0, status, log)
	assert.Equal(t, "status=0\n", j.read(j.output))
	assert.Contains(t, j.read(j.jobSummary), "no findings")

	j.write("broken.jsonl", unopened)
	log, status = j.run("LMCLINT_SARIF=reports of lmclint.sarif")
	assert.Equal(t, 1, status, log)
	assert.Equal(t, "status=1\n", j.read(j.output))
	assert.Contains(t, log, ",file=broken.jsonl,line=1,")
	assert.Contains(t, j.read(j.jobSummary), "broken.jsonl")
	assert.Contains(t, j.read(filepath.Join(j.dir, "reports of lmclint.sarif")), `"broken.jsonl"`)

	log, status = j.run("LMCLINT_PATHS=\nclean.jsonl\n\n", "LMCLINT_FORMAT=concise")
	assert.Equal(t, 0, status, log)
	assert.Empty(t, j.read(j.jobSummary))

	log, status = j.run("LMCLINT_FAIL_ON=never")
	assert.Equal(t, 0, status, log)

	log, status = j.run("LMCLINT_PATHS=nowhere.jsonl")
	assert.Equal(t, 2, status, log)
	assert.Equal(t, "status=2\n", j.read(j.output))

	j.write("strict.yaml", "ignore: [framing, input, transcript]\n")
	log, status = j.run("LMCLINT_CONFIG=strict.yaml", "LMCLINT_ARGS=--statistics\n--jobs\n1\n")
	assert.Equal(t, 0, status, log)
}

// Nothing in an input or in the name of a file is run, or is a flag.
func TestActionScriptRunsNoInputs(t *testing.T) {
	j := newJob(t)
	names := []string{"$(touch ran).jsonl", "`touch ran`.jsonl", "a b;touch ran.jsonl", "--fail-on=never.jsonl", "'\".jsonl"}
	for _, name := range names {
		j.write(name, unopened)
	}
	log, status := j.run("LMCLINT_PATHS="+strings.Join(names, "\n"), "LMCLINT_FORMAT=concise")
	assert.Equal(t, 1, status, log)
	for _, name := range names {
		assert.Contains(t, log, name+":1:1: error: ")
	}
	for _, variable := range []string{"LMCLINT_FORMAT", "LMCLINT_FAIL_ON", "LMCLINT_CONFIG", "LMCLINT_ARGS", "LMCLINT_SARIF"} {
		_, status := j.run(variable+"=$(touch ran)`touch ran`; touch ran", "LMCLINT_PATHS=a b;touch ran.jsonl")
		assert.NotEqual(t, 0, status, variable)
	}
	_, err := os.Stat(filepath.Join(j.dir, "ran"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// release writes the files of a release and returns its URL.
func release(t *testing.T, version, program string, spoil bool) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, "v"+version)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "lmclint"), []byte(program), 0o755))
	archive := "lmclint_" + version + "_linux_amd64.tar.gz"
	script := `tar -c -z -C .. -f "$1" lmclint && sha256sum "$1" >checksums.txt`
	if spoil {
		script += ` && echo >>"$1"`
	}
	pack := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", archive)
	pack.Dir = folder
	out, err := pack.CombinedOutput()
	require.NoError(t, err, string(out))
	return "file://" + root
}

// releaseStep runs a step of the action that gets the program.
func (j *job) releaseStep(step string, env ...string) (outputs map[string]string, log string, err error) {
	j.t.Helper()
	script, err := filepath.Abs("../../packaging/action/release")
	require.NoError(j.t, err)
	require.NoError(j.t, os.WriteFile(j.output, nil, 0o600))
	command := exec.CommandContext(j.t.Context(), script, step)
	command.Dir = j.dir
	command.Env = slices.Concat(j.env, []string{"RUNNER_OS=Linux", "RUNNER_ARCH=X64"}, env)
	text, failed := command.CombinedOutput()
	written, err := os.ReadFile(j.output)
	require.NoError(j.t, err)
	outputs = map[string]string{}
	for line := range strings.Lines(string(written)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		outputs[key] = value
	}
	return outputs, string(text), failed
}

// A tag names a release; a branch and a commit do not.
func TestActionFindsTheRelease(t *testing.T) {
	j := newJob(t)
	for ref, want := range map[string]string{"v0.1.0": "0.1.0", "v1.2.3-rc.1": "1.2.3-rc.1", "main": "", "v1": "", "0123456789abcdef": "", "v1.0.0;id": "", "": ""} {
		outputs, log, err := j.releaseStep("find", "LMCLINT_ACTION_REF="+ref, "LMCLINT_VERSION=")
		require.NoError(t, err, log)
		assert.Equal(t, want, outputs["version"], ref)
	}
	outputs, log, err := j.releaseStep("find", "LMCLINT_ACTION_REF=main", "LMCLINT_VERSION=0.2.0")
	require.NoError(t, err, log)
	assert.Equal(t, "0.2.0", outputs["version"])
	outputs, log, err = j.releaseStep("find", "LMCLINT_ACTION_REF=v0.2.0", "LMCLINT_VERSION=", "RUNNER_ARCH=X86")
	require.NoError(t, err, log)
	assert.Empty(t, outputs["version"], "no program for this platform")
}

// The marketplace takes a repository that has the action in its root and no workflows.
// Its branch is the release that its file VERSION names.
func TestActionRepository(t *testing.T) {
	j := newJob(t)
	repository := filepath.Join(j.dir, "repository")
	require.NoError(t, os.MkdirAll(filepath.Join(repository, ".git"), 0o755))
	j.write("repository/old", "a file of the release before")
	script, err := filepath.Abs("../../packaging/action-repository")
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), script, repository).CombinedOutput()
	require.NoError(t, err, string(out))
	entries, err := os.ReadDir(repository)
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	assert.Equal(t, []string{".git", "LICENSE", "README.md", "VERSION", "action.yml", "lint", "release"}, names)

	require.NoError(t, os.WriteFile(filepath.Join(repository, "VERSION"), []byte("0.3.0\n"), 0o600))
	find := exec.CommandContext(t.Context(), filepath.Join(repository, "release"), "find")
	find.Env = slices.Concat(j.env, []string{"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "LMCLINT_ACTION_REF=main", "LMCLINT_VERSION="})
	out, err = find.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, j.read(j.output), "version=0.3.0\n")
}

// The program of a release is used if its archive has the listed checksum.
func TestActionDownloads(t *testing.T) {
	for _, tool := range []string{"curl", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	j := newJob(t)
	directory := filepath.Join(t.TempDir(), "tools")
	tools := t.TempDir()
	gh := "#!/bin/sh\necho \"$@\" >>gh.log\n[ \"$GH_TOKEN\" = good ]\n"
	require.NoError(t, os.WriteFile(filepath.Join(tools, "gh"), []byte(gh), 0o755))
	env := []string{"LMCLINT_VERSION=0.1.0", "LMCLINT_DIRECTORY=" + directory, "GH_TOKEN=good", "PATH=" + tools + ":" + os.Getenv("PATH")}
	good := release(t, "0.1.0", "#!/bin/sh\necho released\n", false)

	outputs, log, err := j.releaseStep("download", append(env, "LMCLINT_RELEASES="+release(t, "0.2.0", "", false))...)
	require.NoError(t, err, log)
	assert.Empty(t, outputs, "no such release, so the next step builds it")

	_, log, err = j.releaseStep("download", append(env, "LMCLINT_RELEASES="+release(t, "0.1.0", "", true))...)
	require.Error(t, err)
	assert.Contains(t, log, "::error::lmclint: lmclint_0.1.0_linux_amd64.tar.gz does not have the checksum")
	assert.NoFileExists(t, filepath.Join(directory, "lmclint_0.1.0_linux_amd64.tar.gz"))

	outputs, log, err = j.releaseStep("download", append(env, "LMCLINT_RELEASES="+good)...)
	require.NoError(t, err, log)
	out, err := exec.CommandContext(t.Context(), outputs["binary"]).Output()
	require.NoError(t, err)
	assert.Equal(t, "released\n", string(out))

	again, log, err := j.releaseStep("download", append(env, "LMCLINT_RELEASES=file:///nowhere")...)
	require.NoError(t, err, log)
	assert.FileExists(t, again["binary"], "the cache has it")

	// What the cache has is verified again, since other jobs may write to it.
	assert.Contains(t, j.read(filepath.Join(directory, "gh.log")), "attestation verify lmclint_0.1.0_linux_amd64.tar.gz --repo lmclint/lmclint")
	_, log, err = j.releaseStep("download", append(env, "GH_TOKEN=bad")...)
	require.Error(t, err)
	assert.Contains(t, log, "::error::lmclint: lmclint_0.1.0_linux_amd64.tar.gz has no attestation")
	archive := filepath.Join(directory, "lmclint_0.1.0_linux_amd64.tar.gz")
	require.NoError(t, os.WriteFile(archive, []byte("another program"), 0o600))
	_, log, err = j.releaseStep("download", env...)
	require.Error(t, err)
	assert.Contains(t, log, "does not have the checksum")
	assert.NoFileExists(t, archive)

	j.env = append(j.env, "LMCLINT_BINARY="+outputs["binary"])
	log, status := j.run()
	assert.Equal(t, 0, status, log)
	assert.Contains(t, log, "released", "nothing was built")
}

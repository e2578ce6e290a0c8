package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/generated"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){name: main})
}

func TestScripts(t *testing.T) {
	dir, err := filepath.Abs("testdata/script") // a script may change the directory while another one is read
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       generated.Updating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ESC", "\x1b")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run":    runHere,
			"status": status,
		},
	})
}

// status runs a program that must end with an exit status: status 2 lmclint x.
func status(ts *testscript.TestScript, neg bool, args []string) {
	checkStatus(ts, neg, args, func(args []string) int {
		var exit *exec.ExitError
		err := ts.Exec(args[0], args[1:]...)
		switch {
		case err == nil:
			return 0
		case errors.As(err, &exit):
			return exit.ExitCode()
		}
		ts.Fatalf("%v", err)
		return -1
	})
}

// runHere is like status and runs lmclint within the test, which takes a tenth
// of the time that a process takes. The exhaustive tests run a process.
func runHere(ts *testscript.TestScript, neg bool, args []string) {
	if exhaustive.Enabled() {
		status(ts, neg, args)
		return
	}
	checkStatus(ts, neg, args, func(args []string) int {
		if args[0] != name {
			ts.Fatalf("run takes %s only, found %s", name, args[0])
		}
		stdin := &unexpectedReader{}
		c := Command{Stdin: stdin, Stdout: ts.Stdout(), Stderr: ts.Stderr(), Getenv: ts.Getenv}
		got := inDirectory(ts, func() int { return c.Main(args[1:]) })
		if stdin.used.Load() {
			ts.Fatalf("standard input is read: use exec or status instead of run")
		}
		return got
	})
}

func checkStatus(ts *testscript.TestScript, neg bool, args []string, run func(args []string) int) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: run or status, N, program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := run(args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// working is held while the directory of the process is that of a script.
var working sync.Mutex

// inDirectory calls run in the directory of a script. Scripts run in parallel,
// and while they do, no other test does.
func inDirectory(ts *testscript.TestScript, run func() int) int {
	working.Lock()
	defer working.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	return run()
}

// unexpectedReader is standard input that nothing should read: what the script
// command stdin sets, only processes get.
type unexpectedReader struct{ used atomic.Bool }

func (r *unexpectedReader) Read([]byte) (int, error) {
	r.used.Store(true)
	return 0, io.EOF
}

// Command lmclint lints recorded LMC and Semantic Workbench conversations.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// Without this, a write to a pipe that its reader has closed would end the
	// program before it has removed its temporary files.
	signal.Ignore(syscall.SIGPIPE)

	// Compiling the schemas leaves almost as much memory as the garbage collector
	// admits before its first run: with a little more, a small input needs none.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(125)
	}

	command := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	os.Exit(command.Main(os.Args[1:]))
}

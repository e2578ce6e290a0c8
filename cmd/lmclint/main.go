// Command lmclint lints recorded LMC and Semantic Workbench conversations.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// Without this, a write to a pipe that its reader has closed would end the
	// program before it has removed its temporary files.
	signal.Ignore(syscall.SIGPIPE)

	command := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	os.Exit(command.Main(os.Args[1:]))
}

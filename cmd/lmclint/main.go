// Command lmclint checks recordings of LMC and of Semantic Workbench.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/pace"
	_ "github.com/lmclint/lmclint/cmd/lmclint/internal/unprofiled"
)

func main() {
	pace.Relax()

	// A reader that has seen enough closes the pipe. Without this, writing on
	// would end the program before it has removed its temporary files.
	signal.Ignore(syscall.SIGPIPE)

	command := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ()}
	os.Exit(command.Main(os.Args[1:]))
}

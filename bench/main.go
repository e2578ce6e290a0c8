// Bench measures lmclint beside other programs and writes a Markdown table.
//
//	go run ./bench
//
// It installs the peers that are missing, builds everything, makes the data
// and runs all programs in turn. README.md says what the numbers mean.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
)

func main() {
	log.SetFlags(log.Ltime)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		log.Fatal(err) //nolint:gocritic // the process ends here, and nobody waits for a signal
	}
}

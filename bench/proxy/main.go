// Command proxy measures the delay that lmclint proxy adds.
//
//	go run ./bench/proxy --for 20s
//
// It starts a WebSocket server, the proxy and clients on the loopback address.
// The server sends chunks to each client at a steady rate, a few at a time, as a
// model does; each chunk has the time at which it was sent. The same is measured
// without the proxy, and the difference is what the proxy adds.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("proxy: ")
	l := &load{}
	pflag.IntVar(&l.connections, "connections", 200, "how many clients are connected")
	pflag.IntVar(&l.rate, "rate", 500, "frames a second to each client")
	pflag.DurationVar(&l.length, "for", 10*time.Second, "how long each measurement lasts")
	pflag.Parse()
	if err := run(l, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run measures without the proxy and with it, and prints a table.
func run(l *load, out io.Writer) (err error) {
	server, err := listen()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	direct, err := l.measure(server.Addr().String())
	if err != nil {
		return fmt.Errorf("without the proxy: %w", err)
	}
	child, err := startProxy(server.Addr().String())
	if err != nil {
		return err
	}
	through, err := l.measure(child.address)
	usage, ended := child.stop()
	if err := errors.Join(err, ended); err != nil {
		return fmt.Errorf("through the proxy: %w", err)
	}
	_, err = fmt.Fprintf(out, `%d connections, %d frames a second each, %s

| | frames/s | median | 99 %% | 99.9 %% |
| --- | ---: | ---: | ---: | ---: |
%s%s%s
The proxy used %.2f processors and %d MB.
`, l.connections, l.rate, l.length, direct.row("direct"), through.row("through the proxy"), through.minus(direct).row("added"),
		usage.cpu.Seconds()/l.length.Seconds(), usage.peakBytes/1e6)
	return err
}

// delays are those of all frames.
type delays struct {
	perSecond            float64
	median, high, higher time.Duration
}

func summarize(all []time.Duration, length time.Duration) delays {
	slices.Sort(all)
	at := func(part float64) time.Duration { return all[int(part*float64(len(all)-1))] }
	return delays{float64(len(all)) / length.Seconds(), at(0.5), at(0.99), at(0.999)}
}

func (d delays) minus(other delays) delays {
	return delays{d.perSecond, d.median - other.median, d.high - other.high, d.higher - other.higher}
}

func (d delays) row(name string) string {
	return fmt.Sprintf("| %s | %.0f | %s | %s | %s |\n", name, d.perSecond,
		d.median.Round(time.Microsecond), d.high.Round(time.Microsecond), d.higher.Round(time.Microsecond))
}

// Command proxy measures the delay that lmclint proxy adds.
//
//	go run ./bench/proxy --for 4s --repeat 3
//
// It starts a WebSocket server, the proxy and clients on the loopback address.
// The server sends chunks to each client at a steady rate, a few in one write,
// as a model does; each chunk has the time at which it was sent. The same is
// measured without the proxy, and the difference is what the proxy adds. Server
// and clients are one process, which shares the processors with the proxy.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("proxy: ")
	b := &bench{}
	pflag.StringSliceVar(&b.loads, "load", []string{"50x100", "200x100", "200x500"}, "connections x frames a second to each")
	pflag.IntVar(&b.burst, "burst", 5, "frames in one write of the server")
	pflag.DurationVar(&b.length, "for", 10*time.Second, "how long each measurement lasts")
	pflag.IntVar(&b.repeat, "repeat", 3, "how often each is measured; the run with the least median is shown")
	pflag.StringVar(&b.program, "program", "", "lmclint to measure; built from ./cmd/lmclint by default")
	pflag.Parse()
	if err := b.run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// bench are the measurements of one run of the program.
type bench struct {
	loads         []string
	burst, repeat int
	length        time.Duration
	program       string
	folder        string // for what the proxy writes
}

// way is how the frames go from the server to the clients.
type way struct {
	name  string
	flags []string // of the proxy; nil is without a proxy
}

func (b *bench) ways() []way {
	record := "--record=" + filepath.Join(b.folder, "sessions")
	return []way{
		{"direct", nil},
		{"`proxy`", []string{}},
		{"`proxy --record`", []string{record}},
		{"`proxy --stop-on error`", []string{"--stop-on=error"}},
		{"`proxy --stop-on error --record`", []string{"--stop-on=error", record}},
	}
}

// run measures all loads in all ways, and prints a table.
func (b *bench) run(out io.Writer) (err error) {
	if b.folder, err = os.MkdirTemp("", "proxy"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	if b.program == "" {
		if b.program, err = build(b.folder); err != nil {
			return err
		}
	}
	s, err := listen()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	_, _ = fmt.Fprintf(out, `Each way carried each load %d times, for a second and the %s that are counted. The server put %d frames in each write. Shown is the run with
the least median, and the range of the medians.

| load | way | frames/s | median | 99 %% | 99.9 %% | medians | added | processors | memory |
| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |
`, b.repeat, b.length, b.burst)
	for _, text := range b.loads {
		l := &load{burst: b.burst, length: b.length, warmUp: time.Second}
		if _, err := fmt.Sscanf(text, "%dx%d", &l.connections, &l.rate); err != nil {
			return fmt.Errorf("--load %s: expected CONNECTIONSxRATE: %w", text, err)
		}
		rows, err := b.measureAll(s, l)
		if err != nil {
			return fmt.Errorf("%s: %w", l, err)
		}
		for _, r := range rows {
			_, _ = fmt.Fprintln(out, r.format(l, rows[0]))
		}
	}
	return nil
}

// row is what was measured of one way.
type row struct {
	way
	best           *sample // the run with the least median
	used           usage   // in that run
	least, highest time.Duration
}

// measureAll measures a load in all ways, each several times. The ways take
// turns, so that a busy moment of the machine does not meet only one of them.
func (b *bench) measureAll(s *server, l *load) ([]*row, error) {
	var rows []*row
	for _, w := range b.ways() {
		rows = append(rows, &row{way: w})
	}
	for range b.repeat {
		for _, r := range rows {
			delays, used, err := b.measure(s, l, r.way)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			median := delays.median()
			r.highest = max(r.highest, median)
			if r.best == nil || median < r.least {
				r.best, r.used, r.least = delays, used, median
			}
		}
	}
	return rows, nil
}

func (b *bench) measure(s *server, l *load, w way) (*sample, usage, error) {
	if w.flags == nil {
		delays, err := l.measure(s, s.Addr().String())
		return delays, usage{}, err
	}
	c, err := startProxy(b.program, s.Addr().String(), w.flags)
	if err != nil {
		return nil, usage{}, err
	}
	delays, err := l.measure(s, c.address)
	used, ended := c.stop()
	return delays, used, errors.Join(err, ended)
}

// format returns the row as one of the table.
func (r *row) format(l *load, direct *row) string {
	cells := []string{
		l.String(), r.name, fmt.Sprintf("%.0f", r.best.perSecond()),
		shown(r.least), shown(r.best.percentile(99)), shown(r.best.percentile(99.9)),
		shown(r.least) + " – " + shown(r.highest), "", "", "",
	}
	if r.flags != nil {
		cells[7] = shown(r.least - direct.least)
		cells[8] = fmt.Sprintf("%.2f", r.used.cpu.Seconds()/(l.warmUp+r.best.elapsed).Seconds())
		cells[9] = fmt.Sprintf("%d MB", r.used.peakBytes/1e6)
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

func shown(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

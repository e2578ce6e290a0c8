package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// cost is what one run of a program cost.
type cost struct {
	wall, cpu time.Duration // cpu is user and system together
	peak      int64         // resident bytes
}

// program is a row that is measured.
type program struct {
	row
	args, feed []string
	whole      int64 // bytes of the data; it may get a part of them
	costs      []cost
	failed     error // why it runs no more
}

// section measures the programs of a section and prints their table. All of them run
// in each round, and each round begins with another one, so that a period of high
// load affects all.
func (w *workspace) section(ctx context.Context, s section, rounds int) error {
	var programs []*program
	for _, r := range s.rows {
		p, err := w.measured(ctx, s, r)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	log.Printf("measure: %s", s.title)
	for round := range rounds * max(s.often, 1) {
		for i := range programs {
			p := programs[(round+i)%len(programs)]
			if p.failed != nil {
				continue
			}
			c, err := w.launch(ctx, p)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p.failed, p.costs = err, append(p.costs, c)
		}
	}
	fmt.Fprintf(&w.out, "\n### %s\n\n%s bytes.\n\n", s.title, humanize.Comma(programs[0].whole))
	fmt.Fprintln(&w.out, "| program | data | wall | CPU | MB/s | peak MB | CPU ÷ | wall ÷ | floor |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
	for _, p := range programs {
		fmt.Fprintln(&w.out, p.line(programs[0]))
	}
	return nil
}

// sizes matches a size in the arguments of the generator.
var sizes = regexp.MustCompile(`\{\d+\}`)

// measured makes the data of a program.
func (w *workspace) measured(ctx context.Context, s section, r row) (*program, error) {
	sized := func(text string) string {
		return sizes.ReplaceAllStringFunc(text, func(size string) string {
			n, _ := strconv.Atoi(strings.Trim(size, "{}")) // it matched
			return strconv.Itoa(n / w.scale / max(r.part, 1))
		})
	}
	var args []string
	for _, arg := range append(slices.Clone(s.data), r.data...) {
		args = append(args, sized(arg))
	}
	data, err := w.data(ctx, strings.NewReplacer("--", "", "=", "-").Replace(strings.Join(args, "-"))+s.extension(), args)
	if err != nil {
		return nil, err
	}
	p := &program{row: r}
	err = filepath.WalkDir(data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path) // it is in the page cache then
		p.whole += int64(len(text)) * int64(max(r.part, 1))
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.args, err = w.expand(r.command, data); err != nil {
		return nil, err
	}
	p.feed, err = w.expand(sized(r.feed), data)
	return p, err
}

// launch runs a program once, in a small program that measures it: the peak of a
// process that is forked by this one would be the peak of this one.
func (w *workspace) launch(ctx context.Context, p *program) (c cost, err error) {
	report := filepath.Join(w.cache, "cost")
	cmd := exec.CommandContext(ctx, w.program("launch"), append([]string{report}, p.args...)...)
	if len(p.feed) > 0 {
		source := exec.CommandContext(ctx, p.feed[0], p.feed[1:]...)
		pipe, err := source.StdoutPipe()
		if err != nil {
			return c, err
		}
		cmd.Stdin = pipe.(*os.File)
		if err := source.Start(); err != nil {
			return c, err
		}
		defer func() { err = errors.Join(err, source.Wait()) }()
	}
	if err := cmd.Run(); err != nil {
		return c, err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return c, err
	}
	var wall, user, system, exit int64
	if _, err := fmt.Fscan(strings.NewReader(string(text)), &wall, &user, &system, &c.peak, &exit); err != nil && !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("read %s: %w", report, err)
	}
	if int(exit) != p.exit {
		return c, fmt.Errorf("exit status %d", exit)
	}
	c.wall, c.cpu, c.peak = time.Duration(wall), time.Duration(user+system)*time.Microsecond, c.peak*1024
	return c, nil
}

// line is the row of a program in the table.
func (p *program) line(first *program) string {
	if p.failed != nil {
		return fmt.Sprintf("| %s | | %s | | | | | | |", p.name, strings.ReplaceAll(p.failed.Error(), "|", `\|`))
	}
	c, part := p.median(), "all"
	if p.part > 1 {
		part = fmt.Sprintf("1/%d, times %d", p.part, p.part)
	}
	one := first.median()
	speed := figure(float64(p.whole) / 1e6 / c.wall.Seconds())
	if strings.Contains(p.row.feed, "generate") {
		speed = "" // the generator is the slower of the two
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", p.name, part, seconds(c.wall), seconds(c.cpu),
		speed, figure(float64(c.peak)/1e6),
		figure(float64(c.cpu)/float64(one.cpu)), figure(float64(c.wall)/float64(one.wall)), p.floor)
}

// median returns the median of each time, for the whole data, and the largest peak.
func (p *program) median() (m cost) {
	var walls, cpus []time.Duration
	for _, c := range p.costs {
		walls, cpus, m.peak = append(walls, c.wall), append(cpus, c.cpu), max(m.peak, c.peak)
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	if len(walls) > 0 {
		parts := time.Duration(max(p.part, 1))
		m.wall, m.cpu = walls[len(walls)/2]*parts, cpus[len(cpus)/2]*parts
	}
	return m
}

// seconds formats a duration in a suitable unit.
func seconds(d time.Duration) string {
	if d < time.Second {
		return figure(d.Seconds()*1000) + " ms"
	}
	return figure(d.Seconds()) + " s"
}

// figure formats a number with two or three significant digits.
func figure(n float64) string {
	switch {
	case n >= 100:
		return humanize.Comma(int64(math.Round(n)))
	case n >= 10:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n >= 1:
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}

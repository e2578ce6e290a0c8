package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// writeSection writes a heading and a table of medians.
func writeSection(w *strings.Builder, r result) {
	s := r.section
	fmt.Fprintf(w, "\n### %s\n\n", s.title)
	var about []string
	if s.bytes > 0 {
		about = append(about, fmt.Sprintf("%s bytes.", humanize.Comma(s.bytes)))
	}
	if s.note != "" {
		about = append(about, s.note)
	}
	about = append(about, fmt.Sprintf("Runs of each program: %d.", r.rounds))
	fmt.Fprintf(w, "%s\n\n", strings.Join(about, " "))
	fmt.Fprintf(w, "| program | data | wall | CPU | MB/s | peak MB | CPU ÷ | wall ÷ | goal | peak goal |\n")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |")
	for i := range s.tools {
		fmt.Fprintln(w, row(r, i))
	}
}

// row is a line of the table.
func row(r result, i int) string {
	t := r.section.tools[i]
	if len(r.costs[i]) == 0 {
		why := "failed"
		if t.absent != "" {
			why = "absent"
		}
		return fmt.Sprintf("| %s | | %s: %s | | | | | | | |", t.name, why, cell(r.failed[i]))
	}
	c := median(r.costs[i])
	took, worked := scaled(c.wall, t), scaled(c.cpu, t)
	part := "all"
	if t.part > 1 {
		part = fmt.Sprintf("1/%d, times %d", t.part, t.part)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", t.name, part, seconds(took), seconds(worked),
		speed(r.section, t, took), peak(c), ratio(r, i, cpu), ratio(r, i, wall), goalCell(r, i), limitCell(t, c))
}

// scaled returns the cost for the whole data.
func scaled(d time.Duration, t tool) time.Duration {
	return time.Duration(float64(d) * t.parts())
}

func wall(c cost) time.Duration { return c.wall }

func cpu(c cost) time.Duration { return c.cpu }

// times returns the cost relative to the first tool, 0 if that failed.
func times(r result, i int, of func(cost) time.Duration) float64 {
	if len(r.costs[0]) == 0 {
		return 0
	}
	return float64(scaled(of(median(r.costs[i])), r.section.tools[i])) / float64(of(median(r.costs[0])))
}

func ratio(r result, i int, of func(cost) time.Duration) string {
	if n := times(r, i, of); n > 0 {
		return figure(n)
	}
	return "–"
}

func goalCell(r result, i int) string {
	g, n := r.section.tools[i].goal, times(r, i, wall)
	switch {
	case n == 0 || g == goal{}:
		return ""
	case g.least > 0:
		return fmt.Sprintf("≥ %s %s", figure(g.least), mark(n >= g.least))
	}
	return fmt.Sprintf("≤ %s %s", figure(g.most), mark(n <= g.most))
}

func limitCell(t tool, c cost) string {
	if t.limit == 0 || c.peak == 0 {
		return ""
	}
	return fmt.Sprintf("≤ %s %s", figure(t.limit), mark(megabytes(c.peak) <= t.limit))
}

// peak returns the peak memory; it is unknown without the launcher.
func peak(c cost) string {
	if c.peak == 0 {
		return "–"
	}
	return figure(megabytes(c.peak))
}

func mark(reached bool) string {
	if reached {
		return "reached"
	}
	return "**missed**"
}

func speed(s section, t tool, wall time.Duration) string {
	bytes := s.bytes
	if t.bytes > 0 {
		bytes = t.bytes
	}
	if bytes == 0 {
		return ""
	}
	return figure(megabytes(bytes) / wall.Seconds())
}

// megabytes formats a number of bytes in units of 1,000,000.
func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

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

// cell escapes a text for a cell of a table.
func cell(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
	if len(s) > 200 {
		return fmt.Sprintf("%s …", strings.ToValidUTF8(s[:200], ""))
	}
	return s
}

// cost is the measured cost of one run of a program.
type cost struct {
	wall, cpu time.Duration // cpu is user and system together
	peak      int64         // resident bytes
}

// median returns the median of each time and the largest peak.
func median(costs []cost) cost {
	return cost{
		wall: middle(costs, wall),
		cpu:  middle(costs, cpu),
		peak: slices.MaxFunc(costs, func(a, b cost) int { return cmp.Compare(a.peak, b.peak) }).peak,
	}
}

func middle(costs []cost, of func(cost) time.Duration) time.Duration {
	var times []time.Duration
	for _, c := range costs {
		times = append(times, of(c))
	}
	slices.Sort(times)
	n := len(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}

package main

import (
	"fmt"
	"strings"
	"time"
)

// stats are the numbers of the run, one a line.
func (r *checkRun) stats() string {
	seconds := max(time.Since(r.watch.begun).Seconds(), 1e-6)
	bytes, records := r.watch.meter.Bytes.Load(), r.summary.Records
	var b strings.Builder
	fmt.Fprintf(&b, "inputs: %d\n", r.summary.Files+r.summary.Skipped)
	fmt.Fprintf(&b, "jobs: %d\n", r.flags.jobs.of(len(r.inputs)))
	fmt.Fprintf(&b, "bytes: %d\n", bytes)
	fmt.Fprintf(&b, "records: %d\n", records)
	fmt.Fprintf(&b, "findings: %d\n", r.summary.Errors+r.summary.Warnings+r.summary.Notes)
	fmt.Fprintf(&b, "seconds: %.3f\n", seconds)
	fmt.Fprintf(&b, "MB/s: %.1f\n", float64(bytes)/1e6/seconds)
	fmt.Fprintf(&b, "records/s: %.0f\n", float64(records)/seconds)
	return b.String()
}

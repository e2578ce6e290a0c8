package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
)

// byteCount is the value of a flag that takes a number of bytes above zero.
type byteCount int64

// String implements [pflag.Value].
func (b *byteCount) String() string { return strconv.FormatInt(int64(*b), 10) }

// Type implements [pflag.Value].
func (b *byteCount) Type() string { return "BYTES" }

// Set implements [pflag.Value]. It fails on what is no whole number above zero.
func (b *byteCount) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return errors.New("want a whole number of bytes above zero")
	}
	*b = byteCount(n)
	return nil
}

// maxJobs is the highest --jobs: each job has a buffer and a few open files.
const maxJobs = 1024

// jobCount is the value of --jobs. Zero stands for as many as there are cores.
type jobCount int

// String implements [pflag.Value].
func (j *jobCount) String() string {
	if *j == 0 {
		return ""
	}
	return strconv.Itoa(int(*j))
}

// Type implements [pflag.Value].
func (j *jobCount) Type() string { return "N" }

// Set implements [pflag.Value].
func (j *jobCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxJobs {
		return fmt.Errorf("want a whole number from 1 to %d", maxJobs)
	}
	*j = jobCount(n)
	return nil
}

// of returns how many jobs there are for so many inputs.
func (j jobCount) of(inputs int) int {
	if j == 0 {
		j = jobCount(min(runtime.GOMAXPROCS(0), maxJobs))
	}
	return max(1, min(int(j), inputs))
}

// outputLimit is the value of --max-output, in characters. Zero is no limit.
type outputLimit int

// defaultMaxOutput leaves the limit to the dialect.
const defaultMaxOutput outputLimit = -1

// String implements [pflag.Value].
func (l *outputLimit) String() string {
	if *l == defaultMaxOutput {
		return ""
	}
	return strconv.Itoa(int(*l))
}

// Type implements [pflag.Value].
func (l *outputLimit) Type() string { return "N" }

// Set implements [pflag.Value]. It fails on what is no whole number.
func (l *outputLimit) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want a whole number of characters, or 0 for all")
	}
	*l = outputLimit(n)
	return nil
}

// findingCount is the value of a flag that takes a number of findings. Zero
// stands for all of them.
type findingCount int

// String implements [pflag.Value].
func (n *findingCount) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type implements [pflag.Value].
func (n *findingCount) Type() string { return "N" }

// Set implements [pflag.Value].
func (n *findingCount) Set(text string) error {
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		return errors.New("want a whole number above zero")
	}
	*n = findingCount(count)
	return nil
}

package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/lmclint/lmclint/internal/atomicfile"
)

// array is a JSON array on its way out, one element at a time.
type array struct {
	name  string // for messages
	file  *atomicfile.File
	out   *bufio.Writer
	count int
}

// openArray begins an array on standard output or in a file.
func (c *Command) openArray(output string) (*array, error) {
	a := &array{name: "standard output"}
	w := c.Stdout
	if output != "" {
		file, err := atomicfile.Create(output)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", output, trimPathError(err))
		}
		a.name, a.file, w = output, file, file
	}
	a.out = bufio.NewWriter(w)
	return a, nil
}

func (a *array) add(element []byte) error {
	separator := ", "
	if a.count == 0 {
		separator = "["
	}
	a.count++
	_, _ = a.out.WriteString(separator)
	_, err := a.out.Write(element)
	return a.word(err)
}

// close ends the array.
func (a *array) close() error {
	if a.count == 0 {
		_ = a.out.WriteByte('[')
	}
	_, _ = a.out.WriteString("]\n")
	err := a.out.Flush()
	if a.file == nil {
		return a.word(err)
	}
	if err != nil {
		return a.word(errors.Join(err, a.file.Discard()))
	}
	return a.word(a.file.Commit())
}

// discard gives the array up. What has gone to standard output is there, and
// is closed; one that was not begun does not look like an empty transcript.
func (a *array) discard() error {
	switch {
	case a.file == nil && a.count == 0:
		return nil
	case a.file == nil:
		return a.close()
	}
	return a.word(a.file.Discard())
}

func (a *array) word(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", a.name, trimPathError(err))
}

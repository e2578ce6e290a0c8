package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// memory is the resident size of a process in kilobytes, once per second.
type memory struct {
	sizes []int
	end   chan struct{}
	done  chan struct{}
}

// watchMemory measures a process once per second until it is stopped.
func watchMemory(pid int) *memory {
	m := &memory{end: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(m.done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-m.end:
				return
			case <-tick.C:
				if size := resident(pid); size > 0 {
					m.sizes = append(m.sizes, size)
				}
			}
		}
	}()
	return m
}

func (m *memory) stop() *memory {
	close(m.end)
	<-m.done
	return m
}

// resident returns the resident size in kilobytes, or 0 if it is unknown.
func resident(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, found := bytes.Cut(status, []byte("VmRSS:"))
	if !found {
		return 0
	}
	size, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		return 0
	}
	return size
}

// String compares the memory in the first tenth of the time with the last.
func (m *memory) String() string {
	tenth := len(m.sizes) / 10
	if tenth == 0 {
		return "memory: not watched\n"
	}
	most := func(sizes []int) float64 {
		top := 0
		for _, size := range sizes {
			top = max(top, size)
		}
		return float64(top) / 1024
	}
	return fmt.Sprintf("memory: at most %.1f MiB in the first tenth of the time, %.1f MiB in the last\n", most(m.sizes[:tenth]), most(m.sizes[len(m.sizes)-tenth:]))
}

package main

import (
	"context"
	"fmt"
	"strconv"
)

func (b *bench) memorySection(context.Context) ([]section, error) {
	s := section{
		name: "memory", title: "Memory: streams of any length through a pipe",
		note: "The generator writes into the pipe while lmclint reads; no file is made. The generator is the slower of the two and bounds the wall time.",
		once: true,
	}
	for _, bytes := range b.size.piped {
		s.tools = append(s.tools, b.lmclint(fmt.Sprintf("%s MB", grouped(int(bytes/1e6))), "-").within(32).reading(bytes).
			fedBy(b.program("generate"), "--kind", "stream", "--bytes", strconv.FormatInt(bytes, 10)))
	}
	return []section{s}, nil
}

package main

import (
	"context"
	"strconv"
	"strings"
)

// Slow programs get a part of the stream.
const (
	naivePart      = 15
	exhaustivePart = 5
)

func (b *bench) streamSection(ctx context.Context) ([]section, error) {
	path, err := b.stream(ctx, b.size.chunks)
	if err != nil {
		return nil, err
	}
	short, err := b.stream(ctx, b.size.chunks/naivePart)
	if err != nil {
		return nil, err
	}
	medium, err := b.stream(ctx, b.size.chunks/exhaustivePart)
	if err != nil {
		return nil, err
	}
	bytes, err := sizeOf(path)
	if err != nil {
		return nil, err
	}
	s := section{name: "stream", title: "A stream of " + grouped(b.size.chunks) + " chunks", bytes: bytes, tools: []tool{
		b.lmclint("lmclint", path).within(24),
		b.naive("chunk", short).oneIn(naivePart).atLeast(400),
		b.sourcemeta("chunk", medium).oneIn(exhaustivePart),
		b.sourcemeta("chunk", path, "--fast").atLeast(80),
		b.ajv("ajv, block reads", "ajv_blocks.mjs", "chunk", path).atLeast(25),
		b.ajv("ajv, readline", "ajv_readline.mjs", "chunk", path),
		b.system("jq", "empty", path).atLeast(15),
		b.simdjson("simdjson DOM, parse alone", "simdjson_dom", path).atLeast(1 / 0.6),
		b.simdjson("simdjson on demand, all members", "simdjson_ondemand", path),
		b.system("wc", "-l", path).atLeast(1.0 / 5),
		b.system("cat", path),
	}}
	if b.has(ctx, "--jobs") {
		s.tools = append(s.tools, b.lmclint("lmclint --jobs 1", "--jobs", "1", path).within(24))
	}
	piped, err := b.pipedSection(ctx, path)
	return []section{s, piped}, err
}

// pipedSection reads the same stream from a pipe, and compressed.
func (b *bench) pipedSection(ctx context.Context, path string) (section, error) {
	chunks := strconv.Itoa(b.size.chunks)
	compressed, err := b.data(ctx, "stream-"+chunks+".jsonl.gz", "--kind", "stream", "--chunks", chunks, "--gzip")
	if err != nil {
		return section{}, err
	}
	bytes, err := sizeOf(path)
	return section{
		name: "stream", title: "The same stream as standard input, through a pipe, and compressed", bytes: bytes,
		note: "Sizes are those of the text. `cat` writes into the pipe, on one of the processors that the reader may use too.",
		tools: []tool{
			b.lmclint("lmclint FILE", path),
			b.lmclint("lmclint - < FILE", "-").from(path).atMost(1.5).within(32),
			b.lmclint("cat FILE \\| lmclint -", "-").fedBy("cat", path).atMost(1.5).within(32),
			b.lmclint("lmclint FILE.gz", compressed).within(32),
			b.built("Go gunzip (klauspost), decompress alone", "gunzip", compressed),
			b.system("gzip", "-dc", compressed),
		},
	}, err
}

// has reports whether lmclint knows a flag.
func (b *bench) has(ctx context.Context, flag string) bool {
	help, err := output(ctx, b.program("lmclint"), "check", "--help")
	return err == nil && strings.Contains(help, flag)
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// sizes is the amount of data of each kind.
type sizes struct {
	chunks, cliffChunks, wrongChunks, files int
	imageBytes, longBytes                   int64
	piped                                   []int64 // bytes of the memory section
}

func sizesOf(quick bool) sizes {
	if quick {
		return sizes{60_000, 20_000, 10_000, 300, 10e6, 5e6, []int64{5e6, 20e6}}
	}
	return sizes{1_500_000, 400_000, 400_000, 10_000, 200e6, 100e6, []int64{100e6, 1000e6, 4000e6}}
}

// Slow programs read a part of the stream.
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
	s := section{name: "stream", title: "A stream of " + humanize.Comma(int64(b.size.chunks)) + " chunks", bytes: bytes, tools: []tool{
		b.lmclint("lmclint", path).within(24),
		b.naive("chunk", short).oneIn(naivePart).atLeast(400),
		b.sourcemeta("chunk", medium).oneIn(exhaustivePart),
		b.sourcemeta("chunk", path, "--fast").atLeast(60),
		b.ajv("ajv, block reads", "ajv_blocks.mjs", "chunk", path),
		b.ajv("ajv, readline", "ajv_readline.mjs", "chunk", path),
		b.system("jq", "empty", path).atLeast(18),
		b.simdjson("simdjson DOM, parse alone", "simdjson_dom", path).atLeast(1.4),
		b.simdjson("simdjson on demand, all members", "simdjson_ondemand", path),
		b.system("wc", "-l", path),
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
			b.lmclint("lmclint - < FILE", "-").from(path).within(32),
			b.lmclint("cat FILE \\| lmclint -", "-").fedBy("cat", path).within(32),
			b.lmclint("lmclint FILE.gz", compressed).within(32),
			b.built("Go gunzip (klauspost), decompress alone", "gunzip", compressed),
			b.system("gzip", "-dc", compressed),
		},
	}, err
}

// has reports whether lmclint has a flag.
func (b *bench) has(ctx context.Context, flag string) bool {
	help, err := output(ctx, b.program("lmclint"), "check", "--help")
	return err == nil && strings.Contains(help, flag)
}

func (b *bench) transcriptsSection(ctx context.Context) ([]section, error) {
	folder, err := b.data(ctx, "transcripts-"+strconv.Itoa(b.size.files), "--kind", "transcripts", "--files", strconv.Itoa(b.size.files))
	if err != nil {
		return nil, err
	}
	files, err := names(folder)
	if err != nil {
		return nil, err
	}
	bytes, err := sizeOf(folder)
	system := func(args ...string) tool { return b.system(append(args, files...)...).in(folder) }
	return []section{{
		name: "transcripts", title: humanize.Comma(int64(b.size.files)) + " small transcripts", bytes: bytes,
		tools: []tool{
			b.lmclint("lmclint", folder).within(28),
			b.naive("transcript", files...).in(folder).atLeast(25),
			b.sourcemeta("transcript", folder),
			b.sourcemeta("transcript", folder, "--fast"),
			b.ajv("ajv", "ajv_files.mjs", "transcript", folder).atLeast(2.5),
			system("jq", "empty"),
			b.simdjson("simdjson DOM, parse alone", "simdjson_dom", folder),
			system("wc", "-l"),
			system("cat"),
		},
	}}, err
}

func (b *bench) imagesSection(ctx context.Context) ([]section, error) {
	size := strconv.FormatInt(b.size.imageBytes, 10)
	path, err := b.data(ctx, "images-"+size+".json", "--kind", "images", "--bytes", size)
	if err != nil {
		return nil, err
	}
	bytes, err := sizeOf(path)
	return []section{{
		name: "images", title: "One transcript of images", bytes: bytes,
		note: "lmclint also decodes the base64 and follows the images to their end (LMC401 to LMC403); no other program here does.",
		tools: []tool{
			b.lmclint("lmclint", path).within(24),
			b.naive("transcript", path).atLeast(9),
			b.sourcemeta("transcript", path),
			b.sourcemeta("transcript", path, "--fast").atLeast(1),
			b.ajv("ajv", "ajv_files.mjs", "transcript", path),
			b.system("jq", "empty", path),
			b.simdjson("simdjson DOM, parse alone", "simdjson_dom", path),
			b.system("wc", "-l", path),
			b.system("cat", path),
		},
	}}, err
}

func (b *bench) tinySection(ctx context.Context) ([]section, error) {
	path, err := b.data(ctx, "tiny.jsonl", "--kind", "tiny")
	if err != nil {
		return nil, err
	}
	bytes, err := sizeOf(path)
	return []section{{
		name: "tiny", title: "A file of 22 lines", bytes: bytes, often: 20,
		tools: []tool{
			b.lmclint("lmclint", path).within(14),
			b.built("Go, jsonschema/v5 only imported", "importv5").atLeast(1 / 1.6),
			b.built("Go, hello world", "hello"),
			b.naive("chunk", path),
			b.sourcemeta("chunk", path),
			b.sourcemeta("chunk", path, "--fast"),
			b.ajv("ajv, block reads", "ajv_blocks.mjs", "chunk", path),
			b.system("jq", "empty", path),
			b.system("wc", "-l", path),
		},
	}}, err
}

const wrongPart = 10 // slow programs read one part in ten

func (b *bench) wrongSection(ctx context.Context) ([]section, error) {
	var sections []section
	for _, wrong := range []string{"same", "different"} {
		s, err := b.wrongStream(ctx, wrong)
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
	}
	return sections, nil
}

// wrongStream plans a stream with one mistake in every record.
func (b *bench) wrongStream(ctx context.Context, wrong string) (section, error) {
	path, err := b.stream(ctx, b.size.wrongChunks, "--wrong="+wrong)
	if err != nil {
		return section{}, err
	}
	short, err := b.stream(ctx, b.size.wrongChunks/wrongPart, "--wrong="+wrong)
	if err != nil {
		return section{}, err
	}
	bytes, err := sizeOf(path)
	title := "A stream of " + humanize.Comma(int64(b.size.wrongChunks)) + " records, each with the same mistake"
	if wrong == "different" {
		title = "A stream of " + humanize.Comma(int64(b.size.wrongChunks)) + " records, all wrong and hardly one like another"
	}
	return section{
		name: "wrong", title: title, bytes: bytes,
		note: "Every finding is written: by lmclint, naive and ajv as JSON, by sourcemeta as text.",
		tools: []tool{
			b.lmclint("lmclint --format jsonl", "--format", "jsonl", path).exits(1).within(32),
			b.naive("chunk", short).oneIn(wrongPart).exits(1).atLeast(10),
			b.sourcemeta("chunk", short, "--fast", "--continue").oneIn(wrongPart).exits(2).quietly(),
			b.ajv("ajv, block reads", "ajv_blocks.mjs", "chunk", path).exits(1),
		},
	}, err
}

func (b *bench) cliffsSection(ctx context.Context) ([]section, error) {
	cliffs := []struct {
		name  string
		most  float64
		flags []string
	}{
		{"as json.dumps writes it", 0, nil},
		{"CRLF", 1.5, []string{"--crlf"}},
		{"keys shuffled", 3, []string{"--shuffled"}},
		{"compact", 1.5, []string{"--compact"}},
		{"raw CJK", 1.5, []string{"--script=han", "--raw"}},
		{"escaped CJK", 1.5, []string{"--script=han"}},
	}
	s := section{
		name: "cliffs", title: "Cliffs: the same number of chunks, written otherwise",
		note: "All rows are lmclint on " + humanize.Comma(int64(b.size.cliffChunks)) + " chunks.",
	}
	for _, c := range cliffs {
		path, err := b.stream(ctx, b.size.cliffChunks, c.flags...)
		if err != nil {
			return nil, err
		}
		bytes, err := sizeOf(path)
		if err != nil {
			return nil, err
		}
		s.tools = append(s.tools, b.lmclint(c.name, path).atMost(c.most).reading(bytes))
	}
	long, err := b.longSection(ctx)
	return []section{s, long}, err
}

func (b *bench) longSection(ctx context.Context) (section, error) {
	size := strconv.FormatInt(b.size.longBytes, 10)
	path, err := b.data(ctx, "long-"+size+".jsonl", "--kind", "long", "--bytes", size)
	if err != nil {
		return section{}, err
	}
	bytes, err := sizeOf(path)
	return section{
		name: "cliffs", title: "A cliff: one line that is nearly the whole file", bytes: bytes,
		tools: []tool{
			b.lmclint("lmclint", path).within(2.5 * megabytes(bytes)),
			b.naive("chunk", path),
			b.ajv("ajv, block reads", "ajv_blocks.mjs", "chunk", path),
			b.system("jq", "empty", path),
		},
	}, err
}

func (b *bench) memorySection(context.Context) ([]section, error) {
	s := section{
		name: "memory", title: "Memory: streams of any length through a pipe",
		note: "The generator writes into the pipe while lmclint reads; no file is made. The generator is the slower of the two and bounds the wall time.",
		once: true,
	}
	for _, bytes := range b.size.piped {
		s.tools = append(s.tools, b.lmclint(fmt.Sprintf("%s MB", humanize.Comma(bytes/1e6)), "-").within(32).reading(bytes).
			fedBy(b.program("generate"), "--kind", "stream", "--bytes", strconv.FormatInt(bytes, 10)))
	}
	return []section{s}, nil
}

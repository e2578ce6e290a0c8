package main

import (
	"context"
	"strconv"
)

func (b *bench) cliffsSection(ctx context.Context) ([]section, error) {
	cliffs := []struct {
		name  string
		most  float64
		flags []string
	}{
		{"as json.dumps writes it", 0, nil},
		{"CRLF", 2, []string{"--crlf"}},
		{"keys shuffled", 3, []string{"--shuffled"}},
		{"compact", 1.2, []string{"--compact"}},
		{"raw CJK", 1.6, []string{"--script=han", "--raw"}},
		{"escaped CJK", 0, []string{"--script=han"}},
	}
	s := section{
		name: "cliffs", title: "Cliffs: the same number of chunks, written otherwise",
		note: "All rows are lmclint on " + grouped(b.size.cliffChunks) + " chunks.",
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

package main

import "context"

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
			b.built("Go, jsonschema/v5 only imported", "importv5").atLeast(1 / 1.4),
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

package main

import (
	"context"
	"strconv"
)

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
		name: "transcripts", title: grouped(b.size.files) + " small transcripts", bytes: bytes,
		tools: []tool{
			b.lmclint("lmclint", folder).within(24),
			b.naive("transcript", files...).in(folder).atLeast(30),
			b.sourcemeta("transcript", folder),
			b.sourcemeta("transcript", folder, "--fast").atLeast(6),
			b.ajv("ajv", "ajv_files.mjs", "transcript", folder).atLeast(4),
			system("jq", "empty"),
			b.simdjson("simdjson DOM, parse alone", "simdjson_dom", folder),
			system("wc", "-l"),
			system("cat"),
		},
	}}, err
}

package main

import (
	"context"
	"strconv"
)

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
			b.sourcemeta("transcript", path, "--fast").atLeast(2),
			b.ajv("ajv", "ajv_files.mjs", "transcript", path),
			b.system("jq", "empty", path).atLeast(5),
			b.simdjson("simdjson DOM, parse alone", "simdjson_dom", path),
			b.system("wc", "-l", path),
			b.system("cat", path),
		},
	}}, err
}

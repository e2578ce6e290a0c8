package main

import "context"

const wrongPart = 10 // of which slow programs get one

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

// wrongStream has one mistake in every record, all of them to be reported.
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
	title := "A stream of " + grouped(b.size.wrongChunks) + " records, each with the same mistake"
	if wrong == "different" {
		title = "A stream of " + grouped(b.size.wrongChunks) + " records, all wrong and hardly one like another"
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

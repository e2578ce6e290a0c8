package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// section is a table: programs that do the same work.
type section struct {
	name, title string
	data        []string // arguments of the generator, with a size in {}
	often       int      // runs in a round, 1 where 0
	rows        []row
}

// extension is that of the data's name, by which some programs read it.
func (s *section) extension() string {
	switch {
	case slices.Contains(s.data, "--gzip"):
		return ".jsonl.gz"
	case s.data[0] == "--kind=images":
		return ".json"
	case s.data[0] == "--kind=transcripts":
		return ""
	}
	return ".jsonl"
}

// row is a program to run.
type row struct {
	name    string
	command string // see expand
	data    []string
	part    int    // it gets one part in that many of the data
	exit    int    // the exit status that means success
	feed    string // a command whose output is its standard input
	floor   string // of the ratio of the wall times, or of the peak, from DESIGN
}

// The commands of the programs. $DATA is the file or the folder, $BIN the folder of
// programs and $SCHEMA that of the published schemas.
const (
	linter     = "$BIN/lmclint --dialect interpreter --fail-on note "
	naive      = "$BIN/naive -schema $SCHEMA/"
	sourcemeta = "$BIN/sourcemeta validate "
	ajv        = "node $NPM/ajv_"
)

// sections are the tables in the order of the report.
var sections = []section{
	{name: "stream", title: "A stream of 1,500,000 chunks", data: []string{"--kind=stream", "--chunks={1500000}"}, rows: []row{
		{name: "lmclint", command: linter + "$DATA", floor: "24 MB"},
		{name: "naive Go", command: naive + "chunk.schema.json $DATA", part: 15, floor: "≥ 350"},
		{name: "sourcemeta validate", command: sourcemeta + "$SCHEMA/chunk.schema.json $DATA", part: 5},
		{name: "sourcemeta validate --fast", command: sourcemeta + "--fast $SCHEMA/chunk.schema.json $DATA", floor: "≥ 55"},
		{name: "ajv, block reads", command: ajv + "blocks.mjs $NPM/chunk.mjs $DATA"},
		{name: "ajv, readline", command: ajv + "readline.mjs $NPM/chunk.mjs $DATA"},
		{name: "jq empty", command: "jq empty $DATA", floor: "≥ 15"},
		{name: "simdjson DOM, parse alone", command: "$BIN/simdjson_dom $DATA", floor: "≥ 1"},
		{name: "simdjson on demand, all members", command: "$BIN/simdjson_ondemand $DATA"},
		{name: "wc -l", command: "wc -l $DATA"},
		{name: "cat", command: "cat $DATA"},
		{name: "lmclint --jobs 1", command: linter + "--jobs 1 $DATA"},
		{name: `cat FILE \| lmclint -`, command: linter + "-", feed: "cat $DATA"},
	}},
	{name: "gzip", title: "The same stream, compressed", data: []string{"--kind=stream", "--chunks={1500000}", "--gzip"}, rows: []row{
		{name: "lmclint FILE.gz", command: linter + "$DATA"},
		{name: "Go gunzip (klauspost), decompress alone", command: "$BIN/gunzip $DATA"},
		{name: "gzip -dc", command: "gzip -dc $DATA"},
	}},
	{name: "transcripts", title: "10,000 small transcripts", data: []string{"--kind=transcripts", "--files={10000}"}, rows: []row{
		{name: "lmclint", command: linter + "$DATA", floor: "34 MB"},
		{name: "naive Go", command: naive + "transcript.schema.json $FILES", floor: "≥ 18"},
		{name: "sourcemeta validate", command: sourcemeta + "$SCHEMA/transcript.schema.json $DATA"},
		{name: "sourcemeta validate --fast", command: sourcemeta + "--fast $SCHEMA/transcript.schema.json $DATA"},
		{name: "ajv", command: ajv + "files.mjs $NPM/transcript.mjs $DATA", floor: "≥ 1.8"},
		{name: "jq empty", command: "jq empty $FILES"},
		{name: "simdjson DOM, parse alone", command: "$BIN/simdjson_dom $DATA"},
		{name: "wc -l", command: "wc -l $FILES"},
		{name: "cat", command: "cat $FILES"},
	}},
	{name: "images", title: "One transcript of images, 200 MB", data: []string{"--kind=images", "--bytes={200000000}"}, rows: []row{
		{name: "lmclint", command: linter + "$DATA", floor: "26 MB"},
		{name: "naive Go", command: naive + "transcript.schema.json $DATA", floor: "≥ 9"},
		{name: "sourcemeta validate", command: sourcemeta + "$SCHEMA/transcript.schema.json $DATA"},
		{name: "sourcemeta validate --fast", command: sourcemeta + "--fast $SCHEMA/transcript.schema.json $DATA", floor: "≥ 1"},
		{name: "ajv", command: ajv + "files.mjs $NPM/transcript.mjs $DATA"},
		{name: "jq empty", command: "jq empty $DATA"},
		{name: "simdjson DOM, parse alone", command: "$BIN/simdjson_dom $DATA"},
		{name: "wc -l", command: "wc -l $DATA"},
	}},
	{name: "tiny", title: "A file of 22 lines", data: []string{"--kind=tiny"}, often: 20, rows: []row{
		{name: "lmclint", command: linter + "$DATA", floor: "20 MB"},
		{name: "Go, jsonschema/v5 only imported", command: "$BIN/importv5", floor: "≥ 0.55"},
		{name: "Go, hello world", command: "$BIN/hello"},
		{name: "naive Go", command: naive + "chunk.schema.json $DATA"},
		{name: "sourcemeta validate --fast", command: sourcemeta + "--fast $SCHEMA/chunk.schema.json $DATA"},
		{name: "ajv, block reads", command: ajv + "blocks.mjs $NPM/chunk.mjs $DATA"},
		{name: "jq empty", command: "jq empty $DATA"},
	}},
	wrong("same", "400,000 records, each with the same mistake"),
	wrong("different", "400,000 records, all wrong and hardly one like another"),
	{name: "cliffs", title: "The same number of chunks, written otherwise, by lmclint", data: []string{"--kind=stream", "--chunks={400000}"}, rows: []row{
		{name: "as json.dumps writes it", command: linter + "$DATA"},
		{name: "CRLF", command: linter + "$DATA", data: []string{"--crlf"}, floor: "≤ 1.5"},
		{name: "keys shuffled", command: linter + "$DATA", data: []string{"--shuffled"}, floor: "≤ 3"},
		{name: "compact", command: linter + "$DATA", data: []string{"--compact"}, floor: "≤ 1.5"},
		{name: "raw CJK", command: linter + "$DATA", data: []string{"--script=han", "--raw"}, floor: "≤ 1.5"},
		{name: "escaped CJK", command: linter + "$DATA", data: []string{"--script=han"}, floor: "≤ 1.5"},
	}},
	{name: "long", title: "One line of 100 MB", data: []string{"--kind=long", "--bytes={100000000}"}, rows: []row{
		{name: "lmclint", command: linter + "$DATA", floor: "250 MB"},
		{name: "naive Go", command: naive + "chunk.schema.json $DATA"},
		{name: "ajv, block reads", command: ajv + "blocks.mjs $NPM/chunk.mjs $DATA"},
		{name: "jq empty", command: "jq empty $DATA"},
	}},
	{name: "memory", title: "Streams of 100 MB and of 4 GB through a pipe, by lmclint", data: []string{"--kind=tiny"}, rows: []row{
		{name: "100 MB", command: linter + "-", feed: "$BIN/generate --kind stream --bytes {100000000}", floor: "32 MB"},
		{name: "4 GB", command: linter + "-", feed: "$BIN/generate --kind stream --bytes {4000000000}", floor: "32 MB"},
	}},
}

// wrong is a stream with a mistake in every record. Every finding is written: by
// lmclint, naive and ajv as JSON, by sourcemeta as text.
func wrong(which, title string) section {
	return section{name: "wrong-" + which, title: title, data: []string{"--kind=stream", "--chunks={400000}", "--wrong=" + which}, rows: []row{
		{name: "lmclint --format jsonl", command: linter + "--format jsonl $DATA", exit: 1, floor: "32 MB"},
		{name: "naive Go", command: naive + "chunk.schema.json $DATA", part: 10, exit: 1, floor: "≥ 6"},
		{name: "sourcemeta validate --fast --continue", command: sourcemeta + "--fast --continue $SCHEMA/chunk.schema.json $DATA", part: 10, exit: 2},
		{name: "ajv, block reads", command: ajv + "blocks.mjs $NPM/chunk.mjs $DATA", exit: 1},
	}}
}

// expand returns the words of a command.
func (w *workspace) expand(command, data string) ([]string, error) {
	names := strings.NewReplacer("$BIN", w.program(""), "$NPM", filepath.Join(w.cache, "npm"), "$SCHEMA", filepath.Dir(w.schema("")), "$DATA", data)
	words := strings.Fields(command)
	at := slices.Index(words, "$FILES")
	for i := range words {
		words[i] = names.Replace(words[i])
	}
	if at < 0 {
		return words, nil
	}
	files, err := filepath.Glob(filepath.Join(data, "*.json"))
	return slices.Replace(words, at, at+1, files...), err
}

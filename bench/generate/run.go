package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/bench/internal/sample"
)

// options are the flags of the program.
type options struct {
	kind, script, wrong string
	out                 string
	gzip                bool
	files               int
	bytes               int64
	stream              sample.Stream
}

func parse(args []string) (*options, error) {
	o := &options{}
	flags := pflag.NewFlagSet("generate", pflag.ContinueOnError)
	flags.StringVar(&o.kind, "kind", "stream", "stream, transcripts, images, long or tiny")
	flags.StringVar(&o.out, "out", "-", "file to write, or the folder of transcripts")
	flags.Uint64Var(&o.stream.Seed, "seed", 1, "another seed gives other data")
	flags.IntVar(&o.stream.Chunks, "chunks", 0, "chunks of a stream")
	flags.Int64Var(&o.bytes, "bytes", 0, "about how many bytes, of a stream, of images or of the long line")
	flags.IntVar(&o.files, "files", 10000, "how many transcripts")
	flags.BoolVar(&o.stream.Layout.CRLF, "crlf", false, "end lines with \\r\\n")
	flags.BoolVar(&o.stream.Layout.Compact, "compact", false, "no spaces after ',' and ':'")
	flags.BoolVar(&o.stream.Layout.Shuffled, "shuffled", false, "keys in an order of their own in each record")
	flags.BoolVar(&o.stream.Layout.Raw, "raw", false, "UTF-8 instead of \\u escapes")
	flags.StringVar(&o.script, "script", "mixed", "mixed or han: what the text is written in")
	flags.StringVar(&o.wrong, "wrong", "", "same or different: a mistake in every record of a stream")
	flags.BoolVar(&o.gzip, "gzip", false, "compress")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, o.resolve()
}

// resolve parses the values of flags.
func (o *options) resolve() error {
	scripts := map[string]sample.Script{"mixed": sample.Mixed, "han": sample.Han}
	wrongs := map[string]sample.Wrong{"": sample.Healthy, "same": sample.Same, "different": sample.Different}
	var known [2]bool
	o.stream.Script, known[0] = scripts[o.script]
	o.stream.Wrong, known[1] = wrongs[o.wrong]
	if !known[0] || !known[1] {
		return fmt.Errorf("unknown value: --script %q --wrong %q", o.script, o.wrong)
	}
	o.stream.Bytes = o.bytes
	return nil
}

func run(args []string, stdout io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.kind == "transcripts" {
		return o.transcripts()
	}
	if o.out == "-" {
		return o.write(stdout)
	}
	return create(o.out, o.write)
}

// create writes a file. If that fails, it removes the file.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if err := errors.Join(write(b), b.Flush(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func (o *options) write(w io.Writer) error {
	if !o.gzip {
		return o.plain(w)
	}
	z := gzip.NewWriter(w)
	return errors.Join(o.plain(z), z.Close())
}

func (o *options) plain(w io.Writer) error {
	switch o.kind {
	case "stream":
		return sample.WriteStream(w, o.stream)
	case "images":
		return sample.WriteAlbum(w, o.stream.Seed, o.bytes)
	case "long":
		return sample.WriteLong(w, o.bytes)
	case "tiny":
		return sample.WriteTiny(w)
	}
	return fmt.Errorf("unknown kind %q", o.kind)
}

// transcripts writes a directory of files.
func (o *options) transcripts() error {
	if o.out == "-" || o.gzip {
		return errors.New("transcripts need --out FOLDER, and are not compressed")
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	for i := range o.files {
		path := filepath.Join(o.out, fmt.Sprintf("%05d.json", i))
		err := create(path, func(w io.Writer) error { return sample.WriteTranscript(w, o.stream.Seed+uint64(i)) })
		if err != nil {
			return err
		}
	}
	return nil
}

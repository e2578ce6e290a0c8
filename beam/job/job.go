package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/filter"
)

// Options are what a job reads and writes.
type Options struct {
	Inputs []string // files and globs, local, gs:// or s3://
	Output string   // the folder
	Config *Shipped // of ReadConfig
	Column string   // of tables that has a conversation in each row

	// Producer and Month are the patterns of a path by which findings are
	// counted, as [DefaultProducer] and [DefaultMonth].
	Producer, Month string

	Shards int // files of findings

	// Lanes is how many copies of the check the pipeline has. One is enough for
	// an engine that divides the elements of a transform between workers. Prism
	// does that only if one takes long, so that it uses a core for each lane.
	Lanes int
}

// maxLanes and maxShards bound the size of the pipeline and the number of files.
const (
	maxLanes  = 64
	maxShards = 10_000
)

// validate returns what is wrong with the options.
func (o *Options) validate() error {
	switch {
	case len(o.Inputs) == 0:
		return errors.New("no inputs: pass --input GLOB")
	case o.Output == "":
		return errors.New("no output: pass --output FOLDER")
	case o.Shards < 1 || o.Shards > maxShards:
		return fmt.Errorf("--shards is %d, expected 1 to %d", o.Shards, maxShards)
	case o.Lanes < 1 || o.Lanes > maxLanes:
		return fmt.Errorf("--workers is %d, expected 1 to %d", o.Lanes, maxLanes)
	}
	for flag, pattern := range map[string]string{"producer": o.Producer, "month": o.Month} {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return nil
}

// New returns the pipeline of a job.
func New(o Options) (*beam.Pipeline, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	inputs, unlisted := beam.ParDo2(s.Scope("expand"), &expandFn{Lanes: o.Lanes}, beam.CreateList(s, o.Inputs))
	lines := []beam.PCollection{beam.ParDo(s, &shardsFn{}, beam.Create(s, o.Shards))}
	outcomes := []beam.PCollection{unlisted}
	// A file that matches several globs is checked once.
	for i, lane := range beam.Partition(s, o.Lanes, laneOf, filter.Distinct(s, inputs)) {
		text, done := beam.ParDo2(s.Scope(fmt.Sprintf("check%d", i)), &checkFn{Config: o.Config, Column: o.Column, Shards: o.Shards}, beam.Reshuffle(s, lane))
		lines, outcomes = append(lines, text), append(outcomes, done)
	}
	write(s.Scope("findings"), &writeFn{o.Output, FindingsName, o.Shards}, lines...)
	summarize(s.Scope("summary"), &o, outcomes)
	return p, nil
}

// The files in the folder of the output. That of the findings is one of several:
// shardName has their names.
const (
	FindingsName = "findings.jsonl"
	RefusedName  = "refused.jsonl"
	SummaryName  = "summary.json"
)

// write writes texts to files.
func write(s beam.Scope, fn *writeFn, texts ...beam.PCollection) {
	beam.ParDo0(s, fn, beam.GroupByKey(s, beam.Flatten(s, texts...)))
}

// summarize writes the summary, and the inputs that were refused.
func summarize(s beam.Scope, o *Options, outcomes []beam.PCollection) {
	counts, refused := beam.ParDo2(s, &countFn{Producer: o.Producer, Month: o.Month}, beam.Flatten(s, outcomes...))
	write(s, &writeFn{o.Output, RefusedName, 0}, refused, beam.ParDo(s, &shardsFn{}, beam.Create(s, 1)))

	sums := beam.CombinePerKey(s, sum, counts)
	all := beam.ParDo(s, single, beam.ParDo(s, asCount, sums))
	text := beam.ParDo(s, &summarizeFn{}, beam.GroupByKey(s, all))
	write(s, &writeFn{o.Output, SummaryName, 0}, text)
}

// Clear fails if the folder has the output of a job, unless replace is set: then
// it removes that. Files of two jobs would count twice.
func Clear(ctx context.Context, folder string, replace bool) error {
	paths, err := outputs(ctx, folder)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", folder, err)
	case len(paths) > 0 && !replace:
		return fmt.Errorf("%s has the output of a job: choose another folder, or pass --overwrite", folder)
	}
	for _, path := range paths {
		if err := remove(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// outputs returns the files in a folder that are of a job.
func outputs(ctx context.Context, folder string) (paths []string, err error) {
	err = within(ctx, folder, func(fs filesystem.Interface) error {
		paths, err = fs.List(ctx, join(folder, "*"))
		return err
	})
	return slices.DeleteFunc(paths, func(path string) bool { return !outputNames.MatchString(path[strings.LastIndexByte(path, '/')+1:]) }), err
}

// outputNames matches the names of the files of a job, and of those that it was
// writing when it was killed.
var outputNames = regexp.MustCompile(`^(findings-\d{5}-of-\d{5}\.jsonl|refused\.jsonl|summary\.json)(\.[0-9a-f]+\.tmp)?$`)

func remove(ctx context.Context, path string) error {
	return within(ctx, path, func(fs filesystem.Interface) error {
		remover, ok := fs.(filesystem.Remover)
		if !ok {
			return fmt.Errorf("%s cannot be removed", path)
		}
		return remover.Remove(ctx, address(path))
	})
}

// ReadSummary reads the summary of a job that has ended.
func ReadSummary(ctx context.Context, folder string) (*Summary, error) {
	file, err := open(ctx, join(folder, SummaryName))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	s := &Summary{}
	return s, json.Unmarshal(text, s)
}

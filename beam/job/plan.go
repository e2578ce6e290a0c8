package job

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/lint"
)

func init() {
	beam.RegisterDoFn(&planFn{})
	beam.RegisterFunction(laneOf)
}

// maxHead is the maximum size of the first lines that are read again for each
// part of an input. Detection mostly needs one record, and at most 1,000.
const maxHead = 1 << 20

// planFn decides what of an input is checked at a time.
type planFn struct {
	Config *Shipped
	Part   int64 // size of a part in bytes
	Lanes  int

	linters *linters
}

// Setup reads the configuration.
func (fn *planFn) Setup() (err error) {
	fn.linters, err = newLinters(fn.Config)
	return err
}

// ProcessElement emits the pieces of an input, or an outcome with a failure if
// it cannot be read.
func (fn *planFn) ProcessElement(ctx context.Context, path string, _ func(*bool) bool, emit func(Piece), refuse func(Outcome)) error {
	bytes, err := size(ctx, path)
	if err != nil {
		refuse(refused(path, err))
		return ctx.Err()
	}
	whole := Piece{Path: path, Size: bytes}
	head := (*Piece)(nil)
	if bytes >= 2*fn.Part {
		if head, err = fn.head(ctx, whole); err != nil {
			refuse(refused(path, err))
			return ctx.Err()
		}
	}
	if head == nil {
		whole.Lane = fn.lane(&whole)
		emit(whole)
		return nil
	}
	for _, part := range (offsetrange.Restriction{End: bytes}).SizedSplits(fn.Part) {
		piece := *head
		piece.Start, piece.End = part.Start, part.End
		piece.Lane = fn.lane(&piece)
		emit(piece)
	}
	return nil
}

// lane returns the lane of a piece: parts of one input go to several.
func (fn *planFn) lane(p *Piece) int {
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, p.key(p.Start)) // a hash has no errors
	return int(hash.Sum32() % uint32(fn.Lanes))
}

// laneOf is the lane of a piece for beam.Partition.
func laneOf(p Piece) int { return p.Lane }

// errHeadEnds ends the check of the first lines.
var errHeadEnds = errors.New("the first lines end")

// begun notes that the check of a conversation began: the linter has detected
// what the input is.
type begun bool

// Begin implements [plugin.Observer].
func (b *begun) Begin(plugin.Conversation) plugin.ConversationObserver {
	*b = true
	return nil
}

// head returns a piece with the first lines of an input whose lines are whole
// conversations, or nil for one that must be read from its beginning to its end:
// one stream or list, compressed data, or an input that a baseline lists.
func (fn *planFn) head(ctx context.Context, piece Piece) (*Piece, error) {
	if _, listed, err := fn.linters.of(piece.Path); err != nil || listed {
		return nil, err
	}
	file, err := open(ctx, piece.Path, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, min(maxHead, fn.Part/4)))
	if err != nil {
		return nil, err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	if !isPlain(text) {
		return nil, nil
	}
	var detected begun
	linter, err := fn.linters.probing(piece.Path, &detected)
	if err != nil {
		return nil, err
	}
	result, err := linter.Run(ctx, piece.Path, io.MultiReader(bytes.NewReader(text), failing{}), func(lint.Finding) error { return nil })
	switch {
	case !errors.Is(err, errHeadEnds), !bool(detected):
		return nil, nil // the check of the whole input reports it
	case result.Protocol != "lmc", result.Form != "jsonl", result.Conversations < 2, result.Joined > 0:
		return nil, nil
	}
	piece.Head, piece.HeadLines = int64(len(text)), bytes.Count(text, []byte{'\n'})
	piece.HeadConversations, piece.HeadRecords = result.Conversations, result.Records
	return &piece, nil
}

// isPlain reports whether text is that of JSON whose lines end with a line feed.
func isPlain(text []byte) bool {
	begin := bytes.TrimLeft(text, " \t\r\n")
	if len(begin) == 0 || begin[0] != '[' && begin[0] != '{' {
		return false
	}
	return bytes.Count(text, []byte{'\r'}) == bytes.Count(text, []byte("\r\n"))
}

// failing is what follows the first lines.
type failing struct{}

// Read implements [io.Reader].
func (failing) Read([]byte) (int, error) { return 0, errHeadEnds }

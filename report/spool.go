package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/lmclint/lmclint/lint"
)

// spoolBlock is how many bytes of text are compressed together, or some more.
// Texts are mostly wanted in the order in which they came; a block is small
// enough for those that are not.
const spoolBlock = 32 << 10

// spool keeps what a document says of each finding until the findings can be
// put in order. A million findings take some 50 MB: their texts are compressed.
type spool struct {
	entries      []spoolEntry
	paths, rules ranks

	sealed [][]byte // compressed blocks
	open   []byte   // the block at hand
	pack   *zstd.Encoder

	read   []byte // the block read last
	number uint32 // of that block, from 1
	unpack *zstd.Decoder
}

// spoolEntry is a finding's place in the order, and where its text is.
type spoolEntry struct {
	offset            int64
	path, rule        uint32 // numbers, later ranks
	block, from, size uint32
}

// add keeps a copy of a text about a finding.
func (s *spool) add(f *lint.Finding, text []byte) error {
	s.entries = append(s.entries, spoolEntry{
		offset: f.Place.Span.Start.Offset, path: s.paths.of(f.Path), rule: s.rules.of(f.Rule.ID),
		block: uint32(len(s.sealed)), from: uint32(len(s.open)), size: uint32(len(text)),
	})
	s.open = append(s.open, text...)
	if len(s.open) < spoolBlock {
		return nil
	}
	return s.seal()
}

// seal compresses the block at hand.
func (s *spool) seal() (err error) {
	if s.pack == nil {
		s.pack, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
		if err != nil {
			return fmt.Errorf("compress: %w", err)
		}
	}
	s.sealed = append(s.sealed, slices.Clip(s.pack.EncodeAll(s.open, nil)))
	s.open = s.open[:0]
	return nil
}

// sort puts the findings in the order of documents. Nothing is added after it.
func (s *spool) sort() {
	paths, rules := s.paths.sort(), s.rules.sort()
	for i := range s.entries {
		e := &s.entries[i]
		e.path, e.rule = paths[e.path], rules[e.rule]
	}
	slices.SortStableFunc(s.entries, func(a, b spoolEntry) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.offset, b.offset), cmp.Compare(a.rule, b.rule))
	})
}

func (s *spool) len() int { return len(s.entries) }

// path returns the path of a finding, by its place in the order.
func (s *spool) path(i int) string { return s.paths.names[s.entries[i].path] }

// text returns what was kept of a finding, by its place in the order. It is
// good until the next call.
func (s *spool) text(i int) ([]byte, error) {
	e := &s.entries[i]
	block := s.open
	if int(e.block) < len(s.sealed) {
		if err := s.load(e.block); err != nil {
			return nil, err
		}
		block = s.read
	}
	return block[e.from : e.from+e.size], nil
}

func (s *spool) load(block uint32) (err error) {
	if s.number == block+1 {
		return nil
	}
	if s.unpack == nil {
		s.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	s.read, err = s.unpack.DecodeAll(s.sealed[block], s.read[:0])
	if err != nil {
		return fmt.Errorf("decompress: %w", err)
	}
	s.number = block + 1
	return nil
}

// ranks numbers names in the order in which they come, and then by rank.
type ranks struct {
	names   []string
	numbers map[string]uint32
}

func (r *ranks) of(name string) uint32 {
	if last := len(r.names) - 1; last >= 0 && r.names[last] == name {
		return uint32(last)
	}
	number, ok := r.numbers[name]
	if !ok {
		if r.numbers == nil {
			r.numbers = map[string]uint32{}
		}
		number = uint32(len(r.names))
		r.numbers[name] = number
		r.names = append(r.names, name)
	}
	return number
}

// sort sorts the names and returns the rank of each number.
func (r *ranks) sort() []uint32 {
	slices.Sort(r.names)
	rank := make([]uint32, len(r.names))
	for i, name := range r.names {
		rank[r.numbers[name]] = uint32(i)
	}
	return rank
}

// compare orders findings as documents list them: by path, offset and rule.
func compare(a, b *lint.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
		cmp.Compare(a.Message, b.Message),
	)
}

func sortFindings(findings []lint.Finding) {
	slices.SortStableFunc(findings, func(a, b lint.Finding) int { return compare(&a, &b) })
}

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// gravest keeps the findings that matter most, up to a number, and counts the
// rest: memory stays bounded, and what is left does not depend on how many
// jobs there were.
type mostSevere struct {
	most int // to keep
	kept []lint.Finding
	left int // findings that were not kept
}

func (g *mostSevere) add(f lint.Finding) {
	g.kept = append(g.kept, f)
	if len(g.kept) >= 2*g.most {
		g.cut()
	}
}

func (g *mostSevere) cut() {
	if len(g.kept) <= g.most {
		return
	}
	slices.SortStableFunc(g.kept, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), compare(&a, &b))
	})
	g.left += len(g.kept) - g.most
	clear(g.kept[g.most:])
	g.kept = g.kept[:g.most]
}

// sorted returns what was kept in the order of documents.
func (g *mostSevere) sorted() []lint.Finding {
	g.cut()
	sortFindings(g.kept)
	return g.kept
}

package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/lmclint/lmclint/lint"
)

// spoolBlock is about how many bytes of text are compressed together. Texts are
// mostly read in the order in which they were added; a block is small enough to
// read the others one by one.
const spoolBlock = 32 << 10

// spoolFirst is the size of the first block, which is not compressed: to compress
// a text takes about as long as to write it.
const spoolFirst = 1 << 20

// spool stores the texts of findings until the findings can be sorted. Many are
// compressed: a million findings take about 50 MB.
type spool struct {
	entries      []spoolEntry
	paths, rules names

	first  []byte   // block 0, while there is room in it
	sealed [][]byte // compressed blocks, from 1
	open   []byte   // the current block, not compressed
	pack   *zstd.Encoder

	read   []byte // the block read last
	number uint32 // of that block, from 1
	unpack *zstd.Decoder
}

// spoolEntry is the sort key of a finding, and where its text is.
type spoolEntry struct {
	offset            int64
	path, rule        uint32 // numbers in names
	block, from, size uint32
}

// add stores a copy of the text of a finding.
func (s *spool) add(f *lint.Finding, text []byte) error {
	return s.put(f.Path, f.Rule.ID, f.Place.Span.Start.Offset, text)
}

// put is add by what findings are sorted by.
func (s *spool) put(path, rule string, offset int64, text []byte) error {
	e := spoolEntry{offset: offset, path: s.paths.numberOf(path), rule: s.rules.numberOf(rule), size: uint32(len(text))}
	if len(s.sealed) == 0 && len(s.open) == 0 && len(s.first)+len(text) <= spoolFirst {
		e.from = uint32(len(s.first))
		s.first = append(s.first, text...)
		s.entries = append(s.entries, e)
		return nil
	}
	e.block, e.from = uint32(len(s.sealed)+1), uint32(len(s.open))
	s.entries = append(s.entries, e)
	s.open = append(s.open, text...)
	if len(s.open) < spoolBlock {
		return nil
	}
	return s.seal()
}

// seal compresses the current block.
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

// sort sorts the findings by path, offset and rule. Nothing can be added after
// it.
func (s *spool) sort() {
	slices.SortStableFunc(s.entries, func(a, b spoolEntry) int {
		return cmp.Or(s.paths.compare(a.path, b.path), cmp.Compare(a.offset, b.offset), s.rules.compare(a.rule, b.rule))
	})
}

func (s *spool) len() int { return len(s.entries) }

// path returns the path of the i-th finding.
func (s *spool) path(i int) string { return s.paths.list[s.entries[i].path] }

// rule returns the id of the rule of the i-th finding.
func (s *spool) rule(i int) string { return s.rules.list[s.entries[i].rule] }

// clear removes all findings and keeps memory for others.
func (s *spool) clear() {
	*s = spool{
		entries: s.entries[:0], rules: s.rules,
		first: s.first[:0], sealed: s.sealed[:0], open: s.open[:0], pack: s.pack, read: s.read[:0], unpack: s.unpack,
	}
}

// text returns the text of the i-th finding. It is valid until the next call.
func (s *spool) text(i int) ([]byte, error) {
	e := &s.entries[i]
	block := s.open
	switch {
	case e.block == 0:
		block = s.first
	case int(e.block) <= len(s.sealed):
		if err := s.load(e.block); err != nil {
			return nil, err
		}
		block = s.read
	}
	return block[e.from : e.from+e.size], nil
}

// load decompresses a block into read.
func (s *spool) load(block uint32) (err error) {
	if s.number == block {
		return nil
	}
	if s.unpack == nil {
		s.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	s.read, err = s.unpack.DecodeAll(s.sealed[block-1], s.read[:0])
	if err != nil {
		return fmt.Errorf("decompress: %w", err)
	}
	s.number = block
	return nil
}

// names numbers names in the order of their first use, from 0.
type names struct {
	list    []string
	numbers map[string]uint32
}

func (n *names) numberOf(name string) uint32 {
	if last := len(n.list) - 1; last >= 0 && n.list[last] == name {
		return uint32(last)
	}
	number, ok := n.numbers[name]
	if !ok {
		if n.numbers == nil {
			n.numbers = map[string]uint32{}
		}
		number = uint32(len(n.list))
		n.numbers[name] = number
		n.list = append(n.list, name)
	}
	return number
}

// compare compares the names with two numbers.
func (n *names) compare(a, b uint32) int {
	if a == b {
		return 0
	}
	return cmp.Compare(n.list[a], n.list[b])
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

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// mostSevere keeps up to a number of the most severe findings and counts the
// rest. Memory is bounded, and the result does not depend on the number of jobs.
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

// sorted returns the findings that were kept, in the order of documents.
func (g *mostSevere) sorted() []lint.Finding {
	g.cut()
	slices.SortStableFunc(g.kept, func(a, b lint.Finding) int { return compare(&a, &b) })
	return g.kept
}

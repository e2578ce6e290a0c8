// Package redact replaces the content of a recording by text of the same shape, so that the
// linter finds the same in it.
//
// What stays is the vocabulary of the protocols: the names of keys, roles, types, formats
// and languages, flags, and phrases that Open Interpreter writes. All else in the records
// becomes other letters of the same kind: equal texts become equal ones, different texts
// different ones, and images become tiny images. What is around the records becomes the
// same letter over and over.
package redact

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// Options say how a recording is redacted.
type Options struct {
	Name  string                                     // of the input
	New   func(...lint.Option) (*lint.Linter, error) // makes a linter
	After string                                     // text before each record on its line, which stays
}

// Result is a redacted recording.
type Result struct {
	Text  []byte
	Lost  []lint.Finding // that the original has, and it has not
	Added []lint.Finding // that it has, and the original has not
}

// Text redacts the decompressed text of a recording. An error is that of a linter.
func Text(ctx context.Context, o Options, text []byte) (*Result, error) {
	r := &redactor{text: text, masks: masks{map[string][]rune{}, map[string]int{}}, blocks: map[block][]int{}}
	before, err := o.find(ctx, text, lint.WithObserver(func(string) plugin.Observer { return plugin.Records(r.add) }))
	if err != nil {
		return nil, err
	}
	result := &Result{Text: r.redacted(o.After)}
	after, err := o.find(ctx, result.Text)
	result.Lost, result.Added = without(before, after), without(after, before)
	return result, err
}

// find returns the findings of a text.
func (o *Options) find(ctx context.Context, text []byte, with ...lint.Option) (found []lint.Finding, err error) {
	linter, err := o.New(append(with, lint.WithEach())...)
	if err != nil {
		return nil, err
	}
	_, err = linter.Run(ctx, o.Name, bytes.NewReader(text), func(f lint.Finding) error {
		found = append(found, f)
		return nil
	})
	return found, err
}

// otherKey matches a key that is replaced, in a pointer.
var otherKey = regexp.MustCompile(`/[^/]*[^\w$/-][^/]*`)

// without returns the findings that others do not have: of the same rule, at the same place
// in the same record.
func without(found, others []lint.Finding) []lint.Finding {
	type key struct {
		rule         *lint.Rule
		conversation int
		record       int
		pointer      string
	}
	of := func(f *lint.Finding) key {
		return key{f.Rule, f.Conversation, f.Place.Record, otherKey.ReplaceAllString(f.Place.Pointer, "/")}
	}
	count := map[key]int{}
	for i := range others {
		count[of(&others[i])]++
	}
	return slices.DeleteFunc(slices.Clone(found), func(f lint.Finding) bool {
		count[of(&f)]--
		return count[of(&f)] >= 0
	})
}

// redactor collects what to replace in a recording.
type redactor struct {
	masks
	text   []byte
	pieces []piece
	blocks map[block][]int // of the pieces that are chunks, those of their blocks

	record  *source.Record // without its value, and so that it stays valid
	start   int            // of the record in the text
	view    *lmc.Record
	started int  // blocks
	isOpen  bool // the last of them
}

// piece is a part of the text to replace.
type piece struct {
	start, end int // in the text
	from, to   int // in the data of the record
	record     *source.Record
	kind       kind
	text       string // decoded
	block      block
	with       []byte // what replaces it
	value      int64  // of a number, or the millisecond of an instant
}

// block identifies a block by its number, and those of its chunks that have a role and type.
type block struct {
	number    int
	role, typ string
}

type kind uint8

const (
	kept  kind = iota
	prose      // a text, an id, a name
	number
	instant
)

// source returns the source of the piece, as it is in its record.
func (p *piece) source() []byte { return p.record.Data[p.from:p.to] }

// decode decodes an escape of the source.
func (p *piece) decode(source []byte) (r rune, size int) {
	if p.record.Python {
		return value.DecodePython(source)
	}
	return value.DecodeEscape(source)
}

// write returns what replaces the piece in the text, with another source.
func (p *piece) write(source []byte) []byte {
	if !p.record.IsDecoded() {
		return source
	}
	if span, text, ok := p.record.Rewrite(p.from, p.to, string(source)); ok && int(span.Start.Offset) == p.start {
		return []byte(text)
	}
	return value.AppendEscaped(nil, source, '"') // it is in a list of strings
}

// add adds the pieces of a record.
func (r *redactor) add(src *source.Record) {
	span := src.Span()
	start, end := int(span.Start.Offset), int(span.End.Offset)
	if src.IsGap || src.Root == nil || src.Root.Kind != source.Object || r.text[start] != '{' {
		return // it cannot be read, or is decoded from base64
	}
	record := *src
	if record.Root, record.Problems = nil, nil; !src.IsDecoded() {
		record.Data = r.text[start:end]
	}
	r.record, r.start, r.view = &record, start, lmc.NewRecord(src)
	if r.view.Start {
		r.started++
	}
	r.isOpen = r.isOpen || r.view.Start
	r.value(src.Root, "")
	r.isOpen = r.isOpen && !r.view.End
}

// addPiece adds the piece between two offsets in the data of the record.
func (r *redactor) addPiece(p piece, from, to int) {
	p.record, p.from, p.to = r.record, from, to
	p.start, p.end = r.start+from, r.start+to
	if r.record.IsDecoded() {
		p.start, p.end = int(r.record.PositionOf(from).Offset), int(r.record.PositionOf(to).Offset)
	}
	r.pieces = append(r.pieces, p)
}

// name matches the name of a key. Another key is content, as in an object by file name.
var name = regexp.MustCompile(`^[A-Za-z_$][\w$-]{0,39}$`)

// refusal matches the answer to code in an unknown language.
var refusal = regexp.MustCompile("^\\s*`([^`]*)` disabled or not supported\\.\\s*$")

// value adds the pieces of a value.
func (r *redactor) value(n *source.Node, key string) {
	for i := range n.Children {
		c := &n.Children[i]
		if isKept := name.MatchString(c.Name) || vocabulary().Has(c.Name); isKept {
			r.addPiece(piece{}, c.NameStart, c.NameEnd)
		} else if c.NameEnd > 0 {
			r.addPiece(piece{text: c.Name, kind: prose}, c.NameStart+1, c.NameEnd-1)
		}
		r.value(c, cmp.Or(c.Name, key))
	}
	from, to := n.Start+n.QuoteSize(), n.End-n.QuoteSize()
	p := piece{text: n.Text()}
	switch {
	case n.Kind == source.Object, n.Kind == source.Array:
		return
	case n.Kind == source.Number:
		if p.text = string(n.Raw()); key != "content" || len(p.text) > 3 { // no active_line
			p.kind, p.value = number, wholeOf(p.text)
		}
	case n.Kind == source.String && p.text != "" && !r.stays(key, p.text):
		p.kind = prose
		if id, ok := strings.CutPrefix(p.text, "go:"); ok && r.view.Type == "command" {
			r.addPiece(piece{}, from, from+len("go:"))
			p.text, from = id, from+len("go:")
		}
		r.quote(key, p.text)
		if parsed, isTime := workbench.ParseTimestamp(n); dated.MatchString(p.text) {
			if p.kind = instant; isTime {
				p.value = max(parsed.Time.UnixMilli(), 1000)
			}
		} else if n == r.view.Content && r.isOpen {
			p.block = block{r.started, r.view.Role, r.view.Type}
			r.blocks[p.block] = append(r.blocks[p.block], len(r.pieces))
		}
	}
	r.addPiece(p, from, to)
}

// quote notes what replaces a text that another one or a format is a part of.
func (r *redactor) quote(key, text string) {
	language, code := lmc.AskedCode(r.view.Content)
	if found := refusal.FindStringSubmatch(text); found != nil {
		word := lettersOf(found[1])
		if !r.stays("format", found[1]) {
			word = r.of(found[1])[:len(word)]
		}
		r.known[text] = append(slices.Clone(word), lettersOf("disabled or not supported")...)
	} else if key == "confirmation_id" && code != nil && text == approval(language.Text(), code.Text()) {
		r.known[text] = []rune(approval(language.Text(), string(replace([]byte(code.Text()), r.of(code.Text()), nil))))
	}
}

// approval is the id of a confirmation.
func approval(language, code string) string {
	sum := sha256.Sum256([]byte(language + "\x00" + code))
	return hex.EncodeToString(sum[:])
}

// redacted returns the text with other pieces, and others around them.
func (r *redactor) redacted(after string) []byte {
	r.replace()
	slices.SortFunc(r.pieces, func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	o, at := outside{masks: &r.masks, after: []byte(after)}, 0
	for i := range r.pieces {
		if p := &r.pieces[i]; p.start >= at {
			o.add(r.text[at:p.start])
			o.out = append(o.out, p.with...)
			at = p.end
		}
	}
	o.add(r.text[at:])
	return o.out
}

// replace sets what replaces the pieces.
func (r *redactor) replace() {
	numbers, times := ranks(r.pieces, number, 1), ranks(r.pieces, instant, 1000)
	for i := range r.pieces {
		switch p := &r.pieces[i]; {
		case p.with != nil: // a chunk
		case p.kind == kept:
			p.with = r.text[p.start:p.end]
		case p.kind == number:
			p.with = p.write(numberOf(p.source(), rank(numbers, p.value)))
		case p.kind == instant && dated.Match(p.source()):
			p.with = p.write(instantOf(p.source(), rank(times, p.value)))
		case len(r.blocks[p.block]) > 1:
			r.replaceTexts(r.blocks[p.block])
		default:
			r.replaceTexts([]int{i})
		}
	}
}

// replaceTexts sets what replaces the texts of a block, or a single text.
func (r *redactor) replaceTexts(block []int) {
	texts := make([]string, len(block))
	for i, n := range block {
		texts[i] = r.pieces[n].text
	}
	data := r.media(texts)
	var letters [][]rune
	if data == nil {
		letters = r.ofBlock(texts)
	}
	for i, n := range block {
		p := &r.pieces[n]
		if data != nil {
			p.with = p.write(value.AppendEscaped(nil, []byte(data[i]), p.record.Data[p.from-1]))
		} else {
			p.with = p.write(replace(p.source(), letters[i], p.decode))
		}
	}
}

package binding

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// rulePages is where the pages of the rules are.
const rulePages = "https://github.com/lmclint/lmclint/blob/main/docs/rules/"

// View checks a whole input, as Check does. The answer is the document that the
// page of the HTML report shows; an input that could not be checked to its end is
// a file with a failure in it. Progress is called with the bytes that were read.
func (b *Binding) View(input []byte, options string, progress func(bytes int)) []byte {
	o, err := parseOptions(options)
	if err != nil {
		return usage(err)
	}
	linter, err := b.linters.get(o, forView)
	if err != nil {
		return usage(err)
	}
	page := page.Builder{RulePage: func(r *lint.Rule) string { return rulePages + r.ID + ".md" }}
	found, result, err := lintAll(linter, o.Path, &meter{reader: bytes.NewReader(input), progress: progress})
	for _, f := range found {
		page.Finding(f)
	}
	if err == nil {
		err = o.compared(&result)
	}
	page.File(&result, err)
	return page.Document(b.tool.Name, b.tool.Version, summaryOf(&result, err))
}

// meter is a reader that says how far it is.
type meter struct {
	reader     io.Reader
	progress   func(bytes int)
	read, told int
}

// meterStep is how many bytes are read between two calls.
const meterStep = 1 << 20

// Read implements [io.Reader].
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.reader.Read(p)
	if m.read += n; m.read-m.told >= meterStep {
		m.told = m.read
		m.progress(m.read)
	}
	return n, err
}

// maxExampleBytes is how long an example is at most.
const maxExampleBytes = 64 << 10

// catalog is the answer of Examples.
type catalog struct {
	Dialects []string        `json:"dialects"`
	Rules    []ruleOfCatalog `json:"rules"`
}

type ruleOfCatalog struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Severity string    `json:"severity"`
	Examples []example `json:"examples"`
}

type example struct {
	Name    string  `json:"name"`
	Bad     bool    `json:"bad"`
	Input   string  `json:"input"`
	Options Options `json:"options"` // that are not the default
}

// Examples returns the dialects, and the examples of each rule with the options
// to check them with. Those that are long, that JSON cannot contain
// because they are not valid UTF-8, or that need an option that View lacks, are
// omitted.
func (b *Binding) Examples() []byte {
	made := catalog{Dialects: schema.Names()}
	for _, r := range rules.All() {
		one := ruleOfCatalog{ID: r.ID, Name: r.Name, Severity: r.Severity.String(), Examples: []example{}}
		for i, list := range [][]lint.Example{r.Bad, r.Good} {
			for _, e := range list {
				if e.Input == "" || len(e.Input) > maxExampleBytes || !utf8.ValidString(e.Input) || e.MaxDepth != 0 {
					continue
				}
				one.Examples = append(one.Examples, example{e.Name, i == 0, e.Input, Options{Config: e.Config, Against: e.Against}})
			}
		}
		made.Rules = append(made.Rules, one)
	}
	return encode(made)
}

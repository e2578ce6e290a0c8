package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// verify checks what no schema can: whether rules and dialects are there.
func (r *loading) verify() {
	for _, layer := range r.config.Layers {
		r.verifyRules(layer)
	}
	for i := range r.config.Overrides {
		r.verifyRules(r.config.Overrides[i].Layer)
	}
	dialects, err := r.config.Vocabulary()
	var wrong *schema.ExtensionError
	if errors.As(err, &wrong) {
		r.faults.add(r.config.Dialects[wrong.Index].Origin, "%s", wrong.Message)
		return
	}
	known := append([]string{"auto"}, dialects.Names()...)
	r.verifyDialect(r.config.Values["dialect"], known)
	for i := range r.config.Overrides {
		r.verifyDialect(r.config.Overrides[i].Values["dialect"], known)
	}
}

func (r *loading) verifyRules(layer lint.Layer) {
	selectors := slices.Concat(layer.Select, layer.ExtendSelect, layer.Ignore)
	for _, level := range layer.Levels {
		selectors = append(selectors, level.Selector)
	}
	for _, s := range selectors {
		r.verifyRule(s.Text, originOf(s.Origin))
	}
}

func (r *loading) verifyRule(word string, at Origin) {
	if found, _ := r.Catalogue.Select(word); len(found) == 0 {
		r.faults.add(at, "unknown rule %q%s", word, spelling.DidYouMean(word, r.Catalogue.Words()))
	}
}

func (r *loading) verifyDialect(v Value, known []string) {
	if name, ok := v.Value.(string); ok && !slices.Contains(known, name) {
		r.faults.add(v.Origin, "unknown dialect %q; known are %s%s", name, strings.Join(known, ", "), spelling.DidYouMean(name, known))
	}
}

// Vocabulary returns the dialects that there are under the configuration, nil
// if it adds none. The error is a [*schema.ExtensionError].
func (c *Config) Vocabulary() (*schema.Dialects, error) {
	if len(c.Dialects) == 0 {
		return nil, nil
	}
	extensions := make([]schema.Extension, len(c.Dialects))
	for i := range c.Dialects {
		extensions[i] = c.Dialects[i].Extension
	}
	return schema.NewDialects(extensions...)
}

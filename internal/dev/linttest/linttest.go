// Package linttest makes linters for tests.
package linttest

import "github.com/lmclint/lmclint/lint"

// MustNew is [lint.New] for options that are known to be right, of a linter that reports
// each place. It panics where lint.New returns an error.
func MustNew(rules []*lint.Rule, options ...lint.Option) *lint.Linter {
	linter, err := lint.New(rules, append([]lint.Option{lint.WithEach()}, options...)...)
	if err != nil {
		panic(err)
	}
	return linter
}

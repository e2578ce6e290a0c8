package protocol

import "slices"

// Row is a row of the table of what explains an anomaly to a rule.
type Row struct{ Rule, Condition string }

// Rows returns the rows of the table.
func Rows() (rows []Row) {
	for rule, conditions := range explanations {
		for _, c := range conditions {
			rows = append(rows, Row{rule, c.words})
		}
	}
	return rows
}

// WithoutRow calls do while the table lacks a row.
func WithoutRow(row Row, do func()) {
	whole := explanations[row.Rule]
	defer func() { explanations[row.Rule] = whole }()
	explanations[row.Rule] = slices.DeleteFunc(slices.Clone(whole), func(c condition) bool { return c.words == row.Condition })
	do()
}

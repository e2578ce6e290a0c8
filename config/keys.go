package config

import "github.com/lmclint/lmclint/internal/source"

// ValueKey is a key whose value is one word, number or truth.
type ValueKey struct {
	Name    string
	Default any // nil: none
}

// ValueKeys lists those keys, in the order of the schema.
func ValueKeys() []ValueKey {
	return []ValueKey{
		{"required-version", nil},
		{"fail-on", "error"},
		{"dialect", "auto"},
		{"protocol", "auto"},
		{"kind", "auto"},
		{"form", "auto"},
		{"auto-run", false},
		{"partial", false},
		{"allow-empty", false},
		{"max-record-bytes", int64(source.DefaultMaxRecordBytes)},
		{"force-exclude", false},
		{"gitignore", true},
		{"baseline", nil},
		{"report-unused-ignores", true},
	}
}

package config

import _ "embed"

//go:embed starter.yaml
var starter string

// Starter is a configuration to begin with. It changes nothing; what it might
// stands in comments.
func Starter() string { return starter }

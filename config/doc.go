// Package config finds, reads and checks configuration files, and says what
// they mean for an input.
package config

// Package serve lints while a program runs: package feed takes an input part by part
// and gives the findings of each part at once, and proxy stands between clients and a
// server and has the linter read what they send. They know the engine only: no
// protocol, no rule, and not how a finding is shown.
package serve

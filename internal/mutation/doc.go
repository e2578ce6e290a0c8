// Package mutation seeds mistakes in healthy recordings, one at a time, and
// knows where each must be found. It reads recordings by itself, with
// encoding/json, so that it does not share the linter's own mistakes.
package mutation

package rules

import (
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/lmc"
	"github.com/lmclint/lmclint/source"
)

// firstKey finds the first key of an object that could not be read.
var firstKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{(?:\s|#[^\n]*\n)*["'](role|type|format|content|start|end|recipient|id|created_at)["']\s*:`)
})

// Owns says whether an object that stands among other text is meant to be a
// record: in a log and on a page there are objects of all kinds, and templates.
func (protocol) Owns(src *source.Record) bool {
	if src.Root == nil {
		return firstKey().Match(src.Data)
	}
	if src.Root.Kind != source.Object || !familiar(src) {
		return false
	}
	if isOld(src.Root) {
		return hasAny(src.Root, oldFlags)
	}
	r := lmc.NewRecord(src)
	return slices.Contains(everyType, r.Type) || slices.Contains(everyRole, r.Role) ||
		r.Role == "" && (r.Key("auth") != nil || r.Key("ack") != nil)
}

// oldFlags are keys that only records from before LMC have.
var oldFlags = []string{"start_of_message", "end_of_message", "start_of_code", "end_of_code", "executing", "end_of_execution"}

// everyRole lists the roles of all dialects.
var everyRole = []string{"user", "assistant", "computer", "system", "server"}

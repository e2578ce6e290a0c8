package workbench

import (
	"regexp"
	"sync"
)

// Texts that say nothing but what somebody is doing at the moment. They are
// matched as a whole: a sentence that has such words in it is a message.
var (
	status = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(\S.{0,60}\s(is|are)\s+)?(still\s+)?(thinking|typing|working|processing|generating|searching|loading|analy[sz]ing|reading)` +
			`(\s+(on|about)\s+it|\s+an?\s+(answer|response|reply|message))?\s*(\.{2,}|…)\s*$`)
	})
	typing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(\S.{0,80}\s(is|are)\s+)?(still\s+)?(typing|thinking)\s*(\.*|…)\s*$`)
	})
)

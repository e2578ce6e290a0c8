package workbench

import (
	"regexp"
	"sync"
)

// status and typing match texts that only report what their sender is doing. They
// match the whole text: a sentence that contains such words is a message.
var (
	status = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(\S.{0,60}\s(is|are)\s+)?(still\s+)?(thinking|typing|working|processing|generating|searching|loading|analy[sz]ing|reading)` +
			`(\s+(on|about)\s+it|\s+an?\s+(answer|response|reply|message))?\s*(\.{2,}|…)\s*$`)
	})
	typing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(\S.{0,80}\s(is|are)\s+)?(still\s+)?(typing|thinking)\s*(\.*|…)\s*$`)
	})
)

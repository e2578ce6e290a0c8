package media

import (
	"encoding/base64"
	"strings"
)

// IsWAVOrPath reports whether the content of audio/wav, without whitespace
// around it, is what it may be: base64 of a WAV file, or a path.
func IsWAVOrPath(text string) bool {
	// No WAV file is shorter than its header of 44 bytes.
	if !strings.HasPrefix(text, "data:") && (len(text) < 44 || strings.ContainsAny(text, `.:\~`)) {
		return true
	}
	var head [12]byte
	n, err := base64.StdEncoding.Decode(head[:], []byte(text[:min(len(text), 16)]))
	if err != nil || n < len(head) || string(head[8:]) != "WAVE" {
		return false
	}
	switch string(head[:4]) {
	case "RIFF", "RIFX", "RF64":
		return true
	}
	return false
}

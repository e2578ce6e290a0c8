package assemble

import "bytes"

// beginsImage reports whether base64 begins an image of its own.
func beginsImage(base64 []byte) bool {
	for _, signature := range []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"} {
		if bytes.HasPrefix(base64, []byte(signature)) {
			return true
		}
	}
	return false
}

// endsPadded reports whether base64 ends with padding, so that nothing can
// follow it.
func endsPadded(base64 []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(base64, " \t\r\n"), []byte{'='})
}

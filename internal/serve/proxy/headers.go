package proxy

import (
	"net/http"
	"slices"
	"strings"
)

// handshake are the headers that belong to one connection, so that they are not
// passed on: those of RFC 9110, section 7.6.1, and of the WebSocket handshake.
var handshake = []string{
	"Connection", "Upgrade", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Proxy-Connection",
	"Proxy-Authenticate", "Proxy-Authorization", "Host", "Content-Length", "Date",
	"Sec-Websocket-Key", "Sec-Websocket-Version", "Sec-Websocket-Extensions", "Sec-Websocket-Protocol", "Sec-Websocket-Accept",
}

// copyHeader copies all headers but those of the handshake, and returns them.
func copyHeader(to, from http.Header) http.Header {
	for name, values := range from {
		if !slices.Contains(handshake, name) {
			to[name] = slices.Clone(values)
		}
	}
	return to
}

func headerContains(header http.Header, name, token string) bool {
	return slices.ContainsFunc(tokens(header, name), func(t string) bool { return strings.EqualFold(t, token) })
}

// tokens returns the values of a header that is a list.
func tokens(header http.Header, name string) []string {
	return strings.FieldsFunc(strings.Join(header.Values(name), ","), func(r rune) bool { return strings.ContainsRune(", \t", r) })
}

//go:build !race

// The race detector makes a sync.Pool lose what is put into it, at random: what a proxy
// allocates says nothing then.

package proxy_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/hostile"
	"github.com/lmclint/lmclint/internal/serve/proxy"
)

// secretParts are what makes a recording look for secrets.
var secretParts = []hostile.Part{
	{Name: "the name of a secret", Text: "auth"},
	{Name: "a secret", Text: `"auth": "x" `},
	{Name: "a secret that is not closed", Text: `"auth": "`},
	{Name: "a nested secret", Text: `{"a":{"auth":`},
}

// What a proxy allocates for hostile frames and event streams is proportional to them. The
// frames are sent in both directions: each is one part, or one frame has it over and over.
// The exhaustive tests try all of them.
func TestMemoryOfHostilePeers(t *testing.T) {
	const (
		size  = 4 << 10 // bytes, and four times as many
		most  = 6       // times as much
		noise = 2 << 20 // bytes: buffers grow by four
	)
	type traffic struct {
		name string
		pass func(t *testing.T, size int)
	}
	var all []traffic
	for _, part := range slices.Concat(hostile.Parts(), secretParts) {
		all = append(all, traffic{"frames: " + part.Name, func(t *testing.T, size int) {
			passFrames(t, part.Text, 1+size/(len(part.Text)+64)) // a line of the session log has as much more
		}}, traffic{"a frame: " + part.Name, func(t *testing.T, size int) {
			passFrames(t, strings.Repeat(part.Text, 1+size/(len(part.Text)+1)), 1)
		}})
	}
	for _, in := range hostile.Inputs() {
		if path.Ext(in.File) == ".sse" {
			all = append(all, traffic{in.Name, func(t *testing.T, size int) { passEvents(t, in.Make(size)) }})
		}
	}
	for _, each := range exhaustive.Sample(all, 30) {
		first := allocatedBy(func() { each.pass(t, size) })
		second := allocatedBy(func() { each.pass(t, 4*size) })
		assert.LessOrEqual(t, second, most*first+noise, "%s: %d bytes, of four times as many %d", each.name, first, second)
	}
}

func allocatedBy(run func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// passFrames sends a frame a number of times through a proxy that records, to a server that sends
// each back.
func passFrames(t *testing.T, frame string, times int) {
	t.Helper()
	o, address := start(t, serve(t, nil, echo), func(p *proxy.Options) { p.Folder = t.TempDir() })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	client := dial(t, address, nil)
	go func() {
		for range times {
			if client.Write(ctx, websocket.MessageText, []byte(frame)) != nil {
				return // Read reports it
			}
		}
	}()
	for range times {
		_, text, err := client.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, frame, string(text))
	}
	require.NoError(t, client.Close(websocket.StatusNormalClosure, ""))
	o.wait(t)
}

// passEvents has a server answer with an event stream, through a proxy that records.
func passEvents(t *testing.T, body []byte) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(body)
	}))
	defer server.Close()
	o, address := start(t, server.URL, func(p *proxy.Options) { p.Folder = t.TempDir() })
	response, err := http.Get("http" + strings.TrimPrefix(address, "ws") + "/chat")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	passed, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, string(body), string(passed))
	o.wait(t)
}

package proxy_test

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/serve/proxy"
)

// python returns a Python that has the package websockets.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import websockets").Run() == nil {
			return name
		}
	}
	t.Skip("no Python with the package websockets (python3-websockets in Debian)")
	return ""
}

// TestPythonPeers plays a recorded session between a server and a client that
// Open Interpreter's users have: Python's websockets.
func TestPythonPeers(t *testing.T) {
	interpreter := python(t)
	logs, err := filepath.Glob("../../../testdata/recorded/v0.4.2/ws_*.ws.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	log := logs[0]
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	server := exec.CommandContext(ctx, interpreter, "testdata/peer.py", "server", log)
	var complaints bytes.Buffer
	server.Stderr = &complaints
	out, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	port, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)

	folder := t.TempDir()
	o, address := start(t, "ws://127.0.0.1:"+strings.TrimSpace(port), func(p *proxy.Options) { p.Folder, p.WholeBinary = folder, true })
	text, err := exec.CommandContext(ctx, interpreter, "testdata/peer.py", "client", log, address).CombinedOutput()
	require.NoError(t, err, string(text))
	err = server.Wait()
	require.NoError(t, err, complaints.String())
	o.wait(t)
	assert.Empty(t, o.allFaults())
	assert.Equal(t, findingsOf(t, log), findingsOf(t, waitForFile(t, folder)))
}

//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echoServer starts a WebSocket server that sends back what it receives.
func echoServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(echoHandler())
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

func echoHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		for {
			kind, text, err := conn.Read(r.Context())
			if err != nil || conn.Write(r.Context(), kind, text) != nil {
				return
			}
		}
	})
}

// runningProxy is the command proxy as a process.
type runningProxy struct {
	*exec.Cmd
	stderr  *bufio.Reader
	address string
}

func startProxy(t *testing.T, flags ...string) *runningProxy {
	t.Helper()
	p := &runningProxy{Cmd: exec.Command(name, append([]string{"proxy", "--isolated", "--listen", "127.0.0.1:0"}, flags...)...)}
	pipe, err := p.StderrPipe()
	require.NoError(t, err)
	p.stderr = bufio.NewReader(pipe)
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	line, err := p.stderr.ReadString('\n')
	require.NoError(t, err)
	var found bool
	p.address, found = strings.CutPrefix(line, "Listening on ")
	require.True(t, found, line)
	p.address, _, _ = strings.Cut(p.address, " for ")
	return p
}

// interrupt ends the proxy, and returns the rest of standard error and the exit
// status.
func (p *runningProxy) interrupt(t *testing.T) (rest string, status int) {
	t.Helper()
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	text, err := io.ReadAll(p.stderr)
	require.NoError(t, err)
	_ = p.Wait()
	return string(text), p.ProcessState.ExitCode()
}

// exchange sends frames and waits for each of them to come back.
func exchange(t *testing.T, address string, frames ...string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, address, nil) //nolint:bodyclose // Dial does
	require.NoError(t, err)
	defer func() { _ = conn.CloseNow() }()
	for _, f := range frames {
		if err := conn.Write(ctx, websocket.MessageText, []byte(f)); err != nil {
			return err
		}
		if _, _, err := conn.Read(ctx); err != nil {
			return err
		}
	}
	return conn.Close(websocket.StatusNormalClosure, "")
}

const (
	userBegins = `{"role": "user", "type": "message", "start": true}`
	userErrs   = `{"role": "usr", "type": "message", "content": "Hi"}`
)

func TestProxyReportsFindingsAndSummary(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "sessions")
	p := startProxy(t, "--upstream", echoServer(t), "--record", folder, "--format", "concise")
	require.NoError(t, exchange(t, p.address, userBegins, userErrs))
	line, err := p.stderr.ReadString('\n')
	require.NoError(t, err, "a finding comes while the proxy runs")
	assert.Contains(t, line, folder)
	rest, status := p.interrupt(t)
	assert.Equal(t, exitFindings, status)
	assert.Contains(t, rest, "LMC102")
	assert.Regexp(t, `errors?.* in 1 file \(4 records\)\n$`, rest)
	names, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, names, 1)
	out, err := exec.Command(name, "--isolated", "--format", "concise", filepath.Join(folder, names[0].Name())).Output()
	var ended *exec.ExitError
	require.ErrorAs(t, err, &ended)
	assert.Equal(t, exitFindings, ended.ExitCode())
	assert.Contains(t, string(out), line, "check finds the same in the recording")
}

func TestProxyStopsBeforeTheFrame(t *testing.T) {
	for frame, rule := range map[string]string{userErrs: "LMC609", "garbage {": "LMC001", "42": "LMC004", "{'auth': True}": "LMC001", `{"role": "us`: "LMC001"} {
		p := startProxy(t, "--upstream", echoServer(t), "--stop-on", "error")
		var closed websocket.CloseError
		require.ErrorAs(t, exchange(t, p.address, frame), &closed, "the first frame, %s, is decided when it comes", frame)
		assert.Equal(t, websocket.CloseError{Code: websocket.StatusPolicyViolation, Reason: rule}, closed)
		rest, status := p.interrupt(t)
		assert.Equal(t, exitFindings, status)
		assert.Contains(t, rest, "lmclint: connection 1: closed at a finding, "+rule+"\n")
	}
}

func TestProxyWithoutFindings(t *testing.T) {
	p := startProxy(t, "--upstream", echoServer(t))
	_, status := p.interrupt(t)
	assert.Equal(t, exitClean, status)
}

// Frames pass on, but the run was not what was asked for.
func TestProxyThatCannotRecord(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "sessions")
	p := startProxy(t, "--upstream", echoServer(t), "--record", folder)
	require.NoError(t, os.Remove(folder))
	require.NoError(t, exchange(t, p.address, userBegins))
	rest, status := p.interrupt(t)
	assert.Equal(t, exitTrouble, status)
	assert.Equal(t, 1, strings.Count(rest, "record: "), rest)
}

func TestProxyToATLSServer(t *testing.T) {
	server := httptest.NewTLSServer(echoHandler())
	t.Cleanup(server.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(authority, block, 0o600))
	t.Setenv("SSL_CERT_FILE", authority)
	p := startProxy(t, "--upstream", "wss"+strings.TrimPrefix(server.URL, "https"))
	require.NoError(t, exchange(t, p.address, userErrs)) // an error that does not depend on when SIGINT comes
	rest, status := p.interrupt(t)
	assert.Equal(t, exitFindings, status, rest)
}

// A proxy that checked nothing because its upstream was down has failed.
func TestProxyWithoutUpstreamFails(t *testing.T) {
	server := httptest.NewServer(echoHandler())
	upstream := "ws" + strings.TrimPrefix(server.URL, "http")
	server.Close()
	p := startProxy(t, "--upstream", upstream)
	_, _, err := websocket.Dial(t.Context(), p.address, nil) //nolint:bodyclose // Dial does
	require.Error(t, err)
	rest, status := p.interrupt(t)
	assert.Equal(t, exitTrouble, status)
	assert.Contains(t, rest, "nothing was checked: the upstream was not reached")

	p = startProxy(t, "--upstream", echoServer(t))
	_, status = p.interrupt(t)
	assert.Equal(t, exitClean, status)
}

// A response without complete is reported while the connection is open, once, and
// with its time.
func TestProxyReportsIdleResponses(t *testing.T) {
	frames := []string{`{"role": "assistant", "type": "message", "start": true}`, `{"role": "assistant", "type": "message", "content": "Hi"}`, `{"role": "assistant", "type": "message", "end": true}`}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		for _, f := range frames {
			_ = conn.Write(r.Context(), websocket.MessageText, []byte(f))
		}
		_, _, _ = conn.Read(r.Context())
	}))
	t.Cleanup(server.Close)
	p := startProxy(t, "--upstream", "ws"+strings.TrimPrefix(server.URL, "http"), "--idle", "50ms")
	conn, _, err := websocket.Dial(t.Context(), p.address, nil) //nolint:bodyclose // Dial does
	require.NoError(t, err)
	defer func() { _ = conn.CloseNow() }()
	line, err := p.stderr.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "error[LMC601]: the response has no complete 50ms after its last frame\n", line)
	line, err = p.stderr.ReadString('\n')
	require.NoError(t, err)
	assert.Regexp(t, `^ --> connection 1:4:65 at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\n$`, line)
	require.NoError(t, conn.Close(websocket.StatusNormalClosure, ""))
	rest, status := p.interrupt(t)
	assert.Equal(t, exitFindings, status)
	assert.NotContains(t, rest, "error[LMC601]", "it is one finding")
	assert.Contains(t, rest, "1 error in 1 file")
}

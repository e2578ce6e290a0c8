package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/internal/serve/proxy"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) proxyCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "proxy [flags] --upstream URL",
		Short: "lint the WebSocket connections between clients and a server",
		Long: `The proxy forwards the connections and other requests of clients to the server,
unchanged, and lints each connection as a session and each event stream as a
stream. Findings go to standard error, with the lines of the session log.

With --record, each connection is recorded in DIR as a session log, without the
values of auth; check can read it. With --stop-on, the connection is closed
before a frame with such a finding, with code 1008 and the rule's id. SIGINT and
SIGTERM end the proxy. Exit status: 0 no findings at or above --fail-on, 1
findings, 2 failed.`,
		Example: name + " proxy --upstream ws://127.0.0.1:8000/ --record sessions/",
		Args:    operands(0, 0, "proxy has no operands; --upstream names the server"),
	}
	flags := command.Flags()
	o := &proxyFlags{maxFrameBytes: number{value: proxy.DefaultMaxFrameBytes, least: 1, shown: "BYTES", expected: "a whole number of bytes above zero"}}
	flags.StringVar(&o.upstream, "upstream", "", "`URL` of the server, ws://HOST:PORT/ or wss://")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8010", "`ADDRESS` to listen on")
	flags.StringVar(&o.record, "record", "", "record each connection in `DIR`")
	flags.BoolVar(&o.recordBinary, "record-binary", false, "record the content of binary frames")
	flags.Var(&o.maxFrameBytes, "max-frame-bytes", "maximum frame size")
	flags.DurationVar(&o.idle, "idle", 30*time.Second, "find a lost complete after `TIME`")
	o.checkFlags = shareCheckFlags(flags,
		"stop-on", "dialect", "auto-run", "select", "extend-select", "ignore", "config", "isolated",
		"format", "color", "hyperlinks", "width", "quiet", "statistics", "fail-on")
	flags.Lookup("stop-on").Usage = "close a connection at SEVERITY or above"
	command.RunE = interruptible(func(ctx context.Context, _ []string) error { return c.proxy(ctx, o) })
	return command
}

// proxyFlags are the flags of proxy.
type proxyFlags struct {
	*checkFlags // proxy defines only some of them

	listen, upstream string
	record           string
	recordBinary     bool
	maxFrameBytes    number
	idle             time.Duration
}

// proxy runs the proxy until a signal ends it.
func (c *Command) proxy(ctx context.Context, o *proxyFlags) error {
	upstream, err := url.Parse(o.upstream)
	if err == nil && upstream.Port() != "" {
		_, err = strconv.ParseUint(upstream.Port(), 10, 16)
	}
	switch {
	case o.upstream == "":
		return usagef("--upstream is missing: the address of the server, as in --upstream ws://127.0.0.1:8000/")
	case err != nil, upstream.Host == "":
		return usagef("--upstream %s: expected ws://HOST:PORT/ or wss://", o.upstream)
	}
	list, err := o.format.resolve()
	if err != nil {
		return err
	}
	for _, each := range list {
		if each.file == "" && each.format.Sorted() {
			return usagef("%s is one document, which is complete only at the end: name a file, as in --format %[1]s:FILE", each.format)
		}
	}
	run := &proxyRun{command: c, flags: o, counts: statistics{}, idle: map[string]toldEarly{}, found: map[string]*found{}}
	if err := run.prepare(list); err != nil {
		return err
	}
	o.tee = true // reports go to standard error
	if run.out, err = c.openOutputs(ctx, o.checkFlags, list, &progress.Line{}); err != nil {
		return err
	}
	if err := run.serve(ctx, upstream); err != nil {
		return errors.Join(err, run.out.discard())
	}
	return run.conclude()
}

// proxyRun is one run of the proxy.
type proxyRun struct {
	command          *Command
	flags            *proxyFlags
	plan             *plan
	sessions, events *lint.Linter

	mu        sync.Mutex // guards all below
	out       *outputs
	summary   report.Summary
	counts    statistics
	failed    bool                 // a finding reached --fail-on
	idle      map[string]toldEarly // by connection: what Idle reported last
	found     map[string]*found    // by connection: what was found in those that are open
	unreached bool                 // the upstream did not answer
	trouble   bool                 // something failed, so that findings or recordings are missing
	broken    error                // of writing a report
}

// prepare makes the linters of connections, by the configuration of the working directory.
func (r *proxyRun) prepare(list []target) error {
	plans, err := r.command.newPlans(r.flags.checkFlags)
	if err != nil {
		return err
	}
	found, err := plans.configOf("connection")
	if err != nil {
		return err
	}
	if r.plan, err = plans.make(planKey{settings: found.For("connection")}); err != nil {
		return err
	}
	options := append(reportOptions(list), lint.WithSelection(r.plan.selection))
	session := r.plan.settings.Input()
	session.AllowEmpty = true // a client may connect and leave
	session.Live = r.flags.stopOn.value != never
	events := session
	session.Protocol, session.Kind, session.Form, session.Tentative = "lmc", "session", string(source.FormSessionLog), false
	events.Kind, events.Form, events.Discovered = "", string(source.FormSSE), true
	var failed error
	r.sessions, err = lint.New(rules.All(), append(options, lint.WithConfig(session))...)
	r.events, failed = lint.New(rules.All(), append(options, lint.WithConfig(events))...)
	return errors.Join(err, failed)
}

// serve listens until the context is canceled.
func (r *proxyRun) serve(ctx context.Context, upstream *url.URL) error {
	if err := r.out.Begin(introduction(r.plan.plans.workDir)); err != nil {
		return err
	}
	if folder := r.flags.record; folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("record in %s: %w", folder, trimPathError(err))
		}
	}
	options := proxy.Options{
		Upstream: upstream, Sessions: r.sessions, Events: r.events, Folder: r.flags.record,
		WholeBinary: r.flags.recordBinary, MaxFrameBytes: r.flags.maxFrameBytes.value, IdleAfter: r.flags.idle, Observer: r,
	}
	options.StopOn, _ = lint.ParseSeverity(r.flags.stopOn.value) // 0 for never
	p, err := proxy.New(options)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", r.flags.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", r.flags.listen, errors.Unwrap(err))
	}
	server := &http.Server{
		Handler:           p,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0), // of clients that do not speak HTTP
	}
	if !r.flags.quiet {
		r.command.printStderr(fmt.Sprintf("Listening on ws://%s/ for %s\n", listener.Addr(), upstream.Redacted()))
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }() // nothing in it can panic; net/http recovers handlers
	select {
	case err = <-served:
	case <-ctx.Done():
		err = nil
	}
	p.Close()
	closed := server.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(func() error { return r.out.End(r.summary) })
	return errors.Join(err, closed, r.out.close())
}

// Finding implements [proxy.Observer].
func (r *proxyRun) Finding(f lint.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.idle[f.Path] == (toldEarly{f.Rule.ID, f.Place.Span.Start.Line}) {
		r.count(&f, -1)
		return
	}
	r.report(&f)
}

// toldEarly is a finding that Idle reported before the linter may find it: its rule and line.
type toldEarly struct {
	rule string
	line int
}

// Idle implements [proxy.Observer].
func (r *proxyRun) Idle(name string, frame source.Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := rules.IdleResponse(frame, r.flags.idle)
	if !r.plan.selection.On(f.Rule) {
		return
	}
	set, _ := r.plan.selection.Severity(f.Rule)
	f.Path, f.Severity = name, cmp.Or(set, f.Rule.Severity)
	r.idle[f.Path] = toldEarly{f.Rule.ID, f.Place.Span.Start.Line}
	r.count(&f, 1) // the result of the connection has it only if the linter finds it, too
	r.report(&f)
}

// report writes a finding. The caller holds mu.
func (r *proxyRun) report(f *lint.Finding) {
	r.failed = r.failed || f.Severity >= r.plan.failOn
	r.counts.add(f.Rule, f.Severity, 1)
	if r.found[f.Path] == nil {
		r.found[f.Path] = &found{live: true}
	}
	r.write(func() error { return r.out.add(r.found[f.Path], *f) })
}

// count adds a finding to the summary, or takes it away. The caller holds mu.
func (r *proxyRun) count(f *lint.Finding, by int) {
	s := &r.summary
	switch f.Severity {
	case lint.SeverityError:
		s.Errors, s.ErrorPlaces = s.Errors+by, s.ErrorPlaces+by
	case lint.SeverityWarning:
		s.Warnings, s.WarningPlaces = s.Warnings+by, s.WarningPlaces+by
	case lint.SeverityNote:
		s.Notes, s.NotePlaces = s.Notes+by, s.NotePlaces+by
	}
	s.Places += by
}

// Done implements [proxy.Observer].
func (r *proxyRun) Done(result lint.Result, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var unknown *lint.UnknownInputError
	if errors.As(err, &unknown) { // an event stream of another protocol
		delete(r.found, result.Path)
		return
	}
	if err != nil {
		r.trouble = true
		r.command.printError(fmt.Errorf("%s: %w", result.Path, err))
	}
	if of := r.found[result.Path]; of != nil {
		delete(r.found, result.Path)
		r.write(func() error { return r.out.complete(of, &result) })
	}
	f := report.File{Result: result, Err: err, FailOn: r.plan.failOn}
	r.summary.Add(f)
	r.write(func() error { return r.out.File(f) })
}

// Fault implements [proxy.Observer].
func (r *proxyRun) Fault(name string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := errors.AsType[*proxy.UpstreamError](err); ok {
		r.unreached = true
	}
	if _, ok := errors.AsType[*proxy.RecordError](err); ok {
		r.trouble = true // a file that was asked for is missing
	}
	if panicked, ok := errors.AsType[*lint.PanicError](err); ok {
		r.trouble = true
		defer r.command.printStderr(string(panicked.Stack))
	}
	r.command.printError(fmt.Errorf("%s: %w", name, err))
}

// write writes to the reports, at once: a person watches. The caller holds mu.
func (r *proxyRun) write(do func() error) {
	if r.broken != nil {
		return
	}
	if r.broken = do(); r.broken == nil {
		r.broken = r.out.flush()
	}
	if r.broken != nil && !isClosedPipe(r.broken) {
		r.trouble = true
		r.command.printError(r.broken)
	}
}

// conclude prints the summary and returns the exit status.
func (r *proxyRun) conclude() error {
	if r.summary.Files == 0 && r.unreached {
		r.trouble = true
		r.command.printError(errors.New("nothing was checked: the upstream was not reached"))
	}
	if !r.flags.quiet {
		r.command.printStderr(r.summary.String() + "\n")
	}
	if r.flags.statistics {
		r.command.printStderr(r.counts.String())
	}
	return exitStatus(r.trouble, r.failed)
}

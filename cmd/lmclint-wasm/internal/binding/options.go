package binding

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Options are what the caller says about an input, by the names of the flags of
// lmclint check. The zero value detects everything.
type Options struct {
	Path string `json:"path,omitempty"` // name of the input in findings
	Each bool   `json:"each,omitempty"` // report each place, not each cause once

	lint.Config // without Against

	Select       []string `json:"select,omitempty"`
	ExtendSelect []string `json:"extendSelect,omitempty"`
	Ignore       []string `json:"ignore,omitempty"`

	Against     string `json:"against,omitempty"`     // the conversation that streams are compared with, as text
	AgainstPath string `json:"againstPath,omitempty"` // its name in findings
}

// Names of inputs that have none.
const (
	unnamedInput        = "<input>"
	unnamedConversation = "<against>"
)

// parseOptions decodes options. An empty text sets no option.
func parseOptions(text string) (Options, error) {
	var o Options
	if text != "" {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&o); err != nil {
			return o, explain(err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return o, errors.New("options are not one object")
		}
	}
	o.Path = cmp.Or(o.Path, unnamedInput)
	o.AgainstPath = cmp.Or(o.AgainstPath, unnamedConversation)
	return o, nil
}

// explain says in the words of a caller what is wrong with options.
func explain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("options are a %s, expected an object", wrong.Value)
		}
		return fmt.Errorf("option %s is a %s", strings.TrimPrefix(wrong.Field, "Config."), wrong.Value)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("unknown option %s", name)
	}
	return fmt.Errorf("options: %w", err)
}

// forPushing returns options for an input that is pushed chunk by chunk: unless
// they say otherwise, it is a stream of LMC, so that the first chunk need not
// show it.
func (o Options) forPushing() Options {
	form := source.FormJSONL
	if o.Kind == protocol.KindSession {
		form = source.FormSessionLog
	}
	o.Form = cmp.Or(o.Form, string(form))
	o.Protocol = cmp.Or(o.Protocol, protocol.LMC{}.Name())
	if o.Protocol == (protocol.LMC{}).Name() {
		o.Kind = cmp.Or(o.Kind, protocol.KindStream)
	}
	return o
}

// use is what a linter is for.
type use int

const (
	forReport use = iota
	forPushes     // decides about each record as soon as possible, and reports each place
	forView       // has its recordings observed
)

// linter returns a linter with the options.
func (o *Options) linter(what use) (*lint.Linter, error) {
	config := o.Config
	if o.Against != "" {
		stored, err := protocol.ReadConversation(o.AgainstPath, strings.NewReader(o.Against), source.Options{MaxRecordBytes: o.MaxRecordBytes})
		if err != nil {
			return nil, fmt.Errorf("against: %w", err)
		}
		config.Against = stored
	}
	selection, err := rules.Catalog().Resolve(lint.Layer{
		Select: selectors("select", o.Select), ExtendSelect: selectors("extendSelect", o.ExtendSelect), Ignore: selectors("ignore", o.Ignore),
	})
	if err != nil {
		return nil, err
	}
	config.Immediate = what == forPushes
	options := []lint.Option{lint.WithConfig(config), lint.WithSelection(selection)}
	if o.Each || what == forPushes {
		options = append(options, lint.WithEach())
	}
	if what == forView {
		options = append(options, lint.WithObserver(timeline.Observe))
	}
	return lint.New(rules.All(), options...)
}

func selectors(origin string, texts []string) []lint.Selector {
	list := make([]lint.Selector, len(texts))
	for i, text := range texts {
		list[i] = lint.Selector{Text: text, Origin: origin}
	}
	return list
}

// compared fails if an input should have been compared with a conversation, and
// was not.
func (o *Options) compared(r *lint.Result) error {
	if o.Against != "" && r.Records > 0 && r.Kind != protocol.KindStream {
		return fmt.Errorf("not compared with %s: the input is a %s, expected a stream", o.AgainstPath, r.Kind)
	}
	return nil
}

// maxLinters is how many linters are kept for inputs with the same options.
const maxLinters = 8

// linters keeps linters by their options, because making one takes longer than most
// checks. The zero value is ready for use.
type linters struct{ kept map[string]*lint.Linter }

func (l *linters) get(o Options, what use) (*lint.Linter, error) {
	o.Path = "" // of no interest to a linter
	key, err := json.Marshal(struct {
		Options
		Use use
	}{o, what})
	if err != nil {
		return nil, err
	}
	if known := l.kept[string(key)]; known != nil {
		return known, nil
	}
	made, err := o.linter(what)
	if err != nil {
		return nil, err
	}
	if len(l.kept) == maxLinters || l.kept == nil {
		l.kept = map[string]*lint.Linter{}
	}
	l.kept[string(key)] = made
	return made, nil
}

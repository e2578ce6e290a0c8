// Package suite is the conformance suite as data: the manifest that lists its
// cases, what a checker must report for each of them, and the requirements of
// docs/protocol.md that they show. It knows neither rules nor the linter, so that
// a runner can check any other checker with it.
package suite

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// ManifestName is the name of the manifest in the directory of the suite.
const ManifestName = "manifest.json"

// Manifest lists the cases and the requirements of the suite.
type Manifest struct {
	Schema       string        `json:"$schema"`      // id of its JSON Schema, schema/suite.schema.json
	Version      string        `json:"version"`      // of the suite, as in the file VERSION
	Requirements []Requirement `json:"requirements"` // in the order of docs/protocol.md
	Cases        []Case        `json:"cases"`        // sorted by ID
}

// Case is an input and what a checker must say about it.
type Case struct {
	ID           string    `json:"id"`   // permanent, as in "core/bad/lmc202_turns.jsonl"
	File         string    `json:"file"` // the input: a slash-separated path from the manifest
	Note         string    `json:"note,omitempty"`
	Origin       string    `json:"origin"`       // where the input comes from, as in "Open Interpreter 0.4.2"; SOURCES.md in its folder says how
	Profile      Profile   `json:"profile"`      // the part of the protocol that the case belongs to; Core if it is missing
	Level        Level     `json:"level"`        // the strongest level that the case is about
	Requirements []string  `json:"requirements"` // ids, sorted; at least one
	Features     []string  `json:"features"`     // what a checker must know to pass it, sorted: see Feature
	Options      Options   `json:"options"`      // of the check
	Detected     *Detected `json:"detected,omitempty"`
	Foreign      bool      `json:"foreign,omitempty"` // must be rejected: neither LMC nor Semantic Workbench
	JSON         JSON      `json:"json,omitempty"`    // the case is about the syntax of JSON alone, and Findings is empty
	Findings     []Finding `json:"findings"`          // a set, in the order of Compare
}

// Profile is a part of the suite that a program may implement and pass by itself.
type Profile string

// The profiles. A case that belongs to several is of the last of them.
const (
	Core      Profile = "core"      // transcripts and streams in JSON and JSON Lines, in the dialect interpreter
	Dialects  Profile = "dialects"  // other dialects, and detection of what an input is
	Forms     Profile = "forms"     // other forms, compression, encodings, text that is not JSON
	Sessions  Profile = "sessions"  // both directions of a connection, and a stream with its stored conversation
	Workbench Profile = "workbench" // Semantic Workbench
)

// Profiles returns all profiles.
func Profiles() []Profile { return []Profile{Core, Dialects, Forms, Sessions, Workbench} }

// Level says how strictly a checker is held to a finding or a case.
type Level string

// The levels, the strongest first. One is a level of checkers only: no finding,
// case or requirement is of it.
const (
	Must   Level = "must"   // each error is found at its record, and nothing else is reported as an error or a warning
	One    Level = "one"    // one mistake is one finding: none is reported twice
	Should Level = "should" // warnings
	May    Level = "may"    // notes
)

// Levels returns all levels, the strongest first.
func Levels() []Level { return []Level{Must, One, Should, May} }

// Includes reports whether a checker that is held to level l is held to other:
// one that must report warnings must report errors.
func (l Level) Includes(other Level) bool {
	return slices.Index(Levels(), other) <= slices.Index(Levels(), l)
}

// LevelOf returns the level of findings of a severity: error, warning or note.
func LevelOf(severity string) Level {
	switch severity {
	case "error":
		return Must
	case "warning":
		return Should
	}
	return May
}

// JSON says whether the input of a case is JSON by RFC 8259; "" if the case is
// about more.
type JSON string

// What Allows accepts for each.
const (
	ValidJSON   JSON = "valid"
	InvalidJSON JSON = "invalid"
	EitherJSON  JSON = "either"
)

// Options are the settings with which a checker checks an input. It detects the
// protocol, dialect, kind or form that is empty.
type Options struct {
	Protocol   string `json:"protocol,omitempty"`
	Dialect    string `json:"dialect,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Form       string `json:"form,omitempty"`
	AutoRun    bool   `json:"autoRun,omitempty"`
	AllowEmpty bool   `json:"allowEmpty,omitempty"`
	Partial    bool   `json:"partial,omitempty"`
	Against    string `json:"against,omitempty"` // a stored conversation, in the directory of the input
}

// Detected is the protocol, kind, form and dialect of an input, set by [Options] or
// detected.
type Detected struct {
	Protocol string `json:"protocol"`
	Kind     string `json:"kind"`
	Form     string `json:"form"`
	Dialect  string `json:"dialect,omitempty"` // in effect at the end; none for Semantic Workbench
}

// Finding is a mistake that a checker must report. Messages are its own affair.
type Finding struct {
	Rule         string `json:"rule"`
	Level        Level  `json:"level,omitempty"` // in the manifest
	Severity     string `json:"severity"`
	Line         int    `json:"line"`                   // from 1
	Column       int    `json:"column"`                 // from 1, in code points
	Record       *int   `json:"record,omitempty"`       // from 0, in its conversation; nil between records
	Conversation int    `json:"conversation,omitempty"` // from 0, in JSON Lines of whole conversations
	Pointer      string `json:"pointer,omitempty"`      // RFC 6901, from the record
	Path         string `json:"path,omitempty"`         // the file of the finding, if it is not the input
}

// Compare orders findings by place, rule and pointer. The order means nothing:
// it makes equal sets equal lists.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Severity, b.Severity))
}

// ReadingRules returns the rules that report text that is not JSON.
func ReadingRules() []string { return []string{"LMC001", "LMC002", "LMC005", "LMC010"} }

// Allows reports whether a checker may report the given rules for a case about
// JSON, or reject its input as foreign: for valid text none of ReadingRules, and
// for invalid text one of them, LMC011 (no records) or a rejection.
func (j JSON) Allows(rules []string, foreign bool) bool {
	isUnread := slices.ContainsFunc(rules, func(id string) bool { return slices.Contains(ReadingRules(), id) })
	switch j {
	case ValidJSON:
		return !isUnread
	case InvalidJSON:
		return isUnread || foreign || slices.Contains(rules, "LMC011")
	}
	return true
}

// Requirement is a numbered requirement of docs/protocol.md.
type Requirement struct {
	ID      string   `json:"id"`                // permanent, as in "LMC-REC-3"
	Level   Level    `json:"level"`             // of its strongest word: MUST, SHOULD or MAY
	Title   string   `json:"title"`             // of its section
	Text    string   `json:"text"`              // plain text, without Markdown
	Rules   []string `json:"rules"`             // that check it, sorted
	NoRule  string   `json:"noRule,omitempty"`  // why no rule checks it
	NoCases string   `json:"noCases,omitempty"` // why no case shows it
}

// Read reads a manifest. It returns an error for unknown keys, so that a reader
// of an earlier version is not misled, and for a manifest that contradicts itself.
func Read(r io.Reader) (*Manifest, error) {
	m := new(Manifest)
	if err := decodeStrict(r, m); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	for i := range m.Cases {
		m.Cases[i].Profile = cmp.Or(m.Cases[i].Profile, Core)
	}
	if err := m.validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// decodeStrict decodes the only value of a text. It returns an error for unknown keys.
func decodeStrict(r io.Reader, value any) error {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected text after it")
	}
	return nil
}

// ReadDir reads the manifest of the suite in a directory.
func ReadDir(suite fs.FS) (*Manifest, error) {
	file, err := suite.Open(ManifestName)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	m, err := Read(file)
	return m, errors.Join(err, file.Close())
}

// Against returns the path, from the manifest, of the conversation that the
// input is compared with, or "".
func (c *Case) Against() string {
	if c.Options.Against == "" {
		return ""
	}
	return path.Join(path.Dir(c.File), c.Options.Against)
}

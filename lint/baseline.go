package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/base/plainjson"
)

// BaselineEntry is a finding that a baseline suppresses: a cause in an input, at however
// many places.
type BaselineEntry struct {
	Path        string `json:"path"` // of the input, in the form that WithBaseline gives it
	Rule        string `json:"rule"` // id of the rule
	Fingerprint string `json:"fingerprint"`
	Message     string `json:"message,omitempty"`
	Reason      string `json:"reason,omitempty"` // why it is suppressed; written by hand
}

// baselineKey identifies the entries of one input.
type baselineKey struct{ rule, fingerprint string }

// Baseline is a set of findings to suppress. A finding matches by input, rule
// and fingerprint. A Baseline is safe for concurrent use.
type Baseline struct {
	mu        sync.Mutex
	recording bool
	entries   map[string]map[baselineKey]BaselineEntry // by path
	found     map[string]map[baselineKey]BaselineEntry // findings of the inputs that were checked, by path
}

// NewBaseline returns a baseline with entries. Of several with the same path, rule and
// fingerprint the first is used.
func NewBaseline(entries []BaselineEntry) *Baseline {
	b := &Baseline{entries: map[string]map[baselineKey]BaselineEntry{}, found: map[string]map[baselineKey]BaselineEntry{}}
	for _, e := range entries {
		if b.entries[e.Path] == nil {
			b.entries[e.Path] = map[baselineKey]BaselineEntry{}
		}
		if key := (baselineKey{e.Rule, e.Fingerprint}); b.entries[e.Path][key] == (BaselineEntry{}) {
			b.entries[e.Path][key] = e
		}
	}
	return b
}

// Record makes the baseline suppress every finding from now on, for Reset.
func (b *Baseline) Record() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.recording = true
}

// begin starts the check of an input. It returns a function that must be called
// for each finding of the input, and that reports whether to suppress it.
func (b *Baseline) begin(path string) (suppress func(*Finding) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	recording, entries, found := b.recording, b.entries[path], map[baselineKey]BaselineEntry{}
	b.found[path] = found
	return func(f *Finding) bool {
		key := baselineKey{f.Rule.ID, fingerprintOf(f.Rule.ID, f.Cause, 0)}
		if _, again := found[key]; !again {
			found[key] = BaselineEntry{Path: path, Rule: key.rule, Fingerprint: key.fingerprint, Message: f.Message}
		}
		_, listed := entries[key]
		return recording || listed
	}
}

// Stale returns the entries of an input that matched no finding, sorted. The input must
// have been checked. Entries of rules that were not applied are omitted.
func (b *Baseline) Stale(path string, applied func(rule string) bool) []BaselineEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var stale []BaselineEntry
	for key, e := range b.entries[path] {
		if _, found := b.found[path][key]; !found && applied(e.Rule) {
			stale = append(stale, e)
		}
	}
	sortEntries(stale)
	return stale
}

// Remove removes entries from the baseline.
func (b *Baseline) Remove(stale []BaselineEntry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, gone := range stale {
		delete(b.entries[gone.Path], baselineKey{gone.Rule, gone.Fingerprint})
	}
}

// Reset replaces the entries of an input by the findings of its last check.
// Reasons are kept, and so are entries of rules that were not applied.
func (b *Baseline) Reset(path string, applied func(rule string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.entries[path]
	entries := map[baselineKey]BaselineEntry{}
	for key, e := range old {
		if !applied(e.Rule) {
			entries[key] = e
		}
	}
	for key, e := range b.found[path] {
		e.Reason = old[key].Reason
		entries[key] = e
	}
	b.entries[path] = entries
}

// Entries returns all entries, sorted by path, rule and fingerprint.
func (b *Baseline) Entries() []BaselineEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := []BaselineEntry{}
	for _, entries := range b.entries {
		for _, e := range entries {
			all = append(all, e)
		}
	}
	sortEntries(all)
	return all
}

func sortEntries(list []BaselineEntry) {
	slices.SortFunc(list, func(a, b BaselineEntry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
}

// baselineVersion is the version of the file. It increases when a reader of the
// previous version would be misled.
const baselineVersion = 2

// baselineFile is the file of a baseline. WriteTo writes a finding per line,
// sorted, so that a change of one is a change of one line.
type baselineFile struct {
	Version      int             `json:"version"`
	Fingerprints string          `json:"fingerprints"` // FingerprintVersion
	Findings     []BaselineEntry `json:"findings"`
}

// BaselineVersionError reports a baseline whose findings cannot be compared with those of
// this program.
type BaselineVersionError struct {
	Version      int
	Fingerprints string // their version
}

// Error implements the interface error.
func (e *BaselineVersionError) Error() string {
	return fmt.Sprintf("it has version %d with fingerprints %q, expected %d with %q: write a new one with --write-baseline",
		e.Version, e.Fingerprints, baselineVersion, FingerprintVersion)
}

// ReadBaseline reads a file that [Baseline.WriteTo] wrote. It returns an error,
// with the line, for invalid JSON and unknown keys, and a [*BaselineVersionError] for
// another version.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Version      int    `json:"version"`
		Fingerprints string `json:"fingerprints"`
	}
	if json.Unmarshal(text, &head) == nil && head.Version != 0 && (head.Version != baselineVersion || head.Fingerprints != FingerprintVersion) {
		return nil, &BaselineVersionError{head.Version, head.Fingerprints}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file baselineFile
	if err := decoder.Decode(&file); err != nil {
		line := lineAt(text, errorOffset(err, decoder))
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf("line %d: invalid baseline: unexpected %s", line, strings.TrimSuffix(wrong.Value+" for "+wrong.Field, " for "))
		}
		return nil, fmt.Errorf("line %d: invalid baseline: %w", line, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: invalid baseline: unexpected text after it", lineAt(text, decoder.InputOffset()))
	}
	if file.Version != baselineVersion {
		return nil, errors.New("invalid baseline: it has no version")
	}
	for i, e := range file.Findings {
		if e.Path == "" || e.Rule == "" || e.Fingerprint == "" {
			return nil, fmt.Errorf("finding %d: path, rule and fingerprint are required", i+1)
		}
	}
	return NewBaseline(file.Findings), nil
}

// errorOffset returns the offset of a decoding error, in bytes.
func errorOffset(err error, decoder *json.Decoder) int64 {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &wrongType):
		return wrongType.Offset
	}
	return decoder.InputOffset()
}

// lineAt returns the line of an offset in bytes, from 1.
func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte{'\n'})
}

// WriteTo writes the baseline as JSON. Equal baselines give the same bytes.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	var lines []string
	for _, entry := range b.Entries() {
		line, err := plainjson.Marshal(entry)
		if err != nil {
			return 0, err
		}
		lines = append(lines, "\n    "+string(line))
	}
	list := strings.Join(lines, ",")
	if list != "" {
		list += "\n  "
	}
	n, err := fmt.Fprintf(w, "{\n  \"version\": %d,\n  \"fingerprints\": %q,\n  \"findings\": [%s]\n}\n", baselineVersion, FingerprintVersion, list)
	return int64(n), err
}

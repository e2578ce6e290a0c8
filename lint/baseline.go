package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// Known is a finding that somebody knows and has put off.
type BaselineEntry struct {
	Path        string `json:"path"` // of the input, as the owner of the baseline calls it
	Rule        string `json:"rule"` // its id
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"` // findings that look alike
	Message     string `json:"message,omitempty"`
	Reason      string `json:"reason,omitempty"` // why it is put off; only people write it
}

// knownKey is what two findings that look alike have in common.
type knownKey struct{ rule, fingerprint string }

// Baseline is a set of findings that are known. Each is recognised by its
// input, its rule and its fingerprint, and counted: of three that look alike
// the baseline may know two. It is safe for concurrent use.
type Baseline struct {
	mu     sync.Mutex
	byPath map[string]map[knownKey]*BaselineEntry
	met    map[string]map[knownKey]*BaselineEntry // what was found, by input
}

// NewBaseline makes a baseline of known findings. Those that look alike are
// added up.
func NewBaseline(known []BaselineEntry) *Baseline {
	b := &Baseline{byPath: map[string]map[knownKey]*BaselineEntry{}, met: map[string]map[knownKey]*BaselineEntry{}}
	for _, k := range known {
		add(b.byPath, k)
	}
	return b
}

func add(byPath map[string]map[knownKey]*BaselineEntry, k BaselineEntry) {
	of := byPath[k.Path]
	if of == nil {
		of = map[knownKey]*BaselineEntry{}
		byPath[k.Path] = of
	}
	key := knownKey{k.Rule, k.Fingerprint}
	if same := of[key]; same != nil {
		same.Count += k.Count
		return
	}
	of[key] = &k
}

// Processor drops the findings of an input that the baseline knows. The path is
// the one by which the baseline calls the input. Each input is to have one
// processor, and all its findings are to pass through it.
func (b *Baseline) Processor(path string) Processor {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.byPath[path]
	met := map[knownKey]*BaselineEntry{}
	b.met[path] = met
	return func(f *Finding) (keep bool) {
		var alone Fingerprints // the number of equal findings before it is no part of what it looks like
		key := knownKey{f.Rule.ID, alone.Next(f)}
		if met[key] == nil {
			met[key] = &BaselineEntry{Path: path, Rule: key.rule, Fingerprint: key.fingerprint, Message: f.Message}
		}
		met[key].Count++
		return known[key] == nil || met[key].Count > known[key].Count
	}
}

// Stale returns what the baseline knows of an input and was not found again,
// with how many findings are missing. It is asked for once the input was
// checked; rules that were not applied are left out.
func (b *Baseline) Stale(path string, applied func(rule string) bool) []BaselineEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var stale []BaselineEntry
	for key, k := range b.byPath[path] {
		found := 0
		if met := b.met[path][key]; met != nil {
			found = met.Count
		}
		if missing := k.Count - found; missing > 0 && applied(k.Rule) {
			gone := *k
			gone.Count = missing
			stale = append(stale, gone)
		}
	}
	sortKnown(stale)
	return stale
}

// Remove takes findings out of the baseline, each as often as it counts.
func (b *Baseline) Remove(stale []BaselineEntry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, gone := range stale {
		key := knownKey{gone.Rule, gone.Fingerprint}
		k := b.byPath[gone.Path][key]
		if k == nil {
			continue
		}
		if k.Count -= gone.Count; k.Count <= 0 {
			delete(b.byPath[gone.Path], key)
		}
	}
}

// Renew makes the baseline know of an input what was found in it, and nothing
// else. Reasons that were written down are kept. Rules that were not applied
// are left as they are.
func (b *Baseline) Reset(path string, applied func(rule string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.byPath[path]
	fresh := map[knownKey]*BaselineEntry{}
	for key, k := range old {
		if !applied(k.Rule) {
			fresh[key] = k
		}
	}
	for key, k := range b.met[path] {
		found := *k
		if before := old[key]; before != nil {
			found.Reason = before.Reason
		}
		fresh[key] = &found
	}
	b.byPath[path] = fresh
}

// Paths returns the inputs of which the baseline knows findings, sorted.
func (b *Baseline) Paths() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var paths []string
	for path, of := range b.byPath {
		if len(of) > 0 {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Known returns all known findings, sorted by path, rule and fingerprint.
func (b *Baseline) Entries() []BaselineEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := []BaselineEntry{}
	for _, of := range b.byPath {
		for k := range maps.Values(of) {
			all = append(all, *k)
		}
	}
	sortKnown(all)
	return all
}

func sortKnown(list []BaselineEntry) {
	slices.SortFunc(list, func(a, b BaselineEntry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
}

// baselineVersion is the version of the file. It grows when a reader of the old
// one would be misled.
const baselineVersion = 1

// baselineFile is a baseline as it is written: a finding a line, sorted, so
// that a change of one is a change of one line.
type baselineFile struct {
	Version      int             `json:"version"`
	Fingerprints string          `json:"fingerprints"` // how they were made: FingerprintVersion
	Findings     []BaselineEntry `json:"findings"`
}

// ReadBaseline reads a baseline that WriteTo wrote. It fails, naming the line,
// on what it does not know, and on fingerprints of another version.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file baselineFile
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("line %d: no baseline: %w", lineAt(text, decodedTo(err, decoder)), err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: no baseline: something follows it", lineAt(text, decoder.InputOffset()))
	}
	switch {
	case file.Version != baselineVersion:
		return nil, fmt.Errorf("a baseline of version %d, want %d", file.Version, baselineVersion)
	case file.Fingerprints != FingerprintVersion:
		return nil, fmt.Errorf("its fingerprints are of version %q, and today's of %q: write it anew", file.Fingerprints, FingerprintVersion)
	}
	for i, k := range file.Findings {
		if k.Path == "" || k.Rule == "" || k.Fingerprint == "" || k.Count < 1 {
			return nil, fmt.Errorf("finding %d: it needs a path, a rule, a fingerprint and a count above zero", i+1)
		}
	}
	return NewBaseline(file.Findings), nil
}

// decodedTo is how far a decoder came, in bytes.
func decodedTo(err error, decoder *json.Decoder) int64 {
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

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte{'\n'})
}

// WriteTo writes the baseline. The same findings always give the same bytes.
func (b *Baseline) WriteTo(w io.Writer) (int64, error) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n  \"version\": %d,\n  \"fingerprints\": %q,\n  \"findings\": [", baselineVersion, FingerprintVersion)
	known := b.Entries()
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for i := range known {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString("\n    ")
		if err := encoder.Encode(&known[i]); err != nil {
			return 0, err
		}
		text.Truncate(text.Len() - 1) // the encoder ends each with a new line
	}
	if len(known) > 0 {
		text.WriteString("\n  ")
	}
	text.WriteString("]\n}\n")
	return text.WriteTo(w)
}

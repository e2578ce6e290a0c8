package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

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

package report

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/lmclint/lmclint/lint"
)

// fingerprints gives findings that come without a fingerprint the one that the
// engine would have given them.
type fingerprints struct {
	path string
	made lint.Fingerprints
}

func (p *fingerprints) of(f *lint.Finding) string {
	if f.Fingerprint != "" {
		return f.Fingerprint
	}
	if f.Path != p.path {
		*p = fingerprints{path: f.Path}
	}
	return p.made.Next(f)
}

// unique makes a fingerprint one that no finding of another path has.
func unique(path, fingerprint string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + fingerprint))
	return hex.EncodeToString(sum[:16])
}

// Package base has what any program could use. Package atomicfile writes files whole
// or not at all, repository finds the one that a directory is in, and gitignore reads
// its patterns; plainjson writes JSON without escapes for HTML, spelling finds the
// known word that a misspelled one was meant to be, and wtf8 reads text with lone
// surrogates. None of them knows a record, a protocol or a finding.
package base

package lint

import "io"

// CheckedReader is an input that goes on to a consumer as far as it was checked,
// such as a pipe. Checked is called whenever a record was checked and its findings
// were emitted: end is the offset up to which the decompressed input was read with
// it, or the start of the JSON document that it is a part of. If several records
// were read at once, none is checked after the next Read.
type CheckedReader interface {
	io.Reader
	Checked(end int64)
}

package input

import "io"

// The build for browsers has no decompressors, nor archives (zip.go): a browser
// has its own, and would have to load these.
var openGzip, openZstd func(io.Reader) (io.Reader, error)

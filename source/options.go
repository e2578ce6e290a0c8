package source

// Limits that a zero Options stands for.
const (
	DefaultMaxRecordBytes = 256 << 20 // bytes
	DefaultMaxDepth       = 512       // nested arrays and objects
)

// Options say how an input is to be read. The zero value detects everything.
type Options struct {
	Form           Form  // FormAuto detects
	MaxRecordBytes int64 // 0 means DefaultMaxRecordBytes
	MaxDepth       int   // 0 means DefaultMaxDepth
}

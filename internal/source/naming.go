package source

import (
	"path"
	"slices"
	"strings"
)

// Naming is how strictly an input is read, as its name says.
type Naming uint8

// The namings.
const (
	OtherName Naming = iota // the first bytes of the input decide between data and text
	DataName                // every line counts
	TextName                // lines without a record are skipped
	CodeName                // the input is not read, unless its form is given
)

// Stdin is the name of standard input, which is data.
const Stdin = "<stdin>"

// The extensions of names, in lower case.
var (
	dataExtensions = []string{".json", ".jsonl", ".ndjson", ".sse", ".har"}
	textExtensions = []string{".log", ".txt", ".md", ".mdx", notebookExtension}
	codeExtensions = []string{
		".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".scala", ".swift", ".cs", ".c", ".h", ".cc",
		".cpp", ".hpp", ".rb", ".php", ".pl", ".lua", ".sh", ".bash", ".zsh", ".ps1", ".sql", ".yaml", ".yml", ".toml",
	}
)

const notebookExtension = ".ipynb"

// NamingOf returns how an input of that name is read. The extension of a compressed
// file is ignored.
func NamingOf(name string) Naming {
	extension := extensionOf(name)
	switch {
	case name == Stdin, slices.Contains(dataExtensions, extension):
		return DataName
	case slices.Contains(textExtensions, extension):
		return TextName
	case slices.Contains(codeExtensions, extension):
		return CodeName
	}
	return OtherName
}

// extensionOf returns the extension of a name in lower case, without that of a
// compression.
func extensionOf(name string) string {
	name = strings.ToLower(name)
	for _, compression := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compression)
	}
	return path.Ext(name)
}

// IsNotebook reports whether the name of the input is that of a Jupyter notebook.
func (o *Options) IsNotebook() bool { return extensionOf(o.Name) == notebookExtension }

// IsDocument reports whether the name of the input is that of a human-readable document,
// such as README.md. Such a document shows records as programs print them, so that
// Python literals in it are not reported.
func (o *Options) IsDocument() bool {
	extension := extensionOf(o.Name)
	return extension == ".md" || extension == ".mdx" || extension == notebookExtension
}

// UnreadError reports an input that is not read because of what it is.
type UnreadError struct{ why string }

// Error implements the interface error.
func (e *UnreadError) Error() string { return e.why }

// IsCode reports whether only the name is that of another thing, see [Options.AnyName].
func (e *UnreadError) IsCode() bool { return e == errCode }

var (
	errCode = &UnreadError{"its name is that of program code: to read the records in it, pass --form text"}
	errTar  = &UnreadError{"it is a tar archive: unpack it first"}
	errZip  = &UnreadError{"it is a zip archive: unpack it first"}
)

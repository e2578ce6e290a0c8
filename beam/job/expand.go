package job

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterDoFn(&expandFn{})
}

// expandFn lists the files that match a glob, as keys: a file that matches
// several is checked once.
type expandFn struct{}

// ProcessElement emits the files, or an outcome with a failure if there are none.
func (expandFn) ProcessElement(ctx context.Context, glob string, emit func(path string, _ bool), refuse func(Outcome)) {
	paths, err := list(ctx, glob)
	switch {
	case err != nil || len(paths) > 0:
	case strings.ContainsAny(glob, "*?[{"):
		err = errors.New("no such file, and no file matches it as a glob")
	default:
		paths = []string{glob} // planning it says why it cannot be read
	}
	if err != nil {
		refuse(refused(glob, err))
		return
	}
	for _, path := range paths {
		emit(path, true)
	}
}

// refused is the outcome of an input that cannot be read.
func refused(path string, err error) Outcome { return Outcome{Path: path, Failure: reason(err)} }

// reason returns the text of an error for a line that names the path already.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

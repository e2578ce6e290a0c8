package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
)

// magicBytes is how many bytes a container begins with.
const magicBytes = 4

// containers read the inputs that are more than a text, by their first bytes.
var containers = map[string]func(context.Context, *container) error{
	"PK\x03\x04": readZip,
	"PAR1":       readParquet,
}

// container is an input that contains recordings.
type container struct {
	outcome *Outcome
	linter  *lint.Linter
	found   *findings
	column  string // that has a conversation in each row of a table
	refuse  func(Outcome)
}

// onDisk calls a function with the input as a file with random access.
func (c *container) onDisk(ctx context.Context, read func(*os.File) error) error {
	file, remove, err := copyToDisk(ctx, c.outcome.Path)
	if err != nil {
		return err
	}
	defer remove()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	c.outcome.Bytes = info.Size()
	return read(file)
}

// readZip checks the recording in a zip archive, as lmclint does.
func readZip(ctx context.Context, c *container) error {
	return c.onDisk(ctx, func(file *os.File) error {
		member, err := input.OpenMember(file, c.outcome.Bytes, workbench.ExportMember, input.DefaultMaxUnpackedBytes)
		if errors.Is(err, input.ErrNoMember) {
			return &lint.UnknownInputError{Looks: "a zip archive without " + workbench.ExportMember + ", so not a Semantic Workbench export"}
		}
		if err != nil {
			return err
		}
		defer func() { _ = member.Close() }()
		c.outcome.Path += "!" + workbench.ExportMember
		result, err := c.linter.Run(ctx, c.outcome.Path, member, c.found.add)
		return errors.Join(err, c.found.end(&result))
	})
}

// row checks the conversation in a row of a table, nil for none. It is an input
// of its own: TABLE!COLUMN/ROW, with rows from 0. One that cannot be checked does
// not end the check of the table.
func (c *container) row(ctx context.Context, number int64, text *string) {
	if text == nil {
		return
	}
	name := fmt.Sprintf("%s!%s/%d", c.outcome.Path, c.column, number)
	result, err := c.linter.Run(ctx, name, strings.NewReader(*text), c.found.add)
	if err = errors.Join(err, c.found.end(&result)); err != nil {
		c.refuse(Outcome{Path: name, InTable: true, Failure: reason(err)})
	}
}

// hasColumn returns an error if no column was named.
func (c *container) hasColumn(table string) error {
	if c.column == "" {
		return fmt.Errorf("it is a table (%s): name the column that has a conversation in each row with --column", table)
	}
	return nil
}

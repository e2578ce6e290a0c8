package job

import (
	"context"
	"fmt"

	"github.com/linkedin/goavro/v2"
)

// readAvro checks the conversations in a column of an Avro table. It uses the
// library of Beam's avroio, which fails the job if a table is broken, skips rows
// that are, and names neither the table nor the row.
func readAvro(ctx context.Context, c *container) error {
	if err := c.hasColumn("Avro"); err != nil {
		return err
	}
	file, err := open(ctx, c.outcome.Path, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	table, err := openAvro(&counting{from: file, bytes: &c.outcome.Bytes})
	if err != nil {
		return err
	}
	for number := int64(0); ctx.Err() == nil; number++ {
		text, ok, err := table.next(c.column)
		switch {
		case err != nil:
			return fmt.Errorf("row %d: %w", number, err)
		case !ok:
			return nil
		}
		c.row(ctx, number, text)
	}
	return ctx.Err()
}

// avroTable is an open table.
type avroTable struct{ *goavro.OCFReader }

// openAvro opens a table.
func openAvro(file *counting) (t avroTable, err error) {
	defer recovered(&err)
	*file.bytes = 0 // its first bytes were read before
	t.OCFReader, err = goavro.NewOCFReader(file)
	return t, err
}

// next returns the text in the next row, nil if the row has none. It returns
// false after the last row.
func (t avroTable) next(column string) (text *string, ok bool, err error) {
	defer recovered(&err)
	if !t.Scan() {
		return nil, false, t.Err()
	}
	row, err := t.Read()
	if err != nil {
		return nil, false, err
	}
	fields, _ := row.(map[string]any)
	value, has := fields[column]
	if !has {
		return nil, false, fmt.Errorf("the table has no column %s", column)
	}
	if union, is := value.(map[string]any); is && len(union) == 1 {
		for _, value = range union { // the only one
		}
	}
	switch value := value.(type) {
	case nil:
		return nil, true, nil
	case string:
		return &value, true, nil
	case []byte:
		bytes := string(value)
		return &bytes, true, nil
	}
	return nil, false, fmt.Errorf("column %s is %T, expected text", column, value)
}

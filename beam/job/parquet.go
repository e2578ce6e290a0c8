package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readParquet checks the conversations in a column of a Parquet table, page by
// page. Beam's parquetio reads a table as a whole, fails the job if it cannot, and
// names neither the table nor the row.
func readParquet(ctx context.Context, c *container) error {
	if err := c.hasColumn("Parquet"); err != nil {
		return err
	}
	return c.onDisk(ctx, func(file *os.File) error {
		table, column, err := openParquet(file, c.outcome.Bytes, c.column)
		if err != nil {
			return err
		}
		number := int64(0)
		for _, group := range table.RowGroups() {
			pages, end := group.ColumnChunks()[column].Pages(), number+group.NumRows()
			for ctx.Err() == nil {
				texts, err := nextTexts(pages)
				if errors.Is(err, io.EOF) && number == end {
					break
				}
				if err != nil {
					return errors.Join(fmt.Errorf("after row %d: %w", number, err), pages.Close())
				}
				for _, text := range texts {
					c.row(ctx, number, text)
					number++
				}
			}
			if err := pages.Close(); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// openParquet opens a table, and finds the column with a text in each row.
func openParquet(file io.ReaderAt, size int64, name string) (table *parquet.File, column int, err error) {
	defer recovered(&err)
	table, err = parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, 0, fmt.Errorf("not a complete Parquet table: %w", err)
	}
	schema := table.Schema()
	leaf, found := schema.Lookup(strings.Split(name, ".")...)
	switch {
	case !found:
		var names []string
		for _, path := range schema.Columns() {
			names = append(names, strings.Join(path, "."))
		}
		return nil, 0, fmt.Errorf("the table has no column %s; it has %s", name, strings.Join(names, ", "))
	case leaf.Node.Type().Kind() != parquet.ByteArray:
		return nil, 0, fmt.Errorf("column %s is %s, expected text (BYTE_ARRAY)", name, leaf.Node.Type())
	case leaf.MaxRepetitionLevel > 0:
		return nil, 0, fmt.Errorf("column %s has lists, expected one text in each row", name)
	}
	return table, leaf.ColumnIndex, nil
}

// nextTexts returns the texts of the next page, nil for a row without one. It
// returns io.EOF after the last page.
func nextTexts(pages parquet.Pages) (texts []*string, err error) {
	defer recovered(&err)
	page, err := pages.ReadPage()
	if err != nil {
		return nil, err
	}
	defer parquet.Release(page)
	values := make([]parquet.Value, page.NumValues())
	n, err := page.Values().ReadValues(values)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, value := range values[:n] {
		if value.IsNull() {
			texts = append(texts, nil)
		} else {
			texts = append(texts, new(string(value.ByteArray())))
		}
	}
	return texts, nil
}

// recovered makes a panic of a library an error of the input.
func recovered(err *error) {
	if value := recover(); value != nil {
		*err = fmt.Errorf("the table is broken: %v", value)
	}
}

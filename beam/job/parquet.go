package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/xitongsys/parquet-go/layout"
	"github.com/xitongsys/parquet-go/parquet"
	"github.com/xitongsys/parquet-go/reader"
	"github.com/xitongsys/parquet-go/source"
)

// readParquet checks the conversations in a column of a Parquet table. It uses
// the library of Beam's parquetio, page by page: parquetio reads a table as a
// whole, fails the job if it cannot, and names neither the table nor the row.
func readParquet(ctx context.Context, c *container) error {
	if err := c.hasColumn("Parquet"); err != nil {
		return err
	}
	return c.onDisk(ctx, func(file *os.File) error {
		table, err := openParquet(file, c.outcome.Bytes, c.column)
		if err != nil {
			return err
		}
		number := int64(0)
		for group := range table.footer.GetRowGroups() {
			pages, err := table.pages(group)
			if err != nil {
				return err
			}
			for ctx.Err() == nil {
				texts, err := pages.next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					return fmt.Errorf("after row %d: %w", number, err)
				}
				for _, text := range texts {
					c.row(ctx, number, text)
					number++
				}
			}
		}
		return ctx.Err()
	})
}

// parquetTable is an open table.
type parquetTable struct {
	file   parquetFile
	size   int64
	footer *parquet.FileMetaData
	reader *reader.ParquetReader
	column string
}

// parquetPages reads the pages of a column in a row group.
type parquetPages struct {
	table      *parquetTable
	chunk      *parquet.ColumnMetaData
	transport  *thrift.TBufferedTransport
	dictionary *layout.Page
	left       int64 // values
}

// openParquet opens a table. A broken footer makes the library panic.
func openParquet(file io.ReaderAt, size int64, column string) (t *parquetTable, err error) {
	defer recovered(&err)
	t = &parquetTable{file: parquetFile{io.NewSectionReader(file, 0, size)}, size: size, column: column}
	if t.reader, err = reader.NewParquetColumnReader(t.file, 1); err != nil {
		return nil, fmt.Errorf("not a complete Parquet table: %w", err)
	}
	t.footer = t.reader.Footer
	return t, nil
}

// pages returns the pages of the column in a row group.
func (t *parquetTable) pages(group int) (p *parquetPages, err error) {
	defer recovered(&err)
	var names []string
	for _, chunk := range t.footer.GetRowGroups()[group].GetColumns() {
		meta := chunk.GetMetaData()
		name := strings.Join(meta.GetPathInSchema(), ".")
		names = append(names, name)
		// The schema handler has renamed the path, so the schema has the name.
		if t.nameOf(meta) != t.column {
			continue
		}
		return t.open(chunk)
	}
	return nil, fmt.Errorf("the table has no column %s; it has %s", t.column, strings.Join(names, ", "))
}

// nameOf returns the name of a column, with dots between the names of a nested
// one.
func (t *parquetTable) nameOf(meta *parquet.ColumnMetaData) string {
	path := append([]string{t.reader.SchemaHandler.GetRootInName()}, meta.GetPathInSchema()...)
	outside := t.reader.SchemaHandler.InPathToExPath[strings.Join(path, "\x01")]
	_, name, _ := strings.Cut(outside, "\x01")
	return strings.ReplaceAll(name, "\x01", ".")
}

// open opens a column chunk.
func (t *parquetTable) open(chunk *parquet.ColumnChunk) (*parquetPages, error) {
	meta := chunk.GetMetaData()
	offset := meta.GetDataPageOffset()
	if meta.DictionaryPageOffset != nil {
		offset = meta.GetDictionaryPageOffset()
	}
	switch {
	case meta.GetType() != parquet.Type_BYTE_ARRAY:
		return nil, fmt.Errorf("column %s is %s, expected text (BYTE_ARRAY)", t.column, meta.GetType())
	case chunk.FilePath != nil:
		return nil, fmt.Errorf("column %s is in another file", t.column)
	case offset < 0 || offset >= t.size:
		return nil, fmt.Errorf("column %s begins at %d, outside of the file", t.column, offset)
	}
	return &parquetPages{
		table: t, chunk: meta, left: meta.GetNumValues(),
		transport: source.ConvertToThriftReader(t.file, offset, transportBuffer),
	}, nil
}

// transportBuffer is the size of the buffer for reading a column.
const transportBuffer = 64 << 10

// next returns the texts of the next page, nil for a row without one. It returns
// io.EOF after the last page.
func (p *parquetPages) next() (texts []*string, err error) {
	defer recovered(&err)
	for p.left > 0 {
		page, values, rows, err := layout.ReadPage(p.transport, p.table.reader.SchemaHandler, p.chunk)
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("column %s: %d values are missing", p.table.column, p.left)
		case err != nil:
			return nil, err
		case page.Header.GetType() == parquet.PageType_DICTIONARY_PAGE:
			p.dictionary = page
			continue
		case values <= 0:
			return nil, fmt.Errorf("column %s has a page without values", p.table.column)
		case rows != values:
			return nil, fmt.Errorf("column %s has lists, expected one text in each row", p.table.column)
		}
		page.Decode(p.dictionary)
		p.left -= values
		for _, value := range page.DataTable.Values {
			text, ok := value.(string)
			if ok {
				texts = append(texts, &text)
			} else {
				texts = append(texts, nil)
			}
		}
		return texts, nil
	}
	return nil, io.EOF
}

// recovered makes a panic of a library an error of the input.
func recovered(err *error) {
	if value := recover(); value != nil {
		*err = fmt.Errorf("the table is broken: %v", value)
	}
}

// parquetFile is a table as the library reads it.
type parquetFile struct{ *io.SectionReader }

// Open returns the file, from its beginning. The library would open other files
// that a table names.
func (f parquetFile) Open(name string) (source.ParquetFile, error) {
	if name != "" {
		return nil, errors.New("the table names another file")
	}
	return parquetFile{io.NewSectionReader(f.SectionReader, 0, f.Size())}, nil
}

// Create is not supported.
func (parquetFile) Create(string) (source.ParquetFile, error) { return nil, errors.ErrUnsupported }

// Write is not supported.
func (parquetFile) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

// Close does nothing.
func (parquetFile) Close() error { return nil }

package sample

import (
	"fmt"
	"io"
)

// WriteTiny writes one turn of 22 chunks.
func WriteTiny(w io.Writer) error {
	a := &author{}
	a.message("Let me compute.")
	code := "34 / 24"
	a.block(header{"assistant", "code", "python"}, code)
	a.add(confirmation("python", code), consoleFlags.start())
	a.activeLine(1)
	a.print("1.4166666666666667")
	a.finalLine()
	a.message("There you are")
	var b []byte
	for _, r := range a.records {
		b = Layout{}.appendLine(b, r, nil)
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write the chunks: %w", err)
	}
	return nil
}

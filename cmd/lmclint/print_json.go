package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// printJSON writes a value to standard output as indented JSON.
func (c *Command) printJSON(value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return c.print(b.String())
}

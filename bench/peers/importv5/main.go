// Importv5 is the least that a Go program costs when it links jsonschema/v5.
package main

import (
	"os"

	_ "github.com/santhosh-tekuri/jsonschema/v5"
)

func main() {
	os.Stdout.WriteString("hello, world\n") //nolint:errcheck // nothing could be done about it
}

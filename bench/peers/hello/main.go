// Hello is the least that a Go program costs.
package main

import "os"

func main() {
	os.Stdout.WriteString("hello, world\n") //nolint:errcheck // nothing could be done about it
}

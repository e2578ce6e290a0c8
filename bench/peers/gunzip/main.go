// Gunzip decompresses a file to nowhere: what lmclint cannot be faster than
// when it reads one.
package main

import (
	"io"
	"log"
	"os"

	"github.com/klauspost/compress/gzip"
)

func main() {
	log.SetFlags(0)
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, z); err != nil {
		log.Fatal(err)
	}
}

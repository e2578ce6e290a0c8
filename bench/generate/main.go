// Generate writes the data that the benchmark measures with.
//
//	go run ./bench/generate --kind stream --chunks 1500000 > chunks.jsonl
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// Jsonschema judges records by the published schemas with jsonschema/v6 and
// reports where it disagrees with lmclint, which uses v5. It reads the cases that
// .ci/ajv/check.mjs reads:
//
//	go run . ../../schema CASES.jsonl
//
// A line of CASES is {"dialect", "part", "record", "valid"}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: jsonschema SCHEMAS CASES.jsonl")
		os.Exit(2)
	}
	checked, wrong, err := check(os.Args[1], os.Args[2])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case wrong > 0 || checked == 0:
		os.Exit(1)
	}
}

func check(folder, cases string) (checked, wrong int, err error) {
	schemas, err := compile(folder)
	if err != nil {
		return 0, 0, err
	}
	file, err := os.Open(cases)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	for lines := json.NewDecoder(bufio.NewReader(file)); lines.More(); checked++ {
		var each struct {
			Dialect, Part string
			Record        json.RawMessage
			Valid         bool
		}
		if err := lines.Decode(&each); err != nil {
			return checked, wrong, fmt.Errorf("%s: %w", cases, err)
		}
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader(each.Record))
		if err != nil {
			return checked, wrong, fmt.Errorf("%s: %w", cases, err)
		}
		schema := schemas[filepath.Join(each.Dialect, each.Part+".schema.json")]
		if schema == nil {
			return checked, wrong, fmt.Errorf("%s: no schema for %s of %s", cases, each.Part, each.Dialect)
		}
		if err := schema.Validate(record); (err == nil) != each.Valid {
			wrong++
			fmt.Printf("%s %s %s: lmclint says valid is %t, v6 finds %v\n", each.Dialect, each.Part, each.Record, each.Valid, err)
		}
	}
	fmt.Printf("%d schemas, %d records, %d disagreements\n", len(schemas), checked, wrong)
	return checked, wrong, nil
}

// compile compiles all schemas of a folder, each by itself, by their paths in it.
func compile(folder string) (map[string]*jsonschema.Schema, error) {
	schemas := map[string]*jsonschema.Schema{}
	for _, pattern := range []string{"*.schema.json", "*/*.schema.json"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			schema, err := jsonschema.NewCompiler().Compile(path)
			if err != nil {
				return nil, fmt.Errorf("compile %s: %w", path, err)
			}
			name, err := filepath.Rel(folder, path)
			if err != nil {
				return nil, err
			}
			schemas[name] = schema
		}
	}
	return schemas, nil
}

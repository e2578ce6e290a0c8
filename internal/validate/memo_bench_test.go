package validate_test

import (
	"fmt"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

func benchmarkRecords() map[string]string {
	const confirmed = `{"type": "code", "format": "python", "content": "print(1)\n"}`
	return map[string]string{
		"chunk":         `{"role": "assistant", "type": "code", "format": "python", "content": " x"}`,
		"flag":          `{"role": "assistant", "type": "message", "start": true}`,
		"active_line":   `{"role": "computer", "type": "console", "format": "active_line", "content": 3}`,
		"confirmation":  `{"role": "computer", "type": "confirmation", "format": "execution", "content": ` + confirmed + `}`,
		"typeless":      `{"role": "user", "start": true}`,
		"invalid role":  `{"role": "asistant", "type": "code", "format": "python", "content": " x"}`,
		"invalid value": `{"role": "assistant", "type": "message", "content": 17}`,
	}
}

func BenchmarkCheck(b *testing.B) {
	ways := map[string][]validate.Option{"memo": nil, "authority": {validate.WithoutMemo()}}
	for way, options := range ways {
		for name, record := range benchmarkRecords() {
			b.Run(name+"/"+way, func(b *testing.B) {
				validator := validate.NewValidator(named(b, "server"), options...)
				root := parse(b, record)
				check(b, validator, root) // compiles the schema
				b.ReportAllocs()
				for b.Loop() {
					check(b, validator, root)
				}
			})
		}
	}
}

// BenchmarkCheckParallel has all processors ask one validator.
func BenchmarkCheckParallel(b *testing.B) {
	validator := validate.NewValidator(named(b, "server"))
	var roots []*source.Node
	for _, record := range benchmarkRecords() {
		roots = append(roots, parse(b, record))
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			check(b, validator, roots[i%len(roots)])
		}
	})
}

func check(b *testing.B, validator *validate.Validator, root *source.Node) {
	if _, err := validator.Check(root, schema.Chunk); err != nil {
		b.Error(err)
	}
}

// BenchmarkNewWords is the cost of records of which each is wrong by a word of
// its own.
func BenchmarkNewWords(b *testing.B) {
	records := map[string]string{
		"role": `{"role": "%s", "type": "message", "content": "x"}`,
		"key":  `{"role": "assistant", "type": "message", "content": "x", "%s": 1}`,
	}
	for name, record := range records {
		b.Run(name, func(b *testing.B) {
			validator := validate.NewValidator(named(b, "server"))
			var roots []*source.Node
			for i := range 1000 {
				roots = append(roots, parse(b, fmt.Sprintf(record, fmt.Sprintf("x%07d", i))))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				check(b, validator, roots[i%len(roots)])
			}
		})
	}
}

// BenchmarkNewShape is the cost of a record of a shape that there is no room
// for.
func BenchmarkNewShape(b *testing.B) {
	record := `{"role": "assistant", "type": "message", "start": ` + longNumber + `}`
	validator := validate.NewValidator(named(b, "server"))
	root := parse(b, record)
	for b.Loop() {
		check(b, validator, root)
	}
}

const longNumber = "1234567890123456789012345678901234567890123456789012345678901234567890"

// BenchmarkFirstCheck is the cost of a validator's first record: one that is
// known to be valid, and one that the schema is compiled for.
func BenchmarkFirstCheck(b *testing.B) {
	for _, name := range []string{"chunk", "invalid role"} {
		b.Run(name, func(b *testing.B) {
			root := parse(b, benchmarkRecords()[name])
			b.ReportAllocs()
			for b.Loop() {
				check(b, validate.NewValidator(named(b, "interpreter")), root)
			}
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/schema"
)

// The names of the schemas that belong to no dialect.
const (
	reportSchema = "report"
	configSchema = "config"
)

func schemaCommand() command {
	return command{
		name:     "schema",
		operands: "[flags] [NAME]",
		summary:  "list the published JSON Schemas, or print one as it is",
		examples: []string{name + " schema chunk --dialect docs > chunk.schema.json", name + " schema report"},
		setup: func(flags *pflag.FlagSet) action {
			dialect := defineChoice(flags, "dialect", "NAME", "the dialect that the schema is of", schema.Names())
			return func(c *Command, operands []string) error {
				switch len(operands) {
				case 0:
					return c.listSchemas()
				case 1:
					return c.printSchema(operands[0], dialect.value)
				}
				return &usageError{message: "schema prints one schema at a time", command: "schema"}
			}
		},
	}
}

func (c *Command) listSchemas() error {
	published, err := schema.Published()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tDIALECT\tTITLE")
	for _, s := range published {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, s.Dialect, s.Title)
	}
	_, _ = fmt.Fprintf(w, "%s\t-\tThe report that --format json writes\n", reportSchema)
	_, _ = fmt.Fprintf(w, "%s\t-\tWhat a configuration file may hold\n", configSchema)
	if err := w.Flush(); err != nil {
		return err
	}
	return c.print(b.String())
}

func (c *Command) printSchema(schemaName, dialect string) error {
	switch schemaName {
	case reportSchema:
		return c.print(string(schema.Report()))
	case configSchema:
		return c.print(string(schema.Config()))
	}
	known := append(schema.PublishedNames(), reportSchema, configSchema)
	if !slices.Contains(known, schemaName) {
		return unknownWord("schema", schemaName, known)
	}
	text, err := schema.Source(schemaName, dialect)
	if err != nil {
		return err
	}
	return c.print(string(text))
}

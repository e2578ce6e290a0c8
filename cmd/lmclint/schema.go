package main

import (
	"bytes"
	"cmp"
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
		examples: []string{name + " schema chunk --dialect docs > chunk.schema.json", name + " schema message --protocol workbench", name + " schema report"},
		setup: func(flags *pflag.FlagSet) action {
			protocol := defineChoice(flags, "protocol", "NAME", "lmc or workbench, which has no dialects", protocolNames())
			dialect := defineChoice(flags, "dialect", "NAME", "the dialect that the schema is of", schema.Names())
			return func(c *Command, operands []string) error {
				switch len(operands) {
				case 0:
					return c.listSchemas()
				case 1:
					if protocol.value == schema.WorkbenchProtocol {
						return c.printSchema(operands[0], schema.WorkbenchProtocol, schema.WorkbenchNames())
					}
					return c.printSchema(operands[0], dialect.value, schema.PublishedNames())
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
	_, _ = fmt.Fprintln(w, "NAME\tPROTOCOL\tDIALECT\tTITLE")
	for _, s := range published {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Protocol, cmp.Or(s.Dialect, "-"), s.Title)
	}
	_, _ = fmt.Fprintf(w, "%s\t-\t-\tThe report that --format json writes\n", reportSchema)
	_, _ = fmt.Fprintf(w, "%s\t-\t-\tWhat a configuration file may hold\n", configSchema)
	if err := w.Flush(); err != nil {
		return err
	}
	return c.print(b.String())
}

// printSchema prints a schema of a folder, which has those of the known names.
func (c *Command) printSchema(schemaName, folder string, names []string) error {
	switch schemaName {
	case reportSchema:
		return c.print(string(schema.Report()))
	case configSchema:
		return c.print(string(schema.Config()))
	}
	known := slices.Concat(names, []string{reportSchema, configSchema})
	if !slices.Contains(known, schemaName) {
		return unknownWord("schema", schemaName, known, "schema")
	}
	text, err := schema.Source(schemaName, folder)
	if err != nil {
		return err
	}
	return c.print(string(text))
}

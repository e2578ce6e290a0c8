package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/schema"
)

// otherSchemas are the schemas that belong to no dialect, with their titles.
var otherSchemas = [][2]string{
	{"report", "The report of --format json"},
	{"diff", "The report of diff --format json"},
	{"config", "A configuration file"},
	{"suite", "The manifest of the conformance suite"},
	{"suite-report", "The report of suite run --format json"},
}

func (c *Command) schemaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "schema [flags] [NAME]",
		Short: "list the JSON Schemas, or print one",
		Example: name + " schema chunk --dialect docs > chunk.schema.json\n" +
			name + " schema message --protocol workbench\n" + name + " schema report",
		Args: operands(0, 1, "schema prints one schema at a time"),
	}
	command.ValidArgsFunction = func(command *cobra.Command, before []string, text string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(before) > 0 {
			return cobra.NoFileCompletions(command, before, text)
		}
		return completeWith(schemaCompletions)(command, before, text)
	}
	flags := command.Flags()
	protocol := choiceFlag(flags, "protocol", "NAME", "lmc or workbench", protocolNames())
	dialect := choiceFlag(flags, "dialect", "NAME", "dialect of the schema", schema.Names())
	command.RunE = func(_ *cobra.Command, operands []string) error {
		switch {
		case len(operands) == 0:
			return c.listSchemas()
		case protocol.value == schema.WorkbenchProtocol:
			return c.printSchema(operands[0], schema.WorkbenchProtocol, schema.WorkbenchNames())
		}
		return c.printSchema(operands[0], dialect.value, schema.PublishedNames())
	}
	return command
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
	for _, s := range otherSchemas {
		_, _ = fmt.Fprintf(w, "%s\t-\t-\t%s\n", s[0], s[1])
	}
	_ = w.Flush() // a bytes.Buffer does not fail
	return c.print(b.String())
}

// printSchema prints a schema from a folder that has schemas of the given names.
func (c *Command) printSchema(schemaName, folder string, names []string) error {
	for _, s := range otherSchemas {
		if names = append(names, s[0]); s[0] == schemaName {
			folder = ""
		}
	}
	if !slices.Contains(names, schemaName) {
		return unknownWord("schema", schemaName, names, "schema")
	}
	text, err := schema.Source(schemaName, folder)
	if err != nil {
		return err
	}
	return c.print(string(text))
}

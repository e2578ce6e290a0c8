package main

import (
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/spelling"
)

// protocolFlags say of which protocol an input is, and how much of it there is.
type protocolFlags struct {
	protocol *choice
	partial  bool
}

func (o *protocolFlags) define(flags *pflag.FlagSet) {
	o.protocol = defineChoice(flags, "protocol", "NAME", spelling.AnyOf(protocolNames()), append([]string{auto}, protocolNames()...))
	flags.BoolVar(&o.partial, "partial", false, "messages were left out: none is missed")
}

func protocolNames() []string {
	var names []string
	for _, p := range protocol.Protocols() {
		names = append(names, p.Name())
	}
	return names
}

// Package model has what records mean. Package lmc views a record as LMC and follows a
// stream from block to block, session follows both directions of a connection,
// workbench is the model of Semantic Workbench, and media reads the data of images and
// sounds. Package blocks has the blocks and messages of a recording as comparisons
// need them, and assemble the messages that consumers make of a stream. None of them
// knows a rule, a finding or a report: they say what happens, and not whether it is a
// mistake.
package model

// Package lmc is the LMC protocol as a model: what a record says to the
// protocol, and what happens when records follow each other.
//
// A [Record] views a source record by the protocol's keys. A [Tracker] follows
// a stream, a [Transcript] a saved conversation, and a [Session] both
// directions of a connection; all turn records into [Event]s. They decide what
// is open, confirmed and executed, and where to take up the thread again after
// a mistake, so that one mistake is one event and rules need no memory of the
// protocol.
//
// An [Assembler] makes the messages that a [Consumer] of a stream ends up with,
// and an [Agreement] compares a stream with a stored [Conversation].
package lmc

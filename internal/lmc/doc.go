// Package lmc models the LMC protocol: what a record means, and what happens
// when records follow each other.
//
// A [Record] views a source record by the protocol's keys. A [Tracker] follows
// a stream of chunks and a [Transcript] a saved conversation; both turn
// records into [Event]s. The tracker decides which block is open, what is
// confirmed and what is executed, and resynchronizes after a mistake, so that
// one mistake is one event and rules need no protocol state of their own.
package lmc

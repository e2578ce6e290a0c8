// Package convert writes the records of an input in another recorded form, as
// the messages that a consumer stores, as the chunks of a stream, or for another
// dialect.
//
// A record on its way passes the steps that the options ask for: those of
// Open Interpreter 0.1 become LMC, what differs between two dialects is
// rewritten, chunks become messages or messages chunks. Then a layout writes it.
// Each step passes records on one by one and keeps only what is open. What a
// step cannot keep is a [Loss].
package convert

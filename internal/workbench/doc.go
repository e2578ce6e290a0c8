// Package workbench is Semantic Workbench's protocol as a model: what a record
// says about a conversation, and what happens when records follow each other.
//
// A record may be a message as the service returns it, a message as a client
// posts it, an event, what a server-sent event carries, or a line of an export;
// [Read] tells which. A [Follower] follows a conversation and turns records
// into [Event]s: it pairs commands with their responses, remembers ids and
// times, and knows who takes part, so that rules need no memory of the protocol.
package workbench

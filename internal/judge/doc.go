// Package judge decides whether records keep a protocol. Package protocol detects what
// an input is, connects the models and the schemas to the engine, and gives the rules
// their events; validate checks a record against its schema, agreement compares a
// stream with a stored transcript, and offer makes the fixes that several rules offer.
// They know of a rule only its id, for the tables of what explains what, and not how a
// finding is shown.
package judge

// Package job is the linter as an Apache Beam pipeline, for archives that one
// machine does not check fast enough.
//
//	globs -> expand -> inputs -> check -> findings, outcomes
//	findings -> write -> findings-*.jsonl
//	outcomes -> summarize -> summary.json, refused.jsonl
//
// One worker checks an input from its beginning to its end, so that the records
// of a conversation stay in order.
//
// Nothing that an input contains, and no input that cannot be read, fails the
// job: it is an [Outcome] with a failure. What fails it is the engine, and an
// output that cannot be written.
package job

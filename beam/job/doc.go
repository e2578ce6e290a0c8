// Package job is the linter as an Apache Beam pipeline, for archives that one
// machine does not check fast enough.
//
//	globs -> expand -> paths -> plan -> pieces -> check -> findings, outcomes
//	findings of a part of a file -> relocate -> findings of the file
//	findings -> write -> findings-*.jsonl
//	outcomes -> summarize -> summary.json, refused.jsonl
//
// A piece is what is checked at a time: an input, or the lines of a part of a
// large file whose lines are whole conversations. A part does not know how many
// lines precede it: its findings are relocated when all parts were counted.
//
// Nothing that an input contains, and no input that cannot be read, fails the
// job: it is an [Outcome] with a failure. What fails it is the engine, and an
// output that cannot be written.
package job

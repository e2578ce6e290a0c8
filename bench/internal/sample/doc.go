// Package sample makes conversations to measure with: streams, transcripts
// and images that look like recordings of Open Interpreter and keep the
// protocol under the dialect interpreter.
//
// The same options give the same bytes. Images are encoded with the standard
// library, so another Go version may give other images of the same size.
package sample

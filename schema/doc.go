// Package schema says what a record may be: the vocabulary of each dialect of
// LMC, and of Semantic Workbench, as data, the JSON Schemas (draft 2020-12)
// that follow from it, published as they are in this folder and embedded, and
// the verdict on a record.
//
// jsonschema/v5 decides; its errors leave the package only as [Violation]s,
// which name a rule and the key or value that is wrong.
package schema

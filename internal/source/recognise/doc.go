// Package recognise recognizes records by their bytes. A valid stream repeats a
// few dozen record shapes, and most records differ from an earlier one in one
// text only. Such a record need not be parsed, nor validated again.
//
// A [Template] is the bytes of a record that was found valid, and the place of
// the one value in it that may vary. A [Matcher] has the templates of a
// session. Its Next says which template the record matches that a [source.Window]
// begins with; the template's Record then gives the record, with a tree that is
// right for it. Which value may vary, and which records are templates, is for
// the caller to say: the package knows no protocol.
//
// Invariants:
//
//   - The package accepts only. What it does not match says nothing; the caller
//     reads it in full, which gives the same findings and is slower.
//   - A match is exact: every byte of the record is that of the template, but
//     for the value that varies. A record with its members in another order has
//     a template of its own.
//   - The value that varies is a string or a positive whole number, whichever
//     the template has. A string that matches is valid, and plain (see
//     [value.Node.Plain]): nothing in it, as bytes or as an escape, is a control
//     character or half a surrogate pair. A number has nine digits at most.
//   - A match ends within the window: in a window of lines the record has its
//     line end after it, and it is not larger than the window's limit.
//   - The index finds a candidate only. It is compared with the record in full,
//     so that a collision of hashes costs time and nothing else.
//   - Memory is bounded by the limits in this package, not by the input.
//   - A matcher, its templates and their records belong to one goroutine. A record
//     is valid until the next record of its template, and as long as the window.
package recognise

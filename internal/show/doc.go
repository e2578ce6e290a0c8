// Package show has what people and programs see. Packages timeline and compare make
// the view of a recording and of the difference of two, coverage what a check looked
// at, consumers what clients do with each mistake; page, preview, jsonreport and ink
// turn findings and views into a page, an excerpt, JSON and lines on a terminal. They
// run no rule and write no file: package report has the reporters, with a file for
// each format.
package show

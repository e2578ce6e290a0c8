package report_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

var (
	unconfirmed = &lint.Rule{ID: "LMC301", Name: "unconfirmed-execution", Severity: lint.SeverityError}
	duplicate   = &lint.Rule{
		ID: "LMC003", Name: "duplicate-key", Severity: lint.SeverityError,
		Summary:   "An object has a key twice",
		Rationale: "Readers disagree on which value holds.",
		Evidence:  []string{"RFC 8259, section 4"},
		Bad:       []lint.Example{{Name: "role twice", Input: "{\"role\": \"user\", \"role\": \"user\"}\n"}},
		Good:      []lint.Example{{Name: "```", Input: "{\"role\": \"```\"}\n"}},
	}
	spelling       = &lint.Rule{ID: "LMC119", Name: "language-spelling", Severity: lint.SeverityNote}
	unknownKey     = &lint.Rule{ID: "LMC110", Name: "unknown-key", Severity: lint.SeverityWarning}
	notStreamed    = &lint.Rule{ID: "LMC701", Name: "message-not-streamed", Severity: lint.SeverityError}
	contentDiffers = &lint.Rule{ID: "LMC703", Name: "content-differs", Severity: lint.SeverityError}
	noRecords      = &lint.Rule{ID: "LMC011", Name: "no-records", Severity: lint.SeverityError}
)

// sample is a run to be reported: files with their findings.
type sample struct {
	name     string
	files    []report.File
	findings []lint.Finding
}

// place finds a part of a line of the input and gives its place, with the
// whole line as the excerpt.
func place(input string, line, record int, part string) source.Place {
	lines := strings.SplitAfter(input, "\n")
	before := strings.Join(lines[:line-1], "")
	text := strings.TrimSuffix(lines[line-1], "\n")
	from := strings.Index(text, part)
	column := 1 + len([]rune(text[:from]))
	start := source.Position{Offset: int64(len(before) + from), Line: line, Column: column}
	end := start
	end.Offset += int64(len(part))
	end.Column += len([]rune(part))
	return source.Place{
		Span:    source.Span{Start: start, End: end},
		Record:  record,
		Excerpt: source.Excerpt{Text: text, Column: 1},
	}
}

func finding(rule *lint.Rule, path, message string, at source.Place) lint.Finding {
	digest := fnv.New128()
	_, _ = fmt.Fprint(digest, rule.ID, message, at.Span.Start.Offset)
	return lint.Finding{
		Rule: rule, Severity: rule.Severity, Path: path, Message: message, Place: at, Conversation: -1, Count: 1, Fingerprint: hex.EncodeToString(digest.Sum(nil)),
	}
}

// checked is a file whose counts are those of its findings.
func checked(path string, records int, findings ...lint.Finding) sample {
	f := report.File{Result: lint.Result{
		Path: path, Protocol: "lmc", Kind: "stream", Form: string(source.FormJSONL), Dialect: "interpreter", Records: records,
	}}
	for _, finding := range findings {
		switch finding.Severity {
		case lint.SeverityError:
			f.Errors++
			f.ErrorPlaces += finding.Count
		case lint.SeverityWarning:
			f.Warnings++
			f.WarningPlaces += finding.Count
		case lint.SeverityNote:
			f.Notes++
			f.NotePlaces += finding.Count
		}
	}
	return sample{files: []report.File{f}, findings: findings}
}

// everything is a run with all samples in it.
func everything() sample {
	all := sample{name: "everything"}
	for _, s := range samples() {
		all.files = append(all.files, s.files...)
		all.findings = append(all.findings, s.findings...)
	}
	return all
}

func samples() []sample {
	named := func(name string, parts ...sample) sample {
		s := sample{name: name}
		for _, p := range parts {
			s.files = append(s.files, p.files...)
			s.findings = append(s.findings, p.findings...)
		}
		return s
	}
	return []sample{
		named("clean", checked("clean.jsonl", 1204)),
		named("execution", execution()),
		named("same-line", sameLine()),
		named("between-records", betweenRecords()),
		named("wide", wide()),
		named("cut", cut()),
		named("several-lines", severalLines()),
		named("hostile", hostile()),
		named("conversations", conversations()),
		named("elsewhere", elsewhere()),
		named("failed", failed()),
		unsortedFiles(),
	}
}

func unsortedFiles() sample {
	b, a := unsorted("b.jsonl"), unsorted("a.jsonl")
	return sample{"unsorted", append(b.files, a.files...), append(b.findings, a.findings...)}
}

func execution() sample {
	input := `{"role": "assistant", "type": "code", "format": "python", "start": true}` + "\n" + strings.Repeat("{}\n", 8) +
		`{"role": "computer", "type": "console", "start": true}` + "\n"
	f := finding(unconfirmed, "stream.jsonl", "console block runs code that was never confirmed",
		place(input, 10, 9, `{"role": "computer", "type": "console", "start": true}`))
	f.Help = "recorded with auto_run? pass --auto-run; recorded from the server? pass --dialect server"
	f.Related = []lint.Related{{
		Message: "this code block",
		Place:   place(input, 1, 0, `{"role": "assistant", "type": "code", "format": "python", "start": true}`),
	}}
	return checked("stream.jsonl", 1204, f)
}

// elsewhere has places in a file that a stream was compared with.
func elsewhere() sample {
	record := `{"role": "assistant", "type": "message", "content": "Hi"}`
	differs := finding(contentDiffers, "agreed.jsonl", "the stored assistant message is not what was streamed", place(record, 1, 0, record))
	differs.Related = []lint.Related{
		{Message: "stored here", Path: "conversation.json", Place: place(record, 1, 0, `"Hi"`)},
		{Message: "streamed here", Place: place(record, 1, 0, `"Hi"`)},
	}
	missing := finding(notStreamed, "conversation.json", "no block of the stream gave this assistant message", place(record, 1, 0, record))
	missing.Related = []lint.Related{{Message: "the block before it in the stream", Path: "agreed.jsonl", Place: place(record, 1, 0, record)}}
	return checked("agreed.jsonl", 4, differs, missing)
}

func sameLine() sample {
	input := `{"role": "user", "type": "message", "\u0072ole": "computer", "content": "<b>&</b>"}`
	f := finding(duplicate, "t.json", `key "role" stands twice in one object`, place(input, 1, 0, `"\u0072ole"`))
	f.Place.Pointer = "/0/role"
	f.Related = []lint.Related{{Message: "first here", Place: place(input, 1, 0, `"role"`)}}
	return checked("t.json", 1, f)
}

// severalPlaces has related places on the line of the finding, within it, twice
// at one place, and on the next line.
func severalPlaces() sample {
	input := `{"role": "user", "type": "message", "role": "computer", "content": "日本", "role": "assistant"}` + "\n" + `{"end": true}` + "\n"
	whole := strings.Split(input, "\n")[0]
	at := func(line int, part, message string) lint.Related {
		return lint.Related{Message: message, Place: place(input, line, 0, part)}
	}
	f := finding(duplicate, "t.jsonl", "the key stands three times", place(input, 1, 0, `"role": "assistant"`))
	f.Related = []lint.Related{
		at(2, `"end"`, "the end"), at(1, `"role": "user"`, "first here"), at(1, `"role": "computer"`, "second here"),
		at(1, "日本", "wide"), at(1, `"role": "computer"`, "also here"),
	}
	nested := finding(duplicate, "t.jsonl", "a value in a record", place(input, 1, 0, `"computer"`))
	nested.Related = []lint.Related{at(1, whole, "the record")}
	inside := finding(duplicate, "t.jsonl", "a record with a value", place(input, 1, 0, whole))
	inside.Related = []lint.Related{at(1, `"computer"`, "the value")}
	same := finding(duplicate, "t.jsonl", "a record", place(input, 2, 0, `{"end": true}`))
	same.Related = []lint.Related{at(2, `{"end": true}`, "the same place")}
	return checked("t.jsonl", 2, f, nested, inside, same)
}

// bars has places on several lines: with another one inside, one after the
// other, from the middle of a line, and nested.
func bars() sample {
	input := `[
  {
    "role": "user",
    "type": "message"
  },
  {
    "type": "console",
    "a": 1,
    "b": "日本",
    "c": 3,
    "d": 4,
    "e": {
      "f": 5
    }
  }, {"role":
    "computer"}
]
`
	lines := strings.Split(input, "\n")
	at := func(from, fromColumn, to, toColumn int) source.Place {
		p := place(input, from, 0, "")
		p.Span.Start.Column, p.Span.Start.Offset = fromColumn, int64(from*100)
		p.Span.End = source.Position{Line: to, Column: toColumn}
		p.Excerpt = source.Excerpt{Text: lines[from-1][fromColumn-1:], Column: fromColumn}
		for n := from + 1; n <= to; n++ {
			if n-from <= 4 || n == to {
				p.Below = append(p.Below, source.ExcerptLine{Line: n, Text: lines[n-1]})
			}
		}
		return p
	}
	record := finding(duplicate, "bars.json", "a record", at(6, 3, 15, 4))
	inside := finding(duplicate, "bars.json", "a value in a record", at(8, 5, 8, 8))
	inside.Related = []lint.Related{{Message: "the record", Place: at(6, 3, 15, 4)}, {Message: "the record before", Place: at(2, 3, 5, 4)}}
	middle := finding(duplicate, "bars.json", "a record after another one", at(15, 6, 16, 16))
	middle.Related = []lint.Related{{Message: "its end", Place: at(15, 3, 15, 4)}}
	nested := finding(duplicate, "bars.json", "an object in a record", at(12, 10, 14, 6))
	nested.Related = []lint.Related{{Message: "the record", Place: at(6, 3, 15, 4)}}
	return checked("bars.json", 3, record, inside, middle, nested)
}

// longLine has two places that are far from each other on one line.
func longLine() sample {
	excerpt := func(text string, from, to, first int) source.Place {
		return source.Place{
			Span: source.Span{
				Start: source.Position{Offset: int64(from - 1), Line: 3, Column: from},
				End:   source.Position{Offset: int64(to - 1), Line: 3, Column: to},
			},
			Excerpt: source.Excerpt{Text: text, Column: first, CutLeft: first > 1, CutRight: true},
		}
	}
	f := finding(duplicate, "long.jsonl", "duplicate key", excerpt(`cdefghij", "role": "computer", "content": "0123`, 902, 908, 890))
	f.Related = []lint.Related{{Message: "first here", Place: excerpt(`{"role": "user", "content": "abcdefghijklmnopqrstuvwxyz`, 2, 8, 1)}}
	near := finding(duplicate, "long.jsonl", "duplicate key", excerpt(`user", "content": "abcdefghijklmnopqrstuvwxyz", "role": "computer"`, 60, 66, 11))
	near.Related = f.Related
	return checked("long.jsonl", 3, f, near)
}

func betweenRecords() sample {
	return checked("empty.jsonl", 0, finding(noRecords, "empty.jsonl", "no records", source.Place{Record: -1}))
}

func wide() sample {
	input := "{\"content\": \"日本語 e\u0301 👩\u200d💻 🎉\", \"format\": \"py\"}\n{\"\u6f22\u5b57\":\t\"é\", \"typ\": 1}"
	return checked("wide.jsonl", 2,
		finding(spelling, "wide.jsonl", "py is an alias of python", place(input, 1, 0, `"py"`)),
		finding(spelling, "wide.jsonl", "wide characters take two columns each", place(input, 1, 0, "日本語")),
		finding(unknownKey, "wide.jsonl", "a tab stands before", place(input, 2, 1, `"typ"`)))
}

func cut() sample {
	f := finding(spelling, "long.jsonl", "PY is an alias of python", source.Place{
		Span: source.Span{
			Start: source.Position{Offset: 5000, Line: 1, Column: 4001},
			End:   source.Position{Offset: 5004, Line: 1, Column: 4005},
		},
		Excerpt: source.Excerpt{Text: `日本", "format": "PY", "content": "print(1)`, Column: 3985, CutLeft: true, CutRight: true},
	})
	return checked("long.jsonl", 1, f)
}

func severalLines() sample {
	at := place("[\n  {\r\n    \"role\": 1\n  }\n]\n", 2, 0, "{")
	at.Excerpt.Text = "  {\r"
	at.Span.End = source.Position{Offset: 24, Line: 4, Column: 4}
	at.Pointer = "/0"
	return checked("pretty.json", 1, finding(unconfirmed, "pretty.json", "three lines are wrong", at))
}

func hostile() sample {
	input := "{\"a\": \"\x1b]0;owned\a\u202etxt.exe\x00\x7f\u009b31m\xff\r\", \"b\": 1}"
	path := "evil\nname\x1b[31m.jsonl"
	f := finding(unknownKey, path, "unknown key \"\u2066b\x1b[2J\"\nok.jsonl:1:1: fine", place(input, 1, 0, `"b"`))
	f.Help = "remove \x08\U000e0041"
	f.Related = []lint.Related{{Message: "at \x1b[0m\xfe", Place: place(input, 1, 0, `"a"`)}}
	return checked(path, 1, f)
}

func conversations() sample {
	f := finding(spelling, "many.jsonl", "py is an alias of python", place(`[{"format": "py"}]`, 1, 0, `"py"`))
	f.Conversation = 12
	f.Place.Pointer = "/0/format"
	return checked("many.jsonl", 40, f)
}

func failed() sample {
	return sample{files: []report.File{{
		Result: lint.Result{Path: "chat.json"},
		Err:    errors.New("not LMC: looks like OpenAI chat messages"),
	}}}
}

func unsorted(path string) sample {
	input := "{\"x\": 1}\n{\"y\": 2}\n"
	return checked(path, 2,
		finding(unknownKey, path, "unknown key y", place(input, 2, 1, `"y"`)),
		finding(unknownKey, path, "unknown key x", place(input, 1, 0, `"x"`)),
		finding(spelling, path, "odd key x", place(input, 1, 0, `"x"`)),
		finding(duplicate, path, "no key x", place(input, 1, 0, `"x"`)))
}

// causes has findings with several places: in lines, in a document on one line, at more
// places than are kept.
func causes() sample {
	of := func(f lint.Finding, count int, places ...lint.Spot) lint.Finding {
		f.Count, f.Places = count, places
		return f
	}
	spot := func(line, record int) lint.Spot {
		return lint.Spot{Line: line, Column: 2, Offset: int64(40 * line), Record: record, Conversation: -1}
	}
	text := `{"role": "bot", "type": "message", "content": "Hi"}`
	var lines, records, many []lint.Spot
	for _, line := range []int{2, 3, 4, 6, 8, 9, 10, 11} {
		lines = append(lines, spot(line, line-1))
	}
	for record := range 5 {
		records = append(records, spot(1, 2*record))
	}
	for record := range 1001 {
		many = append(many, spot(3*record+1, 3*record))
	}
	first := finding(duplicate, "a.jsonl", "m", place("\n"+text, 2, 1, `"bot"`))
	first.Help = "write it once"
	return checked("a.jsonl", 9000,
		of(first, len(lines), lines...),
		of(finding(duplicate, "a.jsonl", "one line", place(text, 1, 0, `"bot"`)), len(records), records...),
		of(finding(duplicate, "a.jsonl", "many", place(text, 1, 0, `"Hi"`)), 4711, many...),
		of(finding(duplicate, "a.jsonl", "twice on a line", place(text, 1, 0, `"Hi"`)), 2, spot(1, -1), spot(1, -1)))
}

// live has findings that were reported before their input ended, and came again.
func live() sample {
	s := causes()
	s.files[0].Repeated = slices.Clone(s.findings)
	for i := range s.findings {
		s.findings[i].Count, s.findings[i].Places = 1, nil
	}
	return s
}

// fixed has a finding with a fix, in the middle of a long record.
func fixed() sample {
	text := `{"role": "user", "type": "mesage", "content": "` + strings.Repeat("x", 60) + `"}`
	f := finding(duplicate, "a.jsonl", "m", place(text, 1, 0, `"mesage"`))
	f.Fix = fix.Safe("replace it", []fix.Edit{{Span: f.Place.Span, Text: `"message"`}})
	return checked("a.jsonl", 1, f)
}

// hidden has findings that are not in the report: its file must not pass.
func hidden() sample {
	s := execution()
	s.files[0].Errors, s.files[0].Notes = 3, 7
	return s
}

// ownFailOn has a file for which a configuration sets what fails.
func ownFailOn() sample {
	s := execution()
	s.files[0].FailOn = lint.SeverityError + 1
	return s
}

package lmc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

func record(word string) string { return lmc.Word(word) }

// shown are the events that the tests look at, with their names.
var shown = map[lmc.Kind]string{
	lmc.Confirmation: "confirmed", lmc.Execution: "runs", lmc.Executed: "ran", lmc.UnexecutedCode: "abandoned",
	lmc.ContentOutsideBlock: "stray", lmc.Unclosed: "unclosed", lmc.RanAgain: "runs-again", lmc.Truncated: "truncated",
	lmc.EndWithoutStart: "stray-end", lmc.EndMismatch: "end-mismatch", lmc.ContentMismatch: "mismatch",
}

// follow tracks a stream and returns its events, each with the number of the
// word that decided it, from 1.
func follow(t *testing.T, stream string) string {
	t.Helper()
	var events []string
	words := strings.Fields(stream)
	tracker := lmc.NewTracker(func(string) bool { return false }, func(e *lmc.Event) {
		name, ok := shown[e.Kind]
		if !ok {
			return
		}
		at := len(words)
		if e.Record != nil {
			at = e.Record.Source.Index + 1
		}
		if e.Kind == lmc.Confirmation && e.Code == nil {
			name += "-nothing"
		}
		if e.Kind == lmc.Execution && (e.Code == nil || e.Code.Confirmed == nil) {
			name += "-unconfirmed"
		}
		events = append(events, fmt.Sprintf("%d:%s", at, name))
	})
	var input strings.Builder
	for _, word := range words {
		input.WriteString(record(word) + "\n")
	}
	reader := source.NewReader(strings.NewReader(input.String()), source.Options{Form: source.FormJSONL})
	for range words {
		src, err := reader.Next()
		require.NoError(t, err)
		switch {
		case words[src.Index] == "B":
			tracker.Step(lmc.NewBinary(src))
		case src.Root == nil:
			tracker.SkipUnreadable(src)
		default:
			tracker.Step(lmc.NewRecord(src))
		}
	}
	tracker.Finish()
	return strings.Join(events, " ")
}

func TestTracker(t *testing.T) {
	const turn = "c+ c. c- ? o+ o. 0 o- m+ m. m-"
	for _, test := range []struct{ name, stream, want string }{
		{"a complete turn", turn, "4:confirmed 6:runs 9:ran"},
		{"an image between consoles is one execution", "c+ c. c- ? o+ o. o- i+ i. i- o+ 0 o-", "4:confirmed 6:runs 13:ran"},
		{"no confirmation", "c+ c. c- o+ 0 o-", "5:runs-unconfirmed 6:ran"},
		{"code that does not run", "c+ c. c- m+ m. m-", "6:abandoned"},
		{"the consumer breaks off at the confirmation", "c+ c. c- ?", "4:confirmed"},
		{"code that runs behind a message", "c+ c. c- m+ m. m- ? o+ o. 0 o-", "7:confirmed 9:runs 11:ran"},
		{"a confirmation of nothing", "m+ m. m- ?", "4:confirmed-nothing"},

		{"a lost start is one mistake", "m. m. m- " + turn, "1:stray 7:confirmed 9:runs 12:ran"},
		{"a lost end is one mistake", "m+ m. " + turn, "3:unclosed 6:confirmed 8:runs 11:ran"},
		{"code whose end was lost is still confirmed", "c+ c. ? o+ 0 o-", "3:unclosed 3:confirmed 5:runs 6:ran"},
		{"code whose start was lost is still confirmed", "c. c- ? o+ 0 o-", "1:stray 3:confirmed 5:runs 6:ran"},
		{"an end sent twice", "m+ m. m- m- m+ m. m-", "4:stray-end"},
		{"a start sent twice", "m+ m+ m. m-", "2:unclosed"},
		{"the wrong end closes the block", "m+ m. o- m+ m. m-", "3:end-mismatch"},
		{"a run of strange content is one mistake", "m+ m. o. o. m. m-", "3:mismatch"},
		{"two runs of strange content are two", "m+ m. o. m. o. m-", "3:mismatch 5:mismatch"},
		{"strange content under the wrong start, with its own end", "m+ i. i. i-", "2:mismatch"},
		{"a cut stream", "m+ m.", "2:truncated"},

		{"end and next start swapped", "m+ m. c+ m- c. c- ?", "3:unclosed 7:confirmed"},
		{"end and confirmation swapped", "c+ c. ? c- o+ 0 o-", "3:unclosed 3:confirmed 6:runs 7:ran"},
		{"confirmation and console start swapped", "c+ c. c- o+ ? 0 o-", "5:runs-unconfirmed 5:unclosed 5:confirmed 7:ran"},
		{"start and first content swapped", "m. m+ m. m-", "1:stray"},
		{"last content and end swapped", "m+ m- m.", "3:stray"},
		{"a stray start in the middle of a block", "m+ m. c+ m. m-", "3:unclosed"},
		{"interleaved blocks are one mistake", "m+ m. c+ m. c. c. m- c. c- ? o+ 0 o-", "3:unclosed 10:confirmed 12:runs 13:ran"},
		{"interleaved from the first content on", "m+ m. c+ c. m. c. m- c- ? o+ 0 o- m+ m. m-", "3:unclosed 9:confirmed 11:runs 13:ran"},
		{"interleaved blocks whose ends stand together", "m+ m. c+ m. c. m- c- ? m+ m.", "3:unclosed 8:confirmed 10:truncated"},
		{"a start too early by some records", "m+ m. c+ m. m. m- c. c- ?", "3:unclosed 9:confirmed"},
		{"strange content behind interleaved blocks", "m+ m. c+ m. c. c- m- m+ o. m. m-", "3:unclosed 9:mismatch"},
		{"a stray confirmation in the middle of output", "c+ c. c- ? o+ o. ? o. 0 o- m+ m. m-", "4:confirmed 6:runs 7:unclosed 7:confirmed 11:ran"},

		{"an unreadable start explains stray content", "# m. m-", ""},
		{"an unreadable end explains an open block", "m+ m. # m+ m. m-", ""},
		{"an unreadable last record explains a cut stream", "m+ m. #", ""},
		{"an unreadable confirmation explains that it is missing", "c+ c. c- # o+ 0 o- m+ m. m-", "8:ran"},
		{"an unreadable record explains one framing error only", "# m. m- m. m-", "4:stray"},
		{"an unreadable content chunk explains nothing", "m+ # m. c+ c. c- ?", "4:unclosed 7:confirmed"},
		{"an end some records late", "c+ c. ? o+ o. c- 0 o- m+ m. m-", "3:unclosed 3:confirmed 5:runs 9:ran"},
		{"an end late between blocks", "m+ m. c+ c. c- m- ?", "3:unclosed 7:confirmed"},
		{"an end that belongs to no block", "m+ m. c+ c. c- m+ m. m- m-", "3:unclosed 9:stray-end 9:abandoned"},
		{"a start behind its block", "c. c- c+ ? o+ 0 o-", "1:stray 4:confirmed 6:runs 7:ran"},
		{"code without its start in a message without its end", "m+ m. c. c. c- ? o+ 0 o-", "3:mismatch 6:confirmed 8:runs 9:ran"},
		{"code that comes again in the middle of output", "c+ c. c- ? o+ o. c. c- ? o+ 0 o-", "4:confirmed 6:runs 7:mismatch 8:ran 9:confirmed 11:runs 12:ran"},
		{"a chunk of code behind its confirmation", "c+ c. c- ? c. o+ 0 o-", "4:confirmed 5:stray 7:runs 8:ran"},
		{"a late confirmation in the middle of output", "c+ c. c- o+ o. ? 0 o- m+ m. m-", "5:runs-unconfirmed 6:unclosed 6:confirmed 9:ran"},
		{"output after a message, with no new code", "c+ c. c- ? o+ o. 0 o- m+ m. m- o+ o. 0 o-", "4:confirmed 6:runs 9:ran 13:runs-again 13:runs-unconfirmed 15:ran"},
		{"output after a message, confirmed again", "c+ c. c- ? o+ o. 0 o- m+ m. m- ? o+ o. 0 o-", "4:confirmed 6:runs 9:ran 12:confirmed 14:runs 16:ran"},
		{"an end sent twice after one that came late", "c+ c. ? c- c- o+ 0 o-", "3:unclosed 3:confirmed 5:stray-end 7:runs 8:ran"},
		{"an end sent twice after interleaved blocks", "m+ m. c+ m- m- c. c-", "3:unclosed 5:end-mismatch 7:abandoned"},
		{"code of which only the end is left is still confirmed", "m+ m. m- c- ? o+ o. 0 o-", "4:stray-end 5:confirmed 7:runs 9:ran"},
		{"an end of code that nothing runs", "m+ m. m- c- m+ m. m-", "4:stray-end"},
		{"an end of code before output", "c- i+ i. i-", "1:stray-end 3:runs-unconfirmed 4:ran"},
		{"two unreadable records explain a missing end and confirmation", "c+ c. # # o+ o. 0 o-", "8:ran"},
		{"sound that continues a block with a wrong end", "a+ m- B B a-", "2:end-mismatch"},
		{"sound after its end", "a+ a- B B m+ m. m-", "3:stray"},
		{"interleaved blocks, the second without content", "m+ c+ m. m- c- m+ m. m-", "2:unclosed"},
		{"a late confirmation is not a second mistake", "c+ c. c- o+ 0 o- ? m+ m. m-", "5:runs-unconfirmed 7:ran 7:confirmed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, follow(t, test.stream), test.stream)
		})
	}
}

// BenchmarkTracker follows healthy turns, records already read.
func BenchmarkTracker(b *testing.B) {
	const turn = "m+ m. m. m. m- c+ c. c. c. c- ? o+ o. o. 0 o- "
	var records []*lmc.Record
	for i, word := range strings.Fields(strings.Repeat(turn, 10)) {
		src, err := source.NewReader(strings.NewReader(record(word)), source.Options{Form: source.FormJSONL}).Next()
		require.NoError(b, err)
		src.Index = i
		records = append(records, lmc.NewRecord(src))
	}
	tracker := lmc.NewTracker(func(string) bool { return false }, func(*lmc.Event) {})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		tracker.Step(records[i%len(records)])
	}
}

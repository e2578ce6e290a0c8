package embedded_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

func TestLogsInJSON(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{
			"Docker", `{"log":"{\"a\": \"\\u00e9\"}\n","stream":"stdout","time":"2025-02-15T12:00:01Z"}` + "\n" + `{"log":"{\"b\":2}\r\n","stream":"stdout","attrs":{"tag":"x"},"time":"…"}`,
			[]string{`0 1:9 {"a": "\u00e9"}`, `1 2:9 {"b":2}`},
		},
		{
			"Docker, other lines", `{"log":"INFO: started\n","stream":"stderr"}` + "\n" + `{"log":"\n","stream":"stdout"}` + "\n" + `{"log":"data: {\"a\":1}\n","stream":"stdout"}` + "\n" + `{"log":"","stream":"stdout"}`,
			[]string{
				`0 3:15 {"a":1}`, "4:29 ()",
				"  1:1-1:44 stray: this line contains no record",
			},
		},
		{
			"Fluent Bit", `{"date":1739620801.5,"log":"{\"a\":1}"}` + "\n" + `{"@timestamp":"…","log":"{\"b\":2}\n","kubernetes":{"pod_name":"x"}}`,
			[]string{`0 1:29 {"a":1}`, `1 2:26 {"b":2}`},
		},
		{
			"journald", `{"__CURSOR":"s=1","MESSAGE":"{\"a\":1}","PRIORITY":"6"}` + "\n" + `{"__CURSOR":"s=2","MESSAGE":[1,2],"PRIORITY":"6"}`,
			[]string{`0 1:30 {"a":1}`, "2:50 ()", "  2:1-2:50 stray: this line contains no record"},
		},
		{
			"a program's logger", `{"level":"info","msg":"chunk {\"a\":1}"}` + "\n" + `{"level":"info","message":"chunk {'b': True}"}` + "\n" + `{"level":30,"msg":"x","chunk":{"role":"c"}}`,
			[]string{
				`0 1:30 {"a":1}`, `1 2:34 {'b': True}`, "  2:34-2:45 python: records are Python literals, not JSON", `2 3:31 {"role":"c"}`,
			},
		},
		{
			"a broken record", `{"log":"{\"a\":1}\n","stream":"stdout"}` + "\n" + `{"log":"{\"b\":2\n","stream":"stdout"}` + "\n" + `{"log":"{\"c\"` + "\n",
			[]string{
				`0 1:9 {"a":1}`, `1 2:9 !{"b":2`, "  2:17-2:17 invalid-json: the record ends before it is closed",
				`2 3:1 !{"log":"{\"c\"`, "  3:15-3:15 truncated: the input ends before the record is closed",
			},
		},
		{
			"a program that ended in a record", `{"log":"{\"a\":1}\n","stream":"stdout"}` + "\n" + `{"log":"INFO {\"b\":","stream":"stdout"}` + "\n\n",
			[]string{
				`0 1:9 {"a":1}`, `1 2:14 !{"b":`, "  2:21-2:21 truncated: the input ends before the record is closed",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormLog, test.want...)
			sourcetest.RequireOutcome(t, test.input, source.Options{Form: source.FormLog}, source.FormLog, test.want...)
		})
	}
}

func TestSplitLogs(t *testing.T) {
	const piece = 16 << 10
	line := func(stream, text string) string {
		return `{"log":"` + text + `","stream":"` + stream + `"}` + "\n"
	}
	head := `{\"a\":\"`
	long := head + strings.Repeat("é", (piece-len(`{"a":"`))/2)
	data := `{"a":"` + strings.Repeat("é", (piece-len(`{"a":"`))/2)
	behind := fmt.Sprint(9 + len(`{\"a\":\"`) + (piece-len(`{"a":"`))/2) // the column after the text of the first piece
	tests := []struct {
		name, input string
		want        []string
	}{
		{
			"a long text in pieces", line("stdout", long) + line("stderr", `INFO\n`) + line("stdout", `\",\"a\":2}\n`) + line("stdout", `{\"b\":1}\n`),
			[]string{
				`0 1:9 ` + data + `","a":2}`, "  3:12-3:17 duplicate-key: the key `a` occurs twice in one object (1:10)", `1 4:9 {"b":1}`,
				"5:1 ()", "  2:1-2:35 stray: this line contains no record",
			},
		},
		{
			"the last piece is missing", line("stdout", long),
			[]string{`0 1:9 !` + data, "  1:" + behind + "-1:" + behind + " truncated: the input ends before the record is closed"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormLog, test.want...)
		})
	}
}

// What Docker splits is joined up to the limit of a record.
func TestSplitLogIsBounded(t *testing.T) {
	piece := `{"log":"` + strings.Repeat("x", 20_000) + `","stream":"stdout"}` + "\n"
	input := `{"log":"{\"a\":1}\n","stream":"stdout"}` + "\n" + strings.Repeat(piece, 3) + `{"log":"\n{\"b\":2}\n","stream":"stdout"}`
	sourcetest.RequireOutcome(t, input, source.Options{MaxRecordBytes: 30_000}, source.FormLog,
		`0 1:9 {"a":1}`, `1 5:11 {"b":2}`, "5:42 ()", "  2:1-2:321 stray: this line contains no record")
}

package embedded_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

func TestSessionLogs(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"frames", `{"dir":"send","frame":{"a":1}}` + "\n" + `{"t":0.5,"dir":"recv","frame": {"b":{"c":2}} , "n":[1]}`, []string{
			`0 1:23 > {"a":1}`, `1 2:32 < {"b":{"c":2}}`,
		}},
		{"notes", `{"dir":"note","text":"open"}` + "\n" + `{"dir":"send","frame":{"a":1}}` + "\n" + `{"dir":"note"}`, []string{`0 2:23 > {"a":1}`}},
		{"bytes", `{"dir":"send","bytes_base64":"AAEC"}` + "\n", []string{`0 1:31 > =AAEC`}},
		{"text", `{"dir":"send","text":"{\"a\": \"\\u00e9\"}"}` + "\n" + `{"dir":"recv","text":"{\"b\":2}"}`, []string{
			`0 1:23 > {"a": "\u00e9"}`, `1 2:23 < {"b":2}`,
		}},
		{"text that is not a record", `{"dir":"send","text":"go"}` + "\n" + `{"dir":"send","text":" "}` + "\n" + `{"dir":"recv","text":"{\"b\":tru}"}` + "\n" + `{"dir":"recv","text":"{\"b\":"}` + "\n" + `{"dir":"recv","text":"{\"c\":"}` + "\n", []string{
			"0 1:23 > !go", "  1:23-1:25 invalid-json: found `go`, expected a value; text needs double quotes",
			`1 2:1 > !{"dir":"send","text":" "}`, "  2:22-2:25 invalid-form: found an empty frame, expected a record",
			`2 3:23 < !{"b":tru}`, "  3:30-3:33 invalid-json: found `tru`, expected a value; text needs double quotes",
			`3 4:23 < !{"b":`, "  4:30-4:30 invalid-json: the record ends before it is closed",
			`4 5:23 < !{"c":`, "  5:30-5:30 truncated: the input ends before the record is closed",
		}},
		{"other words", `{"direction":"client","data":"{\"a\":1}"}` + "\n" + `{"direction":"Server","data":{"b":2}}`, []string{`0 1:31 > {"a":1}`, `1 2:30 < {"b":2}`}},
		{"as browsers log it", `{"type":"send","time":1.5,"opcode":1,"data":"{\"a\":1}"}` + "\n" + `{"type":"receive","opcode":2,"data":"AAEC"}` + "\n" + `{"type":"receive","opcode":9,"data":""}`, []string{
			`0 1:46 > {"a":1}`, `1 2:38 < =AAEC`,
		}},
		{"list", `[{"dir":"send","frame":{"a":1}}, {"dir":"note"}, {"dir":"recv","frame":{"b":2}}]`, []string{`0/0/frame 1:24 > {"a":1}`, `1/2/frame 1:72 < {"b":2}`}},
		{"Python", "{'dir': 'send', 'frame': {'a': True}}\n", []string{
			"1:1 ({'dir': 'send', 'frame': {'a': True}})", "  1:1-1:38 python: records are Python literals, not JSON", "0 1:26 > {'a': True}",
		}},
		{"a line that is not logged so", `{"dir":"send","frame":{"a":1}}` + "\n" + `{"role":"b"}` + "\n", []string{`0 1:23 > {"a":1}`, `1 2:1 {"role":"b"}`}},
		{"mistakes", `{"dir":"send","frame":{"a":1}}` + "\n" + `{"dir":"snd","frame":{}}` + "\n" + `{"frame":{}}` + "\n" + `{"dir":"recv"}` + "\n" + `{"dir":"recv","frame":[1]}` + "\n" + `{"dir":"recv","bytes_base64":1}` + "\n" + `{"dir":"recv","frame":{"a"}}` + "\n" + `{"dir":"recv","frame":{"b":2}}`, []string{
			`0 1:23 > {"a":1}`,
			`1 2:1 !{"dir":"snd","frame":{}}`, "  2:8-2:13 invalid-form: found the direction `\"snd\"`, expected send, recv or note",
			`2 3:1 !{"frame":{}}`, "  3:1-3:2 invalid-form: found no direction, expected `dir` with send, recv or note",
			`3 4:1 < !{"dir":"recv"}`, "  4:1-4:2 invalid-form: found no frame, expected `frame`, `text` or `bytes_base64`",
			`4 5:1 < !{"dir":"recv","frame":[1]}`, "  5:23-5:26 not-an-object: found an array, expected an object",
			`5 6:1 < !{"dir":"recv","bytes_base64":1}`, "  6:30-6:31 invalid-form: found a number, expected a string with the bytes of the frame",
			`6 7:1 !{"dir":"recv","frame":{"a"}}`, "  7:27-7:28 invalid-json: found `}`, expected a colon after the name",
			`7 8:23 < {"b":2}`,
		}},
		{"mistakes in and around a frame", `{"dir":"send","frame":{"a":"\ud800","a":1}}` + "\n" + `{"dir":"send","x":"\ud800","frame":{"a":"\udc00"}}` + "\n" + `{"dir":"send","dir":"send","frame":{}}`, []string{
			`0 1:23 > {"a":"\ud800","a":1}`,
			"  1:29-1:35 lone-surrogate: found `\\ud800`, half of a surrogate pair without its other half",
			"  1:37-1:40 duplicate-key: the key `a` occurs twice in one object (1:24)",
			`2:1 ({"dir":"send","x":"\ud800","frame":{"a":"\udc00"}})`,
			"  2:20-2:26 lone-surrogate: found `\\ud800`, half of a surrogate pair without its other half",
			`1 2:36 > {"a":"\udc00"}`,
			"  2:42-2:48 lone-surrogate: found `\\udc00`, half of a surrogate pair without its other half",
			`2 3:1 > {"dir":"send","dir":"send","frame":{}}`, "  3:15-3:20 duplicate-key: the key `dir` occurs twice in one object (3:2)",
		}},
		{"cut off", `{"dir":"send","frame":{"a":1}}` + "\n" + `{"dir":"recv","frame":{"b`, []string{
			`0 1:23 > {"a":1}`, `1 2:1 !{"dir":"recv","frame":{"b`, "  2:26-2:26 truncated: the input ends before the record is closed",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormSessionLog, test.want...)
		})
	}
}

func TestEnvelopes(t *testing.T) {
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"numbered", `{"seq":0,"chunk":{"role":"a"}}` + "\n" + `{"seq":1,"chunk":{"b":2}}`, source.FormJSONL, []string{`0 1:18 {"role":"a"}`, `1 2:18 {"b":2}`}},
		{"named", `{"event":"x","data":{"role":"a"}}` + "\n" + `{"event":"y","data":"{\"role\":\"b\"}"}`, source.FormJSONL, []string{
			`0 1:21 x {"role":"a"}`, `1 2:22 y {"role":"b"}`,
		}},
		{"typed", `{"type":"chunk","chunk":{"role":"a"}}` + "\n" + `{"type":"done"}`, source.FormJSONL, []string{`0 1:25 {"role":"a"}`}},
		{"in events", `data: {"n":1,"chunk":{"role":"a"}}` + "\n\n" + `data: {"n":2,"chunk":{"role":"b"}}` + "\n\n", source.FormSSE, []string{`0 1:22 {"role":"a"}`, `1 3:22 {"role":"b"}`}},
		{"in events, as text over lines", "data: {\"chunk\":\ndata: \"{\\\"role\\\":\\\"\\u00e9\\\"}\"}\n\n", source.FormSSE, []string{`0 2:8 {"role":"é"}`}},
		{"mistakes", `{"seq":0,"chunk":{"role":"a"}}` + "\n" + `{"seq":1,"chnk":{"role":"a"}}` + "\n" + `{"seq":2,"chunk":null}`, source.FormJSONL, []string{
			`0 1:18 {"role":"a"}`,
			`1 2:1 !{"seq":1,"chnk":{"role":"a"}}`, "  2:1-2:2 invalid-form: found an envelope without `chunk`, expected the record there",
			`2 3:1 !{"seq":2,"chunk":null}`, "  3:18-3:22 not-an-object: found null, expected an object",
		}},

		{"no envelope: other values", `{"chunk":{"role":"a"},"x":{}}`, source.FormJSONL, []string{`0 1:1 {"chunk":{"role":"a"},"x":{}}`}},
		{"no envelope: a type of its own", `{"type":"message_start","message":{"role":"a"}}`, source.FormJSONL, []string{`0 1:1 {"type":"message_start","message":{"role":"a"}}`}},
		{"no envelope: no record", `{"event":"x","data":{"message":{}}}`, source.FormJSONL, []string{`0 1:1 {"event":"x","data":{"message":{}}}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, test.form, test.want...)
		})
	}
}

func TestMarkedFrames(t *testing.T) {
	for name, test := range map[string]struct {
		input string
		want  []string
	}{
		"wscat": {"Connected (press CTRL+C to quit)\n> {\"a\": 1}\n< {\"b\":2}\n\n> {\"c\": x}\n> \nDisconnected (code: 1000)\n", []string{
			`0 2:3 > {"a": 1}`, `1 3:3 < {"b":2}`, `2 5:3 > !{"c": x}`, "  5:9-5:10 invalid-json: found `x`, expected a value; text needs double quotes",
		}},
		"times": {"[12:00:01.5] -> {\"a\": 1}\n[12:00:02] <- {\"b\": 2}\n", []string{`0 1:17 > {"a": 1}`, `1 2:15 < {"b": 2}`}},
		"cut":   {">>> {'a': True}\n<<< {'b':", []string{`0 1:5 > {'a': True}`, "  1:5-1:16 python: records are Python literals, not JSON", "1 2:5 < !{'b':", "  2:10-2:10 truncated: the input ends before the record is closed"}},
	} {
		t.Run(name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormSessionLog, test.want...)
		})
	}
}

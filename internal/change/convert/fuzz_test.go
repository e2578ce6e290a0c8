package convert_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/schema"
)

// For any input and any target, a conversion does not panic, and each loss has a place
// and a reason. Records of JSON Lines are converted to each other form and back without
// a loss.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"role": "user", "type": "message", "content": "\ud83c\u0041", "n": [1e400, -0, 1.0], "n": null}`+"\n[1]\n\"x\"\n"), byte(3), byte(0))
	f.Add([]byte("{'role': 'assistant', 'type': 'code', 'format': 'python', 'start': True, 'x': ('a', u'\\xe9' \n'b')}"), byte(0), byte(1))
	f.Add([]byte(`[{"role": "user", "message": "a"}, {"role": "assistant", "code": "f()", "language": "python", "output": ""}]`), byte(5), byte(2))
	f.Add([]byte("{\"start_of_code\": true}\n{\"code\": \"x\"}\n{\"executing\": {}}\n{\"active_line\": 1}\n"), byte(4), byte(12))
	f.Add([]byte(`{"dir": "send", "frame": {"role": "user", "start": true}}`+"\n"+`{"time": 'x', "dir": "recv", "bytes_base64": "AA"}`+"\n"), byte(2), byte(3))
	f.Add([]byte("[{\"role\": \"user\"}]\n[]\n[{\"role\": \"assistant\", \"type\": \"message\", \"content\": \"b\"}]\n"), byte(0), byte(7))
	f.Fuzz(func(t *testing.T, text []byte, target, how byte) {
		o := convert.Options{
			To: convert.Targets()[int(target)%len(convert.Targets())], AllowEmpty: true, AutoRun: how&1 != 0,
			MaxRecordBytes: 1 << 16,
		}
		if how&16 != 0 {
			o.Dialect, _ = schema.Lookup(schema.Names()[int(how>>5)%len(schema.Names())])
		}
		if how&8 != 0 {
			o.FromVersion = convert.PreLMC
		}
		var b bytes.Buffer
		_, _ = run(context.Background(), bytes.NewReader(text), &b, o, func(l convert.Loss) {
			if l.Message == "" || l.Place.Span.Start.Line < 1 {
				t.Errorf("a loss without a message or a place: %+v", l)
			}
		})
		lines, _, err := converted(text, convert.Options{To: convert.JSONL, AllowEmpty: true})
		if err != nil {
			return
		}
		if lines, _, err = converted(lines, convert.Options{To: convert.JSONL, AllowEmpty: true}); err != nil {
			return // a single conversation on its line becomes lines of its records, where that is possible
		}
		for _, form := range forms {
			there, losses, err := converted(lines, convert.Options{To: form, AllowEmpty: true})
			if err != nil {
				continue
			}
			back, _, err := converted(there, convert.Options{To: convert.JSONL, AllowEmpty: true})
			if mayFail(err) {
				continue // it says so
			}
			if err != nil || len(losses) > 0 {
				t.Fatalf("%s: %v %v\n%s\n%s", form, err, losses, lines, there)
			}
			empty := []byte("[]\n")
			if form != convert.Python && !bytes.Equal(bytes.TrimPrefix(lines, empty), bytes.TrimPrefix(back, empty)) {
				t.Fatalf("%s:\n%s\n%s\n%s", form, lines, there, back)
			}
		}
	})
}

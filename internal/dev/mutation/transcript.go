package mutation

import (
	"slices"
	"strings"
)

// messageFilter reports whether a mistake can be seeded in a message of a
// transcript.
type messageFilter func(object) bool

// inMessage returns a kind of mistake in a message of a transcript.
func inMessage(name string, fit messageFilter, change change, want ...string) Kind {
	return onTranscript(name+" in transcript", want, func(r *Recording, d dice) *edit {
		i := r.messageThat(fit, d)
		if i < 0 {
			return nil
		}
		return at(r.set(i, change(r.records[i], d)), i)
	})
}

// messageThat returns the index of a random message that passes the filter, or -1.
func (r *Recording) messageThat(fit messageFilter, d dice) int {
	var from []int
	for i, o := range r.records {
		if fit(o) {
			from = append(from, i)
		}
	}
	if len(from) == 0 {
		return -1
	}
	return pick(d, from...)
}

// stored returns a kind of mistake that inserts a record that must not be stored.
func stored(name string, record func(d dice) object, want ...string) Kind {
	return onTranscript(name+" in transcript", want, func(r *Recording, d dice) *edit {
		i := 1 + d.IntN(len(r.records))
		for i < len(r.records) && r.records[i].text("role") == "computer" {
			i++ // never between code and its output
		}
		return at(r.insertBefore(i, record(d).line()), i)
	})
}

func anyMessage(object) bool { return true }

func ofType(types ...string) messageFilter {
	return func(o object) bool { return slices.Contains(types, o.text("type")) }
}

func byRole(role string, fit messageFilter) messageFilter {
	return func(o object) bool { return o.text("role") == role && fit(o) }
}

func plainLanguage(o object) bool {
	return o.text("type") == "code" && o.text("role") == "assistant" && slices.Contains([]string{"python", "shell"}, o.text("format"))
}

// misspelled returns a word without its third letter, or a short word with one
// more.
func misspelled(word string) string {
	if len(word) < 4 {
		return word + "x"
	}
	return word[:2] + word[3:]
}

// transcripts returns the mistakes in transcripts.
func transcripts() []Kind {
	formatted := ofType("code", "console", "image")
	return []Kind{
		// keys and values
		inMessage("no role", anyMessage, without("role"), "LMC101"),
		inMessage("no type", anyMessage, without("type"), "LMC103"),
		inMessage("no format", formatted, without("format"), "LMC105"),
		inMessage("empty format", formatted, with("format", ""), "LMC105"),
		inMessage("no content", anyMessage, without("content"), "LMC108"),
		inMessage("unknown role", anyMessage, func(o object, d dice) object {
			return o.with("role", pick(d, misspelled(o.text("role")), "human", "tool", strings.ToUpper(o.text("role"))))
		}, "LMC102"),
		inMessage("unknown type", anyMessage, func(o object, d dice) object {
			return o.with("type", pick(d, misspelled(o.text("type")), "text", "tool_call"))
		}, "LMC104"),
		inMessage("unknown console format", ofType("console"), with("format", "stdout", "Output"), "LMC106"),
		inMessage("unknown image format", ofType("image"), with("format", "base64.gif"), "LMC106"),
		inMessage("format of a message", ofType("message"), with("format", "text"), "LMC107"),
		inMessage("content no string", anyMessage, with("content", 1, nil, true, map[string]string{"text": "x"}, []string{"x"}), "LMC109"),
		inMessage("unknown key", anyMessage, func(o object, d dice) object { return o.with(pick(d, "lang", "model", "formt"), "x") }, "LMC110"),
		inMessage("misspelled role key", anyMessage, renamed("role", "roel"), "LMC101", "LMC110"),
		inMessage("misspelled type key", anyMessage, renamed("type", "typ"), "LMC103", "LMC110"),
		inMessage("misspelled format key", formatted, renamed("format", "fromat"), "LMC105", "LMC110"),
		inMessage("misspelled content key", anyMessage, renamed("content", "contents"), "LMC108"),
		inMessage("unknown recipient", anyMessage, with("recipient", "computer"), "LMC115"),
		inMessage("role no string", anyMessage, with("role", nil, 1, []string{"user"}), "LMC101", "LMC102"),
		inMessage("message by the computer", byRole("assistant", ofType("message")), with("role", "computer"), "LMC116"),
		inMessage("start flag", anyMessage, with("start", true), "LMC501"),
		inMessage("end flag", anyMessage, with("end", true), "LMC501"),

		// content
		inMessage("misspelled language", byRole("assistant", ofType("code")), with("format", "pyt"), "LMC118"),
		inMessage("other spelling of a language", plainLanguage, func(o object, d dice) object {
			if o.text("format") == "shell" {
				return o.with("format", pick(d, "bash", "Shell", "SHELL"))
			}
			return o.with("format", pick(d, "PY", "Python", "python "))
		}, "LMC119"),
		inMessage("terminal escape", ofType("message"), func(o object, _ dice) object {
			return o.with("content", "\x1b[1mx\x1b[0m"+o.text("content"))
		}, "LMC407"),
		inMessage("nothing", func(o object) bool {
			return o.text("role") != "computer" && ofType("message", "code")(o)
		}, with("content", "", " ", "\n\t "), "LMC505"),

		// records that are not messages
		stored("start", func(dice) object { return record("assistant", "message", "").with("start", true) }, "LMC501"),
		stored("end", func(dice) object { return record("assistant", "message", "").with("end", true) }, "LMC501"),
		stored("active line", func(d dice) object {
			return record("computer", "console", "active_line").with("content", pick[any](d, 1, nil, "1"))
		}, "LMC502"),
		stored("confirmation", func(dice) object {
			return record("computer", "confirmation", "execution").with("content", record("", "code", "python").without("role").with("content", "x"))
		}, "LMC502"),
		stored("review", func(dice) object { return record("assistant", "review", "safe").with("content", "fine") }, "LMC502"),
		stored("status", func(dice) object { return record("server", "status", "").with("content", "complete") }, "LMC502"),
		stored("acknowledgement", func(d dice) object {
			return pick(d, object(nil).with("ack", "abc"), object(nil).with("auth", true))
		}, "LMC502"),
		stored("command", func(d dice) object { return record("user", "command", "").with("content", pick(d, "go", "stop")) }, "LMC507"),
		stored("system message", func(dice) object { return record("system", "message", "").with("content", "You are") }, "LMC506"),
		stored("record from before LMC", func(d dice) object {
			return pick(d, object(nil).with("role", "assistant").with("message", "Hi"),
				object(nil).with("role", "assistant").with("language", "python").with("code", "1").with("output", "1"))
		}, "LMC117"),
		stored("OpenAI message", func(dice) object { return object(nil).with("role", "assistant").with("content", "Hi") }, "LMC103"),
		stored("path of base64", func(dice) object {
			return record("user", "image", "path").with("content", "iVBORw0KGgoAAAANSUhEUgAAAAE=")
		}, "LMC411"),
		stored("audio", func(dice) object { return record("user", "audio", "wav").with("content", "/tmp/question.wav") }, "LMC508"),
		stored("empty path", func(dice) object { return record("user", "image", "path").with("content", "") }, "LMC406"),
		stored("empty object", func(dice) object { return nil }, "LMC101", "LMC103", "LMC108"),

		// order
		onTranscript("output before any code", []string{"LMC503"}, func(r *Recording, _ dice) *edit {
			return at(r.insertBefore(1, output("5\n").line()), 1)
		}),
		onTranscript("first code dropped", []string{"LMC503"}, func(r *Recording, _ dice) *edit {
			i := slices.IndexFunc(r.records, ofType("code"))
			if i < 0 || i+1 == len(r.records) || r.records[i+1].text("type") != "console" {
				return nil
			}
			return at(r.replaceLine(i), i)
		}),
		onTranscript("last code dropped", []string{"LMC503"}, func(r *Recording, _ dice) *edit {
			for i := len(r.records) - 2; i > 0; i-- {
				if ofType("code")(r.records[i]) && ofType("message")(r.records[i-1]) && ofType("console")(r.records[i+1]) {
					return at(r.replaceLine(i), i)
				}
			}
			return nil
		}),
		onTranscript("output after a message", []string{"LMC503"}, func(r *Recording, d dice) *edit {
			i := r.messageThat(ofType("message"), d)
			if i < 0 {
				return nil
			}
			return at(r.insertBefore(i+1, output("5\n").line()), i+1)
		}),
		onTranscript("output dropped", []string{"LMC504"}, func(r *Recording, _ dice) *edit {
			i := slices.IndexFunc(r.records, byRole("assistant", ofType("code")))
			if i < 0 {
				return nil
			}
			j := i + 1
			for j < len(r.records) && r.records[j].text("role") == "computer" {
				j++
			}
			if j == i+1 {
				return nil
			}
			return at(r.deleteLines(i+1, j), i)
		}),
	}
}

// record returns a record with role, type and, unless empty, format.
func record(role, kind, format string) object {
	o := object(nil).with("role", role).with("type", kind)
	if format != "" {
		o = o.with("format", format)
	}
	return o
}

package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Habit is a mistake that a program makes in all records that it writes, because it
// serializes them so, or takes a key or a word for another.
type Habit struct {
	Name string // in words, unique

	change func(object) []object // the records that it writes instead of one
}

// Apply returns records, one per line, as a program with the habit writes them.
func (h Habit) Apply(lines []byte) []byte {
	var out []byte
	for line := range bytes.Lines(lines) {
		o, err := parse(line)
		if err != nil {
			panic(fmt.Sprintf("parse %s: %v", line, err))
		}
		for _, changed := range h.change(o) {
			out = append(append(out, changed.line()...), '\n')
		}
	}
	return out
}

// Habits returns what programs were seen to do, or may do as easily.
func Habits() []Habit {
	return slices.Concat(nullHabits(), keyHabits(), wordHabits(), flagHabits(), contentHabits(), formatHabits())
}

// habit returns a habit that changes each record into one.
func habit(name string, change func(object) object) Habit {
	return Habit{name, func(o object) []object { return []object{change(o)} }}
}

func (o object) isFlag() bool { return o.has("start") || o.has("end") }

// nullHabits write null for what is not set.
func nullHabits() (habits []Habit) {
	nulls := func(keys ...string) func(object) object {
		return func(o object) object {
			for _, key := range keys {
				if !o.has(key) && (key != "content" || o.isFlag()) {
					o = o.with(key, nil)
				}
			}
			return o
		}
	}
	for _, keys := range []string{
		"format", "start", "end", "recipient", "content", "id", "created_at", "timestamp", "stop", "start end",
		"format recipient", "format content", "content start end", "recipient id", "format start end", "format content start end",
		"format content start end recipient", "format content start end recipient id created_at", "format name metadata",
	} {
		habits = append(habits, habit("null "+strings.ReplaceAll(keys, " ", ", "), nulls(strings.Fields(keys)...)))
	}
	return append(habits,
		habit("null, keys sorted", func(o object) object {
			o = nulls("format", "content", "start", "end", "recipient")(o)
			slices.SortFunc(o, func(a, b member) int { return strings.Compare(a.name, b.name) })
			return o
		}),
		habit("null recipient on content only", func(o object) object {
			if o.isFlag() {
				return o
			}
			return o.with("recipient", nil)
		}))
}

// keyHabits rename, add or lose a key.
func keyHabits() (habits []Habit) {
	for _, key := range [][2]string{
		{"content", "text message data value delta body output contents Content payload"},
		{"role", "from sender author speaker Role rol"},
		{"type", "kind messageType message_type Type typ event"},
		{"format", "language lang Format fmt mime"},
		{"start", "begin is_start Start started"},
		{"end", "stop done is_end End finished"},
	} {
		for _, name := range strings.Fields(key[1]) {
			habits = append(habits, habit(name+" for "+key[0], func(o object) object { return o.renamed(key[0], name) }))
		}
	}
	for _, added := range []struct {
		key   string
		value any
	}{
		{"timestamp", "2026-03-01T10:00:00Z"},
		{"ts", 1772359200.5},
		{"session_id", "s1"},
		{"model", "m-1"},
		{"index", 0},
		{"uuid", "0b1d"},
		{"metadata", map[string]int{"n": 1}},
		{"finish_reason", "stop"},
		{"recipient", "all"},
		{"recipient", "Assistant"},
		{"recipient", ""},
	} {
		habits = append(habits, habit(fmt.Sprintf("%s %v", added.key, added.value), func(o object) object { return o.with(added.key, added.value) }))
	}
	for _, key := range []string{"role", "type", "content", "format", "start", "end"} {
		habits = append(habits, habit("no "+key, func(o object) object { return o.without(key) }))
	}
	title := func(change func(string) string) func(object) object {
		return func(o object) object {
			for _, m := range o {
				o = o.renamed(m.name, change(m.name))
			}
			return o
		}
	}
	return append(habits,
		habit("keys in title case", title(func(s string) string { return strings.ToUpper(s[:1]) + s[1:] })),
		habit("keys in upper case", title(strings.ToUpper)),
		habit("two more keys", func(o object) object { return o.with("timestamp", 1772359200).with("session", "s1") }),
		habit("neither role nor type", func(o object) object { return o.without("role").without("type") }),
		habit("from, kind and text", func(o object) object {
			return o.renamed("role", "from").renamed("type", "kind").renamed("content", "text")
		}),
		habit("the keys sorted and a timestamp", func(o object) object {
			o = o.with("timestamp", 1772359200)
			slices.SortFunc(o, func(a, b member) int { return strings.Compare(a.name, b.name) })
			return o
		}))
}

// wordHabits write another word for a role or a type.
func wordHabits() (habits []Habit) {
	for _, words := range [][3]string{
		{"role", "assistant", "ai"},
		{"role", "assistant", "model"},
		{"role", "assistant", "bot"},
		{"role", "assistant", "agent"},
		{"role", "user", "human"},
		{"role", "computer", "tool"},
		{"role", "computer", "function"},
		{"role", "computer", "environment"},
		{"role", "assistant", "Assistant"},
		{"role", "assistant", "asistant"},
		{"type", "message", "text"},
		{"type", "message", "msg"},
		{"type", "message", "markdown"},
		{"type", "message", "chat"},
		{"type", "message", "Message"},
		{"type", "console", "output"},
		{"type", "console", "stdout"},
		{"type", "console", "stderr"},
		{"type", "console", "Console"},
		{"type", "console", "result"},
		{"type", "code", "Code"},
		{"type", "code", "python"},
		{"type", "code", "tool_call"},
	} {
		habits = append(habits, habit(words[0]+" "+words[2]+" for "+words[1], func(o object) object {
			if o.text(words[0]) == words[1] {
				return o.with(words[0], words[2])
			}
			return o
		}))
	}
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	words := []string{"user", "assistant", "computer", "message", "code", "console", "confirmation", "python", "execution", "output", "active_line"}
	for _, key := range []string{"role", "type", "format"} {
		for _, change := range []struct {
			name string
			word func(string) any
		}{
			{"in upper case", func(s string) any { return strings.ToUpper(s) }},
			{"in title case", func(s string) any { return title(s) }},
			{"with a space", func(s string) any { return s + " " }},
			{"with a line feed", func(s string) any { return s + "\n" }},
			{"padded", func(s string) any { return fmt.Sprintf("%-16s", s) }},
			{"in quotes", func(s string) any { return fmt.Sprintf("%q", s) }},
			{"after a byte order mark", func(s string) any { return "\ufeff" + s }},
			{"of an enumeration in Python", func(s string) any { return title(key) + "." + strings.ToUpper(s) }},
			{"of an enumeration in Go", func(s string) any { return title(key) + title(s) }},
			{"of an enumeration of protocol buffers", func(s string) any { return strings.ToUpper(key + "_" + s) }},
			{"with a prefix", func(s string) any { return "lmc." + s }},
			{"with a suffix", func(s string) any { return s + "-v1" }},
			{"in the plural", func(s string) any { return s + "s" }},
			{"in a list", func(s string) any { return []string{s} }},
			{"in an object", func(s string) any { return map[string]string{"value": s} }},
			{"as true", func(string) any { return true }},
			{"as a number", func(s string) any { return slices.Index(words, s) }},
			{"as digits", func(s string) any { return fmt.Sprint(slices.Index(words, s)) }},
			{"as an empty string", func(string) any { return "" }},
			{"as unknown", func(string) any { return "unknown" }},
		} {
			habits = append(habits, habit(key+" "+change.name, func(o object) object {
				if !o.has(key) {
					return o
				}
				return o.with(key, change.word(o.text(key)))
			}))
		}
	}
	return append(habits,
		habit("flags in the type", func(o object) object {
			for _, key := range []string{"start", "end"} {
				if o.has(key) {
					o = o.without(key).with("type", o.text("type")+"_"+key)
				}
			}
			return o
		}),
		habit("each type is message", func(o object) object { return o.with("type", "message") }),
		habit("role and type in the type", func(o object) object { return o.with("type", o.text("role")+"/"+o.text("type")) }),
	)
}

// flagHabits write flags as values or in places that they do not have.
func flagHabits() (habits []Habit) {
	for _, values := range []struct {
		name       string
		set, unset any
	}{
		{"false", true, false},
		{"numbers", 1, 0},
		{"0", true, 0},
		{"empty strings", true, ""},
		{`"false"`, "true", "false"},
		{`"False"`, "True", "False"},
		{`"true"`, "true", nil},
		{`"True"`, "True", nil},
		{"1", 1, nil},
	} {
		habits = append(habits, habit("flags as "+values.name, func(o object) object {
			for _, key := range []string{"start", "end"} {
				switch {
				case o.has(key):
					o = o.with(key, values.set)
				case values.unset != nil:
					o = o.with(key, values.unset)
				}
			}
			return o
		}))
	}
	isContent := func(o object) bool { return !o.isFlag() && o.text("type") != "confirmation" }
	with := func(keys ...string) func(object) object {
		return func(o object) object {
			if isContent(o) {
				for _, key := range keys {
					o = o.with(key, true)
				}
			}
			return o
		}
	}
	whole := func(change func(object) object) func(object) []object {
		return func(o object) []object {
			if o.isFlag() {
				return nil
			}
			return []object{change(o)}
		}
	}
	return append(habits,
		Habit{"start, content and end in one chunk", whole(with("start", "end"))},
		Habit{"start and content in one chunk, no end", whole(with("start"))},
		Habit{"no flags", whole(func(o object) object { return o })},
		habit("start on each content", with("start")),
		habit("end on each content", with("end")),
		habit("false end on content", func(o object) object {
			if isContent(o) {
				return o.with("end", false)
			}
			return o
		}),
		habit("empty content on flags", func(o object) object {
			if o.isFlag() {
				return o.with("content", "")
			}
			return o
		}),
		habit("recipient on flags", func(o object) object {
			if o.isFlag() {
				return o.with("recipient", "user")
			}
			return o
		}),
	)
}

// contentHabits write content of another shape.
func contentHabits() (habits []Habit) {
	for _, shape := range []struct {
		name  string
		value func(text string) any
	}{
		{"parts", func(s string) any { return []map[string]string{{"type": "text", "text": s}} }},
		{"an object", func(s string) any { return map[string]string{"text": s} }},
		{"a list", func(s string) any { return []string{s} }},
		{"null", func(string) any { return nil }},
		{"a number", func(s string) any { return len(s) }},
		{"true", func(string) any { return true }},
		{"an empty string", func(string) any { return "" }},
	} {
		habits = append(habits, habit("content as "+shape.name, func(o object) object {
			if o.has("content") && o.text("content") != "" {
				return o.with("content", shape.value(o.text("content")))
			}
			return o
		}))
	}
	inLine := func(change func(json.RawMessage) any) func(object) object {
		return func(o object) object {
			if o.text("format") == "active_line" {
				return o.with("content", change(o.raw("content")))
			}
			return o
		}
	}
	inConfirmation := func(change func(object) any) func(object) object {
		return func(o object) object {
			if o.text("type") != "confirmation" {
				return o
			}
			inner, err := parse(o.raw("content"))
			if err != nil {
				return o
			}
			return o.with("content", change(inner))
		}
	}
	return append(habits,
		habit("active_line as a string", inLine(func(n json.RawMessage) any { return string(n) })),
		habit("active_line from 0", inLine(func(n json.RawMessage) any {
			if string(n) == "1" {
				return 0
			}
			return n
		})),
		habit("confirmation of the documentation", inConfirmation(func(o object) any { return o.renamed("format", "language").renamed("content", "code") })),
		habit("confirmation of text", inConfirmation(func(o object) any { return o.text("content") })),
		habit("confirmation without a type", inConfirmation(func(o object) any { return o.without("type") })),
	)
}

// formatHabits write another format.
func formatHabits() (habits []Habit) {
	for _, c := range []struct {
		typ   string
		flags bool // of the type's flags, too
		value any
	}{
		{"message", true, ""},
		{"message", true, "none"},
		{"message", true, "text"},
		{"message", true, "markdown"},
		{"message", false, "plain"},
		{"console", false, "stdout"},
		{"console", false, "text"},
		{"console", false, ""},
		{"console", true, "output"},
		{"code", true, "Python"},
		{"code", true, "py"},
		{"code", true, ""},
	} {
		habits = append(habits, habit(fmt.Sprintf("format %q of %s", c.value, c.typ), func(o object) object {
			if o.text("type") != c.typ || o.isFlag() && !c.flags || o.text("format") == "active_line" {
				return o
			}
			return o.with("format", c.value)
		}))
	}
	return append(habits,
		habit("format null where there is one", func(o object) object {
			if o.has("format") {
				return o.with("format", nil)
			}
			return o
		}))
}

package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/source"
)

// causeOf returns what the producer of a record would have to change, as
// [lint.Finding.Cause]: the key or the value that it writes, whatever else is in the record.
func causeOf(v *Violation) string {
	switch v.Cause {
	case validate.MissingRole, validate.MissingType, validate.MissingFormat, validate.MissingContent, validate.MissingKey:
		key := v.Key
		switch {
		case v.Cause == validate.MissingContent:
			key = "content"
		case v.Node != v.Record.Root:
			return key + " is " + ValueText(v.Node) // it is there, and empty
		}
		members := v.Record.Root.Children
		i := slices.IndexFunc(members, func(n source.Node) bool { return n.Name != key && meantKey(n.Name) == key })
		switch {
		case i >= 0:
			return Quoted(members[i].Name) + " for " + key
		case v.Cause == validate.MissingRole && IsSomethingElse(v.Record):
			return "neither role nor type"
		}
		return "no " + key
	case validate.UnknownKey:
		return v.Key
	case validate.WrongContentType:
		return KindWord(v.Node)
	case validate.InvalidConfirmation, validate.WrongKeyType, validate.InvalidActiveLine:
		return v.Key + " " + KindWord(v.Node)
	case validate.LegacyConfirmation, validate.OtherEndKey:
		return v.Key
	case validate.InvalidFlag:
		return KindWord(v.Node)
	case validate.UnknownRole, validate.UnknownType, validate.InvalidFormat:
		return v.wordCause()
	}
	return ValueText(v.Node)
}

// wordCause returns the cause of an unexpected value: how it is written
// if one of those expected is in it, whichever that is.
func (v *Violation) wordCause() string {
	if v.Node.Kind != source.String {
		return KindWord(v.Node)
	}
	suggested := v.Suggest()
	switch text := v.Node.Text(); {
	case len(text) >= 3 && len(text) < len(suggested.Nearest) && strings.HasPrefix(suggested.Nearest, strings.ToLower(text)):
		return "truncated"
	case suggested.Within == "":
		if text != "" && strings.Trim(text, "0123456789") == "" {
			return "a number as a string"
		}
		return ValueText(v.Node)
	case strings.EqualFold(strings.TrimSpace(text), suggested.Within):
		return "another case"
	}
	if role := v.Record.Role; len(role) > 1 { // written into the type, too
		return WayOfWriting(strings.ReplaceAll(suggested.Rest, role, "…"))
	}
	return WayOfWriting(suggested.Rest)
}

// WayOfWriting returns the cause of words that have one of the protocol's in them, by what
// they are without it.
func WayOfWriting(rest string) string {
	if _, ok := flagWords[afterWord(rest)]; ok {
		return "… and a flag"
	}
	return rest
}

// FlagWord returns the flag that a word appended to a type means, start or end, or "".
func FlagWord(rest string) string { return flagWords[afterWord(rest)] }

func afterWord(rest string) string {
	if !strings.HasPrefix(rest, "…") {
		return ""
	}
	return strings.Trim(rest, "… _-.:/")
}

// flagWords are what programs append to the name of a type, by the flag that they send
// instead.
var flagWords = map[string]string{
	"start": "start", "begin": "start", "started": "start",
	"end": "end", "stop": "end", "done": "end", "finished": "end",
	"delta": "", "content": "",
}

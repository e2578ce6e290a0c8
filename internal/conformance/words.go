package conformance

import (
	"errors"
	"strings"
)

// Split splits a command line into words as a POSIX shell does, but expands
// nothing: spaces separate words, single and double quotes keep them together,
// and a backslash takes the next character literally, in double quotes only
// before a quote and a backslash. No shell runs the command.
func Split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	text := []rune(command)
	for i := 0; i < len(text); i++ {
		r := text[i]
		switch {
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case r == quote && quote != 0:
			quote = 0
		case r == '\\' && quote != '\'':
			if i+1 == len(text) {
				return nil, errors.New("a backslash at the end")
			}
			if quote == '"' && text[i+1] != '"' && text[i+1] != '\\' {
				word.WriteRune(r)
				continue
			}
			i++
			word.WriteRune(text[i])
			inWord = true
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("an unterminated quote")
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	return words, nil
}

package redact

import "slices"

// Constants returns what may be in any redacted recording, whatever it was.
func Constants() []string {
	all := slices.Concat(bareWords, []string{sound, phrase.String(), banner.String(), "disabled or not supported"})
	for word := range vocabulary() {
		all = append(all, word)
	}
	for _, image := range tiny {
		all = append(all, image)
	}
	return all
}

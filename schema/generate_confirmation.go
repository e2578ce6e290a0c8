package schema

// confirmationContent is what the content of a confirmation must be.
func (d *Dialect) confirmationContent() object {
	if !d.LegacyConfirm {
		return reference(defConfirmation)
	}
	return object{{"anyOf", []any{reference(defConfirmation), reference(defLegacy)}}}
}

func (d *Dialect) confirmationDefinitions() object {
	return object{
		{defConfirmation, d.confirmedCode("The code that is about to run, as a message without a role.", "format", "content")},
		{defLegacy, d.confirmedCode("The code that is about to run, as the documents once showed it.", "language", "code")},
	}
}

// confirmedCode is an object of a language and the code in it.
func (d *Dialect) confirmedCode(description, language, code string) object {
	return object{
		{"description", description},
		{"type", "object"},
		{"required", []string{"type", language, code}},
		{"properties", object{
			{"type", object{{"const", "code"}}},
			{language, object{{"description", "The programming language."}, {"type", "string"}}},
			{code, object{{"description", "The code."}, {"type", "string"}}},
		}},
		{"additionalProperties", d.OpenConfirm},
	}
}

package schema

// healthyRecords are records of a dialect's types as Open Interpreter writes
// them, with the roles that commonly send them.
func healthyRecords(d *Dialect, part Part) []string {
	var records []object
	for i := range d.Types {
		if t := &d.Types[i]; t.in(part) {
			records = append(records, d.healthyOfType(t, part)...)
		}
	}
	if part == Chunk && d.ServerFrames {
		records = append(records,
			object{{"role", "user"}, {"start", true}}, object{{"role", "user"}, {d.EndKey, true}},
			object{{"auth", ""}}, object{{"auth", true}}, object{{"ack", ""}},
		)
	}
	var texts []string
	for _, record := range records {
		texts = append(texts, inline(record))
	}
	return texts
}

func (d *Dialect) healthyOfType(t *Type, part Part) []object {
	var records []object
	for _, role := range t.Roles {
		for _, format := range d.healthyFormats(t) {
			head := object{{"role", role}, {"type", t.Name}}
			if format != "" {
				head = head.with("format", format)
			}
			records = append(records, d.healthyBlock(t, head, format, part)...)
		}
	}
	if part == Message || !d.ServerFrames {
		return records
	}
	for _, record := range records { // the server numbers what it sends
		if record[0].value != "user" {
			records = append(records, append(record[:len(record):len(record)], member{"id", ""}))
		}
	}
	return records
}

// healthyFormats are the formats of a type, "" where it may have none.
func (d *Dialect) healthyFormats(t *Type) []string {
	var formats []string
	if t.Options != FormatRequired {
		formats = append(formats, "")
	}
	if t.AnyCode {
		formats = append(formats, d.LanguageNames()...)
	}
	for i := range t.Formats {
		formats = append(formats, t.Formats[i].Name)
	}
	return formats
}

// healthyBlock is a block of one format: its flags and contents.
func (d *Dialect) healthyBlock(t *Type, head object, format string, part Part) []object {
	with := func(key string, value any) object { return append(head[:len(head):len(head)], member{key, value}) }
	var records []object
	if part == Chunk && (format == "" || t.Options != FormatOnContentOnly) {
		records = append(records, with("start", true), with(d.EndKey, true))
	}
	for _, content := range d.healthyContents(t, format) {
		record := with("content", content)
		records = append(records, record)
		if head[0].value != "computer" || content != "" || !d.Recipient {
			continue
		}
		for _, recipient := range recipients() {
			records = append(records, append(record[:len(record):len(record)], member{"recipient", recipient}))
		}
	}
	return records
}

func (d *Dialect) healthyContents(t *Type, format string) []any {
	f, ok := t.Format(format)
	switch {
	case ok && f.Content == ContentLine:
		return append(d.lineExamples(), 2)
	case ok && f.Content == ContentConfirmation:
		return d.confirmationExamples()
	}
	return []any{""}
}

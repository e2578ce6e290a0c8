package schema

import "slices"

// classic is what the fork of Open Interpreter speaks that its community keeps
// alive, over the WebSocket and elsewhere [wild.md].
func classic() *Dialect {
	d := server()
	d.Name = "classic"
	d.Title = "What the community's fork of Open Interpreter emits and stores"
	d.Versions = "endolith/open-interpreter, 2026"
	d.Roles = append(d.Roles, "tool")
	d.Types = append(d.Types, editType(), toolCallType(), viewImageCallType())
	d.Keys = append(d.Keys, "sent_at", "shrink", "tool_call_id", "confirmation_id", "name", "arguments", "path", "target", "source")
	d.Languages = append(d.Languages, Language{Name: "perl"}, Language{Name: "cmd"}, Language{Name: "augeas"})
	d.Confirmation = ConfirmUnlessAutoRun
	d.OpenConfirm = true
	d.NamedGo = true
	d.setRoles("message", "user", "assistant", "tool")
	d.addFormats("message", FormatOptional,
		Format{Name: "reasoning", Summary: "what the model thought before it answered", Message: true, Chunk: true},
		Format{Name: "system_alert", Summary: "a remark of the program's", Message: true, Chunk: true})
	d.addFormats("confirmation", FormatRequired,
		Format{Name: "edit", Summary: "the change to a file that is about to be made", Content: ContentObject, Chunk: true})
	return d
}

// zeroOne is what the devices and the server of OpenInterpreter/01 send each
// other: sound goes in binary frames between the flags of its block.
func zeroOne() *Dialect {
	d := server()
	d.Name = "01"
	d.Title = "What the devices and the server of the 01 send each other"
	d.Versions = "OpenInterpreter/01"
	d.FinalNull = false
	d.Completes = false
	return d
}

// addFormats adds formats to a type that may have had none.
func (d *Dialect) addFormats(typ string, option FormatOption, formats ...Format) {
	if t, ok := d.Type(typ); ok {
		t.Options = option
		t.Formats = append(slices.Clone(t.Formats), formats...)
	}
}

func editType() Type {
	var formats []Format
	for _, tool := range []string{"sed", "gawk", "jq", "write", "yq", "poke", "comby", "patch"} {
		formats = append(formats, Format{Name: tool, Summary: "what " + tool + " is given", Message: true, Chunk: true})
	}
	return Type{
		Name:    "edit",
		Summary: "A change to the file that target names, for the tool that makes it.",
		Example: "s/colour/color/",
		Formats: formats,
		Options: FormatRequired,
		Roles:   []string{"assistant"},
		Message: true, Chunk: true, Flags: true,
	}
}

func toolCallType() Type {
	return Type{
		Name:    "tool_call",
		Summary: "A call of a tool that is no code: tool_call_id, name and arguments say which.",
		Roles:   []string{"assistant"},
		Message: true, Chunk: true, Flags: true, Bare: true,
	}
}

// viewImageCallType is an older name of tool_call, which saved conversations keep.
func viewImageCallType() Type {
	return Type{
		Name:    "view_image_call",
		Summary: "A call to look at the image that path names.",
		Roles:   []string{"assistant"},
		Message: true, Chunk: true, Flags: true, Bare: true,
	}
}

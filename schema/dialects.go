package schema

import "slices"

// Names returns the names of all dialects, the default first.
func Names() []string {
	return []string{"interpreter", "interpreter-0.3", "interpreter-0.2", "interpreter-0.1", "server", "docs", "classic", "01"}
}

// Lookup returns the dialect of that name. It is the caller's own: to extend
// it, change it before it is given to anybody else.
func Lookup(name string) (*Dialect, bool) {
	switch name {
	case "interpreter":
		return interpreter(), true
	case "interpreter-0.3":
		return interpreter03(), true
	case "interpreter-0.2":
		return interpreter02(), true
	case "interpreter-0.1":
		return interpreter01(), true
	case "server":
		return server(), true
	case "docs":
		return docs(), true
	case "classic":
		return classic(), true
	case "01":
		return zeroOne(), true
	}
	return nil, false
}

func interpreter() *Dialect {
	return &Dialect{
		Name:     "interpreter",
		Title:    "What Open Interpreter emits and stores",
		Versions: "0.3.6 to 0.4.2",
		Roles:    []string{"user", "assistant", "computer", "system"},
		Types: []Type{
			messageType(), consoleType(), imageType(), codeType(), audioType(), fileType(),
			confirmationType(), reviewType(),
		},
		Keys:         []string{"id", "created_at"},
		EndKey:       "end",
		Confirmation: ConfirmUnlessAutoRun,
		FinalNull:    true,
		NullLine:     true,
		Recipient:    true,
		Languages:    languages(),
		NoteFormats:  []string{"text", "markdown", "plaintext"},
		StorageRules: StorageRules{
			MaxOutput: 2800,
			CutNotice: "Output truncated. Showing the last %d characters. You should try again and use computer.ai.summarize(output) over the output, or break it down into smaller steps.\n\n",
			Rewrites:  true,
		},
		Completes: true,
		Commands:  []string{"go", "stop"},
	}
}

// interpreter03 is before the review.
func interpreter03() *Dialect {
	d := interpreter()
	d.Name = "interpreter-0.3"
	d.Title = "What Open Interpreter emitted before reviews"
	d.Versions = "0.3.4, 0.3.5"
	d.StorageRules = StorageRules{
		MaxOutput:           2800,
		CutNotice:           "Output truncated. Showing the last %d characters.\n\n",
		EmptyConsole:        true,
		AppendsToAnyMessage: true,
	}
	d.dropType("review")
	return d
}

// interpreter02 confirms with auto_run too. Its WebSocket server closes a
// response with a completion.
func interpreter02() *Dialect {
	d := interpreter03()
	d.Name = "interpreter-0.2"
	d.Title = "What Open Interpreter emitted when it confirmed every execution"
	d.Versions = "0.1.18 to 0.3.3"
	d.Roles = append(d.Roles, "server")
	d.Types = append(d.Types, completionType())
	d.Confirmation = ConfirmAlways
	return d
}

// interpreter01 is the first release with LMC messages.
func interpreter01() *Dialect {
	d := interpreter03()
	d.Name = "interpreter-0.1"
	d.Title = "What the first Open Interpreter with LMC messages emitted"
	d.Versions = "0.1.17"
	d.StorageRules.MaxOutput = 2000
	d.dropFormat("image", "description")
	d.EndKey = "stop"
	d.Confirmation = ConfirmAlways
	d.FinalNull = false
	return d
}

// server is what goes over the WebSocket, in both directions.
func server() *Dialect {
	d := interpreter()
	d.Name = "server"
	d.Title = "What goes over the WebSocket of Open Interpreter's server"
	d.Roles = append(d.Roles, "server")
	d.Types = append(d.Types, commandType(), statusType(), errorType(), completionType())
	d.Confirmation = ConfirmNever
	d.ServerFrames = true
	return d
}

// docs is the documents to the letter.
func docs() *Dialect {
	d := interpreter()
	d.Name = "docs"
	d.Title = "The published documents to the letter"
	d.Versions = "any release, as documented"
	d.Roles = []string{"user", "assistant", "computer"}
	d.dropType("file")
	d.dropType("review")
	d.dropFormat("image", "description")
	d.dropFormat("audio", "bytes.wav")
	d.dropFormat("audio", "bytes.raw")
	d.setRoles("audio", "user")
	d.Confirmation = ConfirmAlways
	d.FinalNull = false
	d.DigitStrings = true
	d.LegacyConfirm = true
	d.Recipient = false
	d.StrictRoles = true
	return d
}

func (d *Dialect) dropType(name string) {
	d.Types = slices.DeleteFunc(d.Types, func(t Type) bool { return t.Name == name })
}

func (d *Dialect) dropFormat(typ, name string) {
	if t, ok := d.Type(typ); ok {
		t.Formats = slices.DeleteFunc(t.Formats, func(f Format) bool { return f.Name == name })
	}
}

func (d *Dialect) setRoles(typ string, roles ...string) {
	if t, ok := d.Type(typ); ok {
		t.Roles = roles
	}
}

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

package schema

import "slices"

// pixel is a PNG image of one pixel, in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// typesNamed returns message types by their names. The caller may change them.
func typesNamed(names ...string) []Type {
	types := []Type{
		{
			Name:    "message",
			Summary: "Text.",
			Example: "What's 34/24?",
			Roles:   []string{"user", "assistant"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "console",
			Summary: "The output of running code, and the line that is running.",
			Example: "1.4166666666666667\n",
			Formats: []Format{
				{Name: "output", Summary: "text that the code printed, errors included", Message: true, Chunk: true},
				{
					Name: "active_line", Summary: "the line that is running, from 1; null at the end of the execution",
					Content: ContentLine, Chunk: true,
				},
			},
			Options: FormatOnContentOnly,
			Roles:   []string{"computer"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "image",
			Summary: "An image.",
			Example: pixel,
			Formats: []Format{
				{Name: "base64", Summary: "a PNG image in base64", Message: true, Chunk: true},
				{Name: "base64.png", Summary: "a PNG image in base64", Message: true, Chunk: true},
				{Name: "base64.jpeg", Summary: "a JPEG image in base64", Example: "/9j/2Q==", Message: true, Chunk: true},
				{Name: "path", Summary: "the path of an image file", Example: "plot.png", Message: true, Chunk: true},
				{
					Name: "description", Summary: "a description of the image for a model without vision",
					Example: "A bar chart of sales by month.", Roles: []string{"user"}, Message: true,
				},
			},
			Options: FormatRequired,
			Roles:   []string{"user", "computer"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "code",
			Summary: "Code to run, in the language that its format names.",
			Example: "34 / 24",
			AnyCode: true,
			Options: FormatRequired,
			Roles:   []string{"assistant", "computer"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "audio",
			Summary: "Speech.",
			Formats: []Format{
				{Name: "wav", Summary: "a WAV file in base64, or its path", Example: "question.wav", Roles: []string{"user"}, Message: true, Chunk: true},
				{Name: "bytes.wav", Summary: "empty: a WAV file follows in binary frames", Message: true, Chunk: true},
				{Name: "bytes.raw", Summary: "empty: raw samples follow in binary frames", Message: true, Chunk: true},
			},
			Options: FormatRequired,
			Roles:   []string{"user", "assistant"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "file",
			Summary: "The path of a file.",
			Example: "report.csv",
			Formats: []Format{{Name: "path", Summary: "a path, as without a format", Message: true, Chunk: true}},
			Options: FormatOptional,
			Roles:   []string{"user"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "confirmation",
			Summary: "The code that is about to run, as one record between two blocks.",
			Formats: []Format{{
				Name: "execution", Summary: "the code that is about to run",
				Content: ContentConfirmation, Chunk: true,
			}},
			Options: FormatRequired,
			Roles:   []string{"computer"},
			Chunk:   true,
		},
		{
			Name:    "review",
			Summary: "The judge's review of code before it runs.",
			Example: "This code deletes files.",
			Formats: []Format{
				{Name: "safe", Summary: "the judge finds the code safe", Example: "This code prints a number.", Chunk: true},
				{Name: "warning", Summary: "the judge has doubts", Chunk: true},
				{Name: "unsafe", Summary: "the judge finds the code unsafe", Chunk: true},
			},
			Options: FormatRequired,
			Roles:   []string{"assistant"},
			Chunk:   true, Flags: true,
		},
		{
			Name:    "command",
			Summary: "A command to the server: go approves the code, stop ends the response.",
			Example: "go",
			Roles:   []string{"user"},
			Chunk:   true, Flags: true,
		},
		{
			Name:    "status",
			Summary: "The server's sign that a response is complete.",
			Example: "complete",
			Roles:   []string{"server"},
			Chunk:   true,
		},
		{
			Name:    "error",
			Summary: "The traceback of an exception in the server.",
			Example: "Traceback (most recent call last):\n…",
			Roles:   []string{"server"},
			Chunk:   true,
		},
		{
			Name:    "completion",
			Summary: "The sign of older servers that a response is complete.",
			Example: "DONE",
			Roles:   []string{"server"},
			Chunk:   true,
		},
		{
			Name:    "edit",
			Summary: "A change to the file in target, as input of an editing tool.",
			Example: "s/colour/color/",
			Formats: []Format{
				{Name: "sed", Summary: "the input of sed", Message: true, Chunk: true},
				{Name: "gawk", Summary: "the input of gawk", Message: true, Chunk: true},
				{Name: "jq", Summary: "the input of jq", Message: true, Chunk: true},
				{Name: "write", Summary: "the new text of the file, which may be empty", Message: true, Chunk: true, Empty: true},
				{Name: "yq", Summary: "the input of yq", Message: true, Chunk: true},
				{Name: "poke", Summary: "the input of poke", Message: true, Chunk: true},
				{Name: "comby", Summary: "the input of comby", Message: true, Chunk: true},
				{Name: "patch", Summary: "the input of patch", Message: true, Chunk: true},
			},
			Options: FormatRequired,
			Roles:   []string{"assistant"},
			Keys:    []string{"target"},
			Message: true, Chunk: true, Flags: true,
		},
		{
			Name:    "tool_call",
			Summary: "A tool call other than code, described by tool_call_id, name and arguments.",
			Roles:   []string{"assistant"},
			Keys:    []string{"tool_call_id", "name"},
			Message: true, Bare: true,
		},
		// An older name of tool_call in saved conversations.
		{
			Name:    "view_image_call",
			Summary: "A call to view the image at path.",
			Roles:   []string{"assistant"},
			Keys:    []string{"tool_call_id", "path"},
			Message: true, Bare: true,
		},
		{
			Name:    "edit_approved",
			Summary: "The model's approval of its last edit, with a reason.",
			Roles:   []string{"assistant"},
			Message: true, Chunk: true, Bare: true, NoRole: true,
		},
		{
			Name:    "view_image_approval",
			Summary: "The question whether the model may see the images at paths.",
			Roles:   []string{"assistant", "computer"},
			Keys:    []string{"paths"},
			Chunk:   true, Bare: true, NoRole: true,
		},
		{
			Name:    "notice",
			Summary: "A line for the user that is not part of the conversation.",
			Example: "The model sent an invalid tool call; it is asked to correct it.",
			Roles:   []string{"assistant", "computer"},
			Chunk:   true, NoRole: true,
		},
		{
			Name:    "stop_live_display",
			Summary: "The sign to the terminal that something else is printed next.",
			Roles:   []string{"assistant", "computer"},
			Chunk:   true, Bare: true, NoRole: true,
		},
	}
	var found []Type
	for _, name := range names {
		found = append(found, types[slices.IndexFunc(types, func(t Type) bool { return t.Name == name })])
	}
	return found
}

package source

// Form is the recorded form of an input: how its records are packed.
type Form string

// The recorded forms. FormAuto asks the reader to find out by content.
const (
	FormAuto   Form = ""
	FormJSON   Form = "json"   // exactly one JSON text: an array, an envelope or one object
	FormJSONL  Form = "jsonl"  // a record a line, or records one after another on shared or several lines
	FormPython Form = "python" // Python literals, as print writes them: records one after another, or lists of them
	FormSSE    Form = "sse"    // server-sent events, with a record in each

	FormLog      Form = "log"      // lines of a log, with a prefix before each record; other lines hold none
	FormMarkdown Form = "markdown" // a page of text, with or without markup; a record begins on a line of its own
	FormNotebook Form = "notebook" // a Jupyter notebook: what its cells printed, read like a page
	FormHAR      Form = "har"      // a browser's traffic: the frames of each WebSocket, and the bodies that hold records

	// FormSessionLog is a log of a connection: a frame a line, with who sent it.
	FormSessionLog Form = "session-log"
)

// Forms lists the forms that an input can have, the most common first.
func Forms() []Form {
	return []Form{FormJSON, FormJSONL, FormPython, FormSSE, FormSessionLog, FormLog, FormMarkdown, FormNotebook, FormHAR}
}

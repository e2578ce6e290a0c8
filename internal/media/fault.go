package media

// FaultKind is a kind of mistake in the base64 of an image.
type FaultKind uint8

// The mistakes.
const (
	Sound      FaultKind = iota // none
	DataURL                     // it begins as a data: URL
	URLSafe                     // a character of the URL-safe alphabet
	Foreign                     // a character of no alphabet
	WhiteSpace                  // white space before the end
	Padding                     // '=' where none can stand, or one too few or too many
	Trailing                    // more text after the padding or after the end of the image
)

// Fault is the first mistake in a text. At and End are byte offsets in the
// piece that was added last.
type Fault struct {
	Kind    FaultKind
	At, End int

	// What follows the image, for Trailing.
	Next   Kind // the image that begins there, or Unknown
	Text   bool // it is text rather than more base64
	Padded bool // it follows padding, which ends any base64
}

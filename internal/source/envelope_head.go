package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// listName is the member of an envelope that holds its records.
const ListName = "messages"

// envelopeWindow is within how many bytes of an object's start its list of
// records must begin for them to be read one by one. An envelope with more
// before its list is read whole.
const envelopeWindow = 64 << 10

// findEnvelope looks for a list of records in the object that begins i bytes
// behind the start of the unread input. It waits for no more than it takes to
// know, and never for more than the window.
func (r *Cursor) findEnvelope(i int) *value.ObjectHead {
	for size := 1; ; {
		data := r.In.Rest()[i:]
		data = data[:min(len(data), envelopeWindow)]
		if len(data) >= size || r.In.Complete() {
			head, stop := r.Scan.ScanHead(data, ListName)
			if head != nil || stop == nil || !stop.Truncated || len(data) == envelopeWindow {
				return head
			}
			size = min(2*len(data), envelopeWindow)
			if r.In.Complete() {
				return nil
			}
		}
		r.In.More()
	}
}

package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// OtherEvents skips the data of server-sent events that do not belong to the
// protocol: no record so far came in an event of that name, and this is not one. Some
// servers end their streams with such events, as in
//
//	event: done
//	data: {"session_id": "1"}
type OtherEvents struct {
	Count int          // of the records that were skipped
	First source.Place // of those

	names map[string]bool // the events in which records came
}

// Skips reports whether a record of LMC's input came in an event and is not of the
// protocol, and counts it. Events without a name may have records before such an object.
func (o *OtherEvents) Skips(src *source.Record) bool {
	isNamed := src.Event != ""
	switch {
	case src.IsGap, o.names[src.Event], !isNamed && !src.InEvent:
		return false
	case !isNamed && (!isObject(src) || len(src.Root.Children) == 0 || MayBePreLMC(lmc.Present(src.Root)) || IsServerFrame(lmc.NewRecord(src)) || !HasNothing(lmc.NewRecord(src))):
		return false // without a name only an object of other keys is
	}
	if src.Root == nil && hasRecordKeys(src) || isObject(src) && ((LMC{}).MeaningOf(src.Root) >= source.Weak || resemblesLMC(src)) {
		o.accept(src.Event)
		return false
	}
	if o.Count == 0 {
		o.First = src.Place()
	}
	o.Count++
	return true
}

// accept notes that records come in events of a name.
func (o *OtherEvents) accept(name string) {
	if name == "" || o.names[name] {
		return
	}
	if o.names == nil {
		o.names = make(map[string]bool)
	}
	o.names[name] = true
}

// String describes the events.
func (o *OtherEvents) String() string {
	if o.Count == 1 {
		return "this event contains no LMC record"
	}
	return fmt.Sprintf("%d events contain no LMC record, this is the first of them", o.Count)
}

package source

import "github.com/lmclint/lmclint/internal/source/value"

// Meaning is what an object is to the protocols of the input.
type Meaning uint8

// The meanings.
const (
	Foreign Meaning = iota // no record
	Other                  // a record of another protocol, so that no record is inside it
	WeakOld                // as Weak, of an old version of the protocol
	Weak                   // a record beside others of the input, and by itself possibly one of another protocol
	Old                    // as Plain, of an old version of the protocol
	Plain                  // certainly a record
	Whole                  // certainly a record, if it is not inside another object
)

// IsCertain reports whether an object that may be inside another one is a record.
func (m Meaning) IsCertain() bool { return m == Old || m == Plain }

// Detector returns the meaning of an object.
type Detector func(object *value.Node) Meaning

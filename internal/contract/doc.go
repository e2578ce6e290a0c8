// Package contract is what the engine and the protocols agree on, below both: package
// plugin has the interfaces through which the engine runs a protocol, and fix what the
// fix of a finding consists of. They know the records of package source; they know no
// protocol, no rule, and not the engine itself.
package contract

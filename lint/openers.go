package lint

import "sync"

// openers are what protocols prepared, by configuration.
type openers struct {
	made sync.Map // of preparation to func() (Opener, error)
}

type preparation struct {
	protocol Protocol
	config   Config
}

// of returns what a protocol prepares for a configuration, once for all inputs
// and linters that share it.
func (o *openers) of(p Protocol, config Config) (Opener, error) {
	config.Searched = false // says nothing about a conversation
	key := preparation{p, config}
	made, ok := o.made.Load(key)
	if !ok {
		once := sync.OnceValues(func() (Opener, error) { return p.Prepare(config) })
		made, _ = o.made.LoadOrStore(key, once)
	}
	return made.(func() (Opener, error))()
}

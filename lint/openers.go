package lint

import "sync"

// openers are what protocols prepared, by configuration.
type factoryCache struct {
	made sync.Map // of preparation to func() (Opener, error)
}

type preparation struct {
	protocol Protocol
	config   Config
}

// of returns what a protocol prepares for a configuration, once for all inputs
// and linters that share it.
func (o *factoryCache) of(p Protocol, config Config) (SessionFactory, error) {
	config.Discovered = false // says nothing about a conversation
	key := preparation{p, config}
	made, ok := o.made.Load(key)
	if !ok {
		once := sync.OnceValues(func() (SessionFactory, error) { return p.Prepare(config) })
		made, _ = o.made.LoadOrStore(key, once)
	}
	return made.(func() (SessionFactory, error))()
}

package main

import "path/filepath"

// tool is a program to run, and what is expected of lmclint beside it.
type tool struct {
	name   string
	args   []string // the program and its arguments
	folder string   // where it runs
	feed   []string // a program whose output goes to its standard input
	input  string   // a file that is its standard input
	bytes  int64    // it reads, if not the section's
	part   int      // it gets one part in so many of the data; all where 0
	exit   int      // the exit status that means success
	noisy  bool     // its standard error is a report, and not kept
	absent string   // why it cannot run
	goal   goal
	limit  float64 // MB of peak memory
}

// goal bounds the wall time of a tool in those of the first tool. Zero is no bound.
type goal struct{ least, most float64 }

func (t tool) atLeast(n float64) tool { t.goal.least = n; return t }

func (t tool) atMost(n float64) tool { t.goal.most = n; return t }

func (t tool) within(mb float64) tool { t.limit = mb; return t }

func (t tool) oneIn(parts int) tool { t.part = parts; return t }

func (t tool) reading(bytes int64) tool { t.bytes = bytes; return t }

func (t tool) exits(status int) tool { t.exit = status; return t }

func (t tool) in(folder string) tool { t.folder = folder; return t }

func (t tool) from(path string) tool { t.input = path; return t }

func (t tool) fedBy(program ...string) tool { t.feed = program; return t }

func (t tool) quietly() tool { t.noisy = true; return t }

// parts is by what the cost of a tool is multiplied.
func (t tool) parts() float64 { return float64(max(t.part, 1)) }

// lmclint runs the linter with every rule on and the dialect named. A single
// note on data that is to be healthy makes it fail.
func (b *bench) lmclint(name string, args ...string) tool {
	return tool{name: name, args: append([]string{b.program("lmclint"), "--dialect", "interpreter", "--fail-on", "note"}, args...)}
}

func (b *bench) naive(part string, paths ...string) tool {
	return tool{name: "naive Go", args: append([]string{b.program("naive"), "-schema", b.schema(part)}, paths...)}
}

func (b *bench) sourcemeta(part, path string, flags ...string) tool {
	args := append([]string{b.workspace.sourcemeta(), "validate"}, flags...)
	name := "sourcemeta validate"
	for _, flag := range flags {
		name += " " + flag
	}
	return tool{name: name, args: append(args, b.schema(part), path), absent: b.absent["sourcemeta"]}
}

// ajv runs one of the scripts with the compiled schema.
func (b *bench) ajv(name, script, part, path string) tool {
	return tool{name: name, args: []string{"node", b.npm(script), b.npm(part + ".mjs"), path}, absent: b.absent["ajv"]}
}

func (b *bench) simdjson(name, program, path string) tool {
	return tool{name: name, args: []string{b.program(program), path}, absent: b.absent[program]}
}

// system runs a program of the system.
func (b *bench) system(args ...string) tool {
	name := args[0]
	if name == "jq" {
		name = "jq empty"
	} else if len(args) > 1 && args[1][0] == '-' {
		name += " " + args[1]
	}
	return tool{name: name, args: args, absent: b.absent[args[0]]}
}

// built runs one of the small Go programs.
func (b *bench) built(name, program string, args ...string) tool {
	return tool{name: name, args: append([]string{b.program(program)}, args...)}
}

// names are the files of a folder, relative to it.
func names(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths, err
}

package main

import (
	"context"
	"log"
	"os"
)

// buildGo builds lmclint as it is in the checkout, and the Go programs beside it:
// all as it is released, without cgo.
func (w *workspace) buildGo(ctx context.Context) error {
	programs := [][2]string{
		{"lmclint", "cmd/lmclint"},
		{"generate", "bench/generate"},
		{"naive", "bench/naive"},
		{"hello", "bench/peers/hello"},
		{"importv5", "bench/peers/importv5"},
		{"gunzip", "bench/peers/gunzip"},
	}
	for _, p := range programs {
		log.Printf("build: %s", p[0])
		if _, err := output(ctx, "env", "CGO_ENABLED=0", "go", "-C", w.root, "build", "-trimpath", "-o", w.program(p[0]), "./"+p[1]); err != nil {
			return err
		}
		if err := settle(w.program(p[0])); err != nil {
			return err
		}
	}
	return nil
}

// settle writes a program from one end to the other, as one comes out of an
// archive. What the linker wrote here and there lies in the page cache in
// single pages, for which a program pays at each start, a large one the most.
func settle(path string) error {
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".settled", program, 0o755); err != nil {
		return err
	}
	return os.Rename(path+".settled", path)
}

// buildC builds what is written in C and C++. What cannot be built is absent.
func (w *workspace) buildC(ctx context.Context) {
	w.compile(ctx, "launch", "cc", "-O2", w.source("peers", "launch.c"))
	for _, name := range []string{"simdjson_dom", "simdjson_ondemand"} {
		w.compile(ctx, name, "c++", "-O3", "-march=native", "-std=c++17", w.source("peers", name+".cpp"), "-lsimdjson")
	}
}

func (w *workspace) compile(ctx context.Context, name, compiler string, args ...string) {
	log.Printf("build: %s", name)
	if _, err := output(ctx, compiler, append(args, "-o", w.program(name))...); err != nil {
		w.absent[name] = err.Error()
	}
}

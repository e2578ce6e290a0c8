package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiled runs a function and writes the profiles of the flags.
func profiled(o *checkFlags, run func() error) error {
	if o.cpuProfile != "" {
		file, err := os.Create(o.cpuProfile)
		if err != nil {
			return fmt.Errorf("%s: %w", o.cpuProfile, trimPathError(err))
		}
		defer func() { _ = file.Close() }()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if o.memProfile == "" {
		return run()
	}
	err := run()
	if profileErr := writeMemProfile(o.memProfile); profileErr != nil {
		return fmt.Errorf("%s: %w", o.memProfile, trimPathError(profileErr))
	}
	return err
}

func writeMemProfile(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	runtime.GC() // the profile shows what the last collection saw
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}

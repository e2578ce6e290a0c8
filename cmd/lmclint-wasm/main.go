//go:build js && wasm

// Command lmclint-wasm is lmclint as WebAssembly, for browsers and other
// programs in JavaScript. The npm package lmclint wraps it: its lmclint/wasm
// loads the file and has the functions for users.
//
// The program waits for calls. Its host gives it an object named lmclint, and
// gets the functions below in it.
package main

import (
	"cmp"
	"runtime/debug"
	"syscall/js"

	"github.com/lmclint/lmclint/cmd/lmclint-wasm/internal/binding"
)

// Set by the linker in a release.
var version string

func main() {
	recorded := "(devel)" // or the version that the Go toolchain recorded
	if info, ok := debug.ReadBuildInfo(); ok {
		recorded = cmp.Or(info.Main.Version, recorded)
	}
	b := binding.New(cmp.Or(version, recorded))
	exports := js.Global().Get("lmclint")
	export(exports, "check", func(args []js.Value) any { return text(b.Check(bytesOf(args[0]), args[1].String())) })
	export(exports, "view", func(args []js.Value) any {
		return text(b.View(bytesOf(args[0]), args[1].String(), func(bytes int) { args[2].Invoke(bytes) }))
	})
	export(exports, "examples", func([]js.Value) any { return text(b.Examples()) })
	export(exports, "open", func(args []js.Value) any {
		number, failure := b.Open(args[0].String())
		if failure != nil {
			return text(failure)
		}
		return number
	})
	export(exports, "push", func(args []js.Value) any { return text(b.Push(args[0].Int(), bytesOf(args[1]))) })
	export(exports, "end", func(args []js.Value) any { return text(b.End(args[0].Int())) })
	export(exports, "close", func(args []js.Value) any {
		b.Close(args[0].Int())
		return nil
	})
	export(exports, "pending", func([]js.Value) any { return b.Pending() })
	select {} // the functions are called from now on
}

// export offers a function to the host.
func export(exports js.Value, name string, function func([]js.Value) any) {
	exports.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return function(args) }))
}

// text returns an answer as a string of JavaScript.
func text(answer []byte) js.Value { return js.ValueOf(string(answer)) }

// bytesOf copies a Uint8Array.
func bytesOf(array js.Value) []byte {
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}

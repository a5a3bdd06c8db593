// Command wasm offers package rules to JavaScript. It runs in a browser or in Node, and
// rules/js loads it:
//
//	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o rules.wasm github.com/apguard/apguard/rules/wasm
package main

import (
	"os"
	"syscall/js"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/rules"
)

// main passes [rules.Call] and [rules.CheckHashed] to the JavaScript function that the argument names,
// and then waits for calls.
func main() {
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		return result(rules.Call(args[0].String(), []byte(args[1].String())))
	})
	checkHashed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		return result(rules.CheckHashed(args[0].String(), statusOf))
	})
	js.Global().Call(os.Args[1], call, checkHashed)
	select {}
}

// result returns what JavaScript gets: the answer in JSON, or an object with the error.
func result(answer []byte, err error) any {
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return string(answer)
}

// look returns the index in [asset.Statuses] of the status of a hash, of which it gets the highest and the
// lowest 32 bits. It is of the embedder, because a call of a [js.Value] takes about a microsecond, and a
// check makes up to some dozens.
//
//go:wasmimport apguard statusOf
func look(high, low uint32) uint32

// statuses has the statuses by their index.
var statuses = asset.Statuses()

func statusOf(hash uint64) asset.Status {
	return statuses[look(uint32(hash>>32), uint32(hash))] //nolint:gosec // the lowest bits are meant
}

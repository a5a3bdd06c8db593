// Command wasm offers package rules to JavaScript. It runs in a browser or in Node, and
// rules/js loads it:
//
//	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o rules.wasm github.com/apguard/apguard/rules/wasm
package main

import (
	"os"
	"syscall/js"

	"github.com/apguard/apguard/rules"
)

// main passes [rules.Call] to the JavaScript function that the argument names, and then waits
// for calls.
func main() {
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := rules.Call(args[0].String(), []byte(args[1].String()))
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"answer": string(answer)}
	})
	js.Global().Call(os.Args[1], call)
	select {}
}

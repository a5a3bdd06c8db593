// Package conformance has vectors of the rules of apguard as JSON, for clients in other languages: what a
// rule is given, and what it answers. README.md describes the files, and schema.json is their JSON Schema.
//
// The vectors are made from the rules. The tests of this package require that Go, JavaScript and WebAssembly
// answer with what is in the files.
package conformance

import (
	"embed"
	"io/fs"
)

//go:embed *.json
var files embed.FS

// Files returns the files with the vectors, and schema.json.
func Files() fs.FS { return files }

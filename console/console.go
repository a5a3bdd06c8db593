// Package console is a page for teams that protect assets, on the public API and the API for
// operators. The page has the core rules as WebAssembly.
//
// [Build] makes the files of the page. [NewHandler] serves them beside the APIs, and [Site.Write]
// writes them to a directory for any web server. The command apguard console does the same:
//
//	apguard console
//	apguard console build -o DIR -api https://api.example/api/v2 -operator-api https://desk.example/operator
package console

import (
	"errors"
	"os"
	"path/filepath"
)

// Addresses are the base addresses of the two APIs. Each is a path of the page's own server, such as
// /api/v2, or an http or https URL of another one, whose server must allow the origin of the page.
// The zero Addresses is invalid.
type Addresses struct {
	API         string `json:"api"`
	OperatorAPI string `json:"operatorApi"`
	// KeysInLink lets the page take keys from the fragment of its address. It is for a demo, which
	// prints a link with keys.
	KeysInLink bool `json:"keysInLink"`
}

// ErrAddress reports that [Addresses] are invalid.
var ErrAddress = errors.New("invalid address")

// Site is the files of a page by path, such as views/check.js. The page itself is index.html.
type Site map[string][]byte

// Write writes the files to a directory, which is created if it does not exist. It replaces files of the
// same path and keeps others. A path that leaves the directory is an error.
func (s Site) Write(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a web server reads it
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for name, content := range s {
		name = filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

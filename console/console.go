// Package console is a page for teams that protect assets, on the public API and the API for
// operators. The page has the core rules as WebAssembly.
//
// [Build] makes the files of the page. [NewHandler] serves them beside the APIs, and [Site.Write]
// writes them to a directory for any web server, or for [Read]. The program apguard does the same:
//
//	apguard console
//	apguard console build -o DIR
//	apguard serve -operator ADDRESS -console DIR
package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Addresses are the base addresses of the two APIs. Each is a path of the page's own server, such as
// /api/v2, or an http or https URL of another one, whose server must allow the origin of the page.
// The zero Addresses is invalid.
type Addresses struct {
	API         string `json:"api"`
	OperatorAPI string `json:"operatorApi"`
	// SignIn is the path at which the page's own server has httpapi.NewSignIn. Both APIs must then be paths of
	// it too. If it is empty, people enter keys in the page, which sends them with each request.
	SignIn string `json:"signIn"`
	// KeysInLink lets the page take keys from the fragment of its address. It is for a demo, which
	// prints a link with keys.
	KeysInLink bool `json:"keysInLink"`
}

// ErrAddress reports that [Addresses] are invalid.
var ErrAddress = errors.New("invalid address")

// Site is the files of a page by path, such as views/check.js. The page itself is index.html.
type Site map[string][]byte

// Read reads the site that [Site.Write] wrote to a directory. The error matches [fs.ErrNotExist] if the directory has
// none, and [ErrAddress] if its addresses are invalid.
func Read(dir string) (Site, error) {
	files := os.DirFS(dir)
	config, err := fs.ReadFile(files, configFile)
	if err != nil {
		return nil, err
	}
	site := Site{configFile: config}
	if _, err := site.Addresses(); err != nil {
		return nil, err
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		site[name], err = fs.ReadFile(files, name)
		return err
	})
	return site, err
}

// Addresses returns the addresses that the site was built for. The error matches [fs.ErrNotExist] if the site has none,
// and [ErrAddress] if they are invalid.
func (s Site) Addresses() (Addresses, error) {
	addresses, _, err := s.config()
	return addresses, err
}

// config returns the addresses of the site, and the policy that they need.
func (s Site) config() (Addresses, policy, error) {
	var addresses Addresses
	content, ok := s[configFile]
	if !ok {
		return addresses, nil, &fs.PathError{Op: "read", Path: configFile, Err: fs.ErrNotExist}
	}
	if err := json.Unmarshal(content, &addresses); err != nil {
		return Addresses{}, nil, fmt.Errorf("%w: %s: %w", ErrAddress, configFile, err)
	}
	policy, err := newPolicy(addresses)
	if err != nil {
		return Addresses{}, nil, err
	}
	return addresses, policy, nil
}

// SetAddresses gives the site other addresses, and signs in or takes keys from links as they say. The error matches
// [ErrAddress] if they are invalid, or are of other servers than those that the page may call: then it must be built for
// them.
func (s Site) SetAddresses(addresses Addresses) error {
	_, before, err := s.config()
	if err != nil {
		return err
	}
	after, err := newPolicy(addresses)
	if err != nil {
		return err
	}
	if !slices.Equal(before, after) {
		return fmt.Errorf("%w: the page was built for other servers", ErrAddress)
	}
	s[configFile], err = json.Marshal(addresses)
	return err
}

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

package apguard_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/apguard/apguard"

// room is a folder of the library and what its packages may reach.
type room struct {
	path string
	// house lists the rooms that it may import.
	house []string
	// pure rooms hold rules only: they reach neither a database nor a network
	// protocol, through a library either.
	pure bool
	// standard rooms import nothing but the standard library and house.
	standard bool
}

func rooms() []room {
	domain := []string{"asset", "classify", "account", "allowlist", "dispute", "report"}
	return []room{
		{path: "asset", pure: true, standard: true},
		{path: "account", pure: true, standard: true},
		{path: "classify", pure: true, house: []string{"asset"}},
		{path: "allowlist", pure: true, house: []string{"asset", "classify"}},
		{path: "dispute", pure: true, house: []string{"asset", "classify"}},
		{path: "report", pure: true, house: []string{"asset", "classify"}},
		{path: "storage", house: domain},
		{path: "", house: append([]string{"storage"}, domain...)},
		{path: "httpapi", house: append([]string{""}, domain...)},
		{path: "internal/benchtest", house: domain},
	}
}

// impure are the packages that rules must not reach.
var impure = []string{"database/sql", "net/http"}

// listed is one package as the go command lists it.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImportsRunAlongTheTable(t *testing.T) {
	t.Parallel()
	packages := list(t)
	require.Greater(t, len(packages), 10, "the go command must list the whole library")
	for _, p := range packages {
		require.Empty(t, violations(p), "package %s", p.ImportPath)
	}
}

func TestEveryPackageHasARoom(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if !strings.HasPrefix(p.ImportPath, module+"/examples/") {
			require.NotNil(t, roomOf(p.ImportPath), "package %s is in no room of the table", p.ImportPath)
		}
	}
}

func TestViolationsAreSeen(t *testing.T) {
	t.Parallel()
	cases := map[string]listed{
		"a domain package imports another against the table": {
			ImportPath: module + "/asset", Imports: []string{module + "/classify"},
		},
		"a domain package imports a library where only the standard library may be": {
			ImportPath: module + "/account", Imports: []string{"example.com/library"},
		},
		"a domain package reaches net/http through a library": {
			ImportPath: module + "/classify", Imports: []string{"example.com/library"}, Deps: []string{"net/http"},
		},
		"a package inside a domain package reaches database/sql": {
			ImportPath: module + "/classify/internal/x", Deps: []string{"database/sql"},
		},
		"a domain package reaches an adapter": {
			ImportPath: module + "/report", Deps: []string{module + "/storage/memory"},
		},
		"a domain package reaches the generators of tests": {
			ImportPath: module + "/classify", Deps: []string{module + "/classify/classifytest"},
		},
		"the service imports an adapter": {
			ImportPath: module, Imports: []string{module + "/storage/sqlite"}, Deps: []string{module + "/storage/sqlite"},
		},
		"an adapter imports the service": {
			ImportPath: module + "/storage/sqlite", Imports: []string{module},
		},
		"the HTTP layer imports storage": {
			ImportPath: module + "/httpapi", Imports: []string{module + "/storage"},
		},
		"the service imports an adapter that nobody named yet": {
			ImportPath: module, Imports: []string{module + "/storage/postgres"},
		},
		"the HTTP layer reaches a database through a library": {
			ImportPath: module + "/httpapi", Deps: []string{"database/sql"},
		},
		"an example imports what only the library can": {
			ImportPath: module + "/examples/server", Imports: []string{module + "/internal/benchtest"},
		},
		"one adapter imports another": {
			ImportPath: module + "/storage/sqlite", Imports: []string{module + "/storage/memory"},
		},
	}
	for reason, p := range cases {
		require.NotEmpty(t, violations(p), reason)
	}
}

// violations says what of a package runs against the table.
func violations(p listed) []string {
	var found []string
	r := roomOf(p.ImportPath)
	if r == nil { // an example, which shows what everybody can do
		for _, path := range p.Imports {
			if strings.HasPrefix(path, module) && strings.Contains(path, "/internal/") {
				found = append(found, "imports "+path)
			}
		}
		return found
	}
	for _, path := range p.Imports {
		if !r.mayImport(path) {
			found = append(found, "imports "+path)
		}
	}
	for _, path := range p.Deps {
		switch {
		case r.pure && slices.Contains(impure, path):
			found = append(found, "reaches "+path)
		case path == "database/sql" && (r.path == "" || r.path == "httpapi"):
			found = append(found, "reaches "+path)
		case r.path != "storage" && isAdapter(path):
			found = append(found, "reaches "+path)
		}
	}
	return found
}

func (r *room) mayImport(path string) bool {
	to := roomOf(path)
	switch {
	case isAdapter(path):
		return false
	case to != nil:
		return to.path == r.path || slices.Contains(r.house, to.path)
	default:
		return !r.standard || isStandard(path)
	}
}

// isStandard reports whether a package is of the standard library: its first
// element is no host name.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// roomOf returns the room that a package belongs to, or nil.
func roomOf(importPath string) *room {
	rel, ours := strings.CutPrefix(importPath, module)
	if !ours {
		return nil
	}
	rel = strings.TrimPrefix(rel, "/")
	for _, r := range rooms() {
		if rel == r.path || r.path != "" && strings.HasPrefix(rel, r.path+"/") {
			return &r
		}
	}
	return nil
}

// isAdapter reports whether only examples, hosts and tests choose the package: all
// that is in storage but for what the stores share, and the generators of tests.
func isAdapter(path string) bool {
	name, inStorage := strings.CutPrefix(path, module+"/storage/")
	return path == module+"/classify/classifytest" || inStorage && !strings.HasPrefix(name, "internal/")
}

// list asks the go command for every package of the library.
func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	require.NoError(t, err)
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, p)
	}
}

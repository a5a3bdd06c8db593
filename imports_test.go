package apguard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/apguard/apguard"

// folder is a folder of the module and what its packages may import.
type folder struct {
	path string
	// may lists the folders that it may import.
	may []string
	// pure folders reach neither a database nor a network protocol, not even through
	// a library.
	pure bool
	// standard folders import only the standard library and the folders of may.
	standard bool
}

func folders() []folder {
	domain := []string{"step", "audit/trail", "audit", "asset", "classify", "account", "idempotency", "lists", "allowlist", "dispute", "report", "protect", "check", "pending", "webhook"}
	return []folder{
		// The first folder with a package counts. A folder imports only folders above it.
		{path: "internal/suffix", pure: true},
		{path: "internal/unicode17", pure: true},
		{path: "internal/wait", pure: true, standard: true},
		{path: "internal/watch", pure: true, standard: true},
		{path: "internal/presence", pure: true, standard: true},
		{path: "step", pure: true, standard: true},
		{path: "idempotency", pure: true, standard: true},
		{path: "audit/trail", pure: true, standard: true, may: []string{"step", "asset", "audit"}},
		{path: "audit", pure: true, standard: true},
		{path: "asset", pure: true, standard: true, may: []string{"step", "audit", "idempotency", "internal/suffix", "internal/watch"}},
		{path: "account", pure: true, standard: true, may: []string{"step", "asset", "audit"}},
		{path: "classify", pure: true, may: []string{"asset", "internal/suffix", "internal/unicode17"}},
		{path: "internal/hashwire", pure: true},
		{path: "check", pure: true, may: []string{"step", "asset", "classify", "internal/suffix", "internal/hashwire"}},
		{path: "feed/hotlist", pure: true, may: []string{"asset", "feed", "lists"}},
		{path: "feed", pure: true, may: []string{"asset", "check", "classify", "internal/hashwire", "internal/wait"}},
		{path: "internal/outbound", pure: true, standard: true, may: []string{"asset"}},
		{path: "lists/fetch", may: []string{"step", "audit", "asset", "lists", "internal/outbound"}},
		{path: "lists", pure: true, may: []string{"step", "asset", "audit", "classify", "check", "protect", "internal/outbound", "internal/wire"}},
		{path: "allowlist", pure: true, may: []string{"step", "account", "asset", "classify", "idempotency", "check", "protect", "audit"}},
		{path: "dispute", pure: true, may: []string{"step", "account", "asset", "audit", "classify", "idempotency", "check"}},
		{path: "report", pure: true, may: []string{"step", "asset", "audit", "classify", "idempotency"}},
		{path: "protect", pure: true, may: []string{"asset", "classify"}},
		{path: "pending", pure: true, may: []string{"step", "asset", "audit", "idempotency", "lists", "report"}},
		{path: "publish/manifest", pure: true, may: []string{"step", "asset", "audit", "classify", "idempotency"}},
		{path: "client/published", may: []string{"step", "asset", "check", "classify", "publish/manifest"}},
		{path: "client/source", standard: true, may: []string{"step", "asset", "check", "classify", "client", "client/published", "feed", "publish/manifest"}},
		{path: "client", standard: true, may: []string{"step", "account", "asset", "audit", "check", "classify", "dispute", "idempotency", "lists", "pending", "report", "webhook"}},
		{path: "internal/wire", pure: true, may: []string{"asset"}},
		{path: "webhook/deliver", may: []string{"step", "asset", "dispute", "pending", "webhook"}},
		{path: "webhook", pure: true, may: []string{"step", "asset", "audit", "dispute", "pending", "internal/outbound", "internal/wire"}},
		{path: "publish", pure: true, may: []string{"internal/wait", "asset", "classify", "feed/hotlist", "feed", "lists", "internal/wire", "publish/manifest"}},
		{path: "storage", may: append([]string{"internal/test/accounttest", "internal/test/testsize", "internal/wait"}, domain...)},
		{path: "observe", may: append([]string{"storage"}, domain...)},
		{path: "", may: append([]string{"feed", "internal/wait", "internal/watch", "observe", "storage"}, domain...)},
		{path: "internal/request", pure: true, may: domain},
		{path: "rules/wasm", pure: true, may: []string{"asset", "rules"}},
		{path: "rules", pure: true, may: append([]string{"internal/request"}, domain...)},
		{path: "httpapi/limit", may: []string{"account"}},
		{path: "httpapi", may: append([]string{"", "httpapi/limit", "feed", "feed/hotlist", "internal/presence", "internal/request", "internal/wire"}, domain...)},
		{path: "metrics", may: append([]string{"", "httpapi", "feed", "observe", "storage", "webhook/deliver"}, domain...)},
		{path: "conformance", pure: true, standard: true},
		{path: "console", standard: true},
		{path: "deploy"},
		{path: "internal/test/accounttest", may: []string{"account", "audit"}},
		{path: "internal/test/benchtest", may: domain},
		{path: "internal/test/contentstest", may: []string{"asset", "classify"}},
		{path: "internal/test/hosttest"},
		{path: "internal/test/linktest"},
		{path: "internal/test/npmtest"},
		{path: "internal/test/postgrestest"},
		{path: "internal/test/rulestest", may: []string{"internal/test/npmtest", "internal/test/testsize"}},
		{path: "internal/test/testsize"},
	}
}

// impure lists the packages that pure folders must not reach.
var impure = []string{"database/sql", "net/http"}

// listed is a package as go list prints it.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImports(t *testing.T) {
	t.Parallel()
	packages := list(t)
	require.Greater(t, len(packages), 10, "the go command must list the whole library")
	for _, p := range packages {
		require.Empty(t, violations(p), "package %s", p.ImportPath)
	}
}

func TestImports_EveryPackageHasAFolder(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if !isProgram(p.ImportPath) {
			require.NotNil(t, folderOf(p.ImportPath), "package %s is in no folder of the table", p.ImportPath)
		}
	}
}

func TestImports_Violations(t *testing.T) {
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
		"check imports what stands on it": {
			ImportPath: module + "/check", Imports: []string{module + "/dispute"},
		},
		"the mirror reaches net/http": {
			ImportPath: module + "/feed/mirror", Deps: []string{"net/http"},
		},
		"the client imports a library": {
			ImportPath: module + "/client", Imports: []string{"example.com/library"},
		},
		"the mirror imports the client": {
			ImportPath: module + "/feed/mirror", Imports: []string{module + "/client"},
		},
		"the rules of webhooks reach net/http": {
			ImportPath: module + "/webhook", Deps: []string{"net/http"},
		},
		"the sender of webhooks reaches a store": {
			ImportPath: module + "/webhook/deliver", Imports: []string{module + "/storage"},
		},
		"lists reach net/http": {
			ImportPath: module + "/lists", Deps: []string{"net/http"},
		},
		"the fetcher of lists reaches a store": {
			ImportPath: module + "/lists/fetch", Imports: []string{module + "/storage"},
		},
		"the rules for URLs reach net/http": {
			ImportPath: module + "/internal/outbound", Deps: []string{"net/http"},
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
		"the HTTP layer imports an adapter": {
			ImportPath: module + "/httpapi", Imports: []string{module + "/storage/memory"},
		},
		"the service imports another adapter": {
			ImportPath: module, Imports: []string{module + "/storage/postgres"},
		},
		"the HTTP layer reaches a database through a library": {
			ImportPath: module + "/httpapi", Deps: []string{"database/sql"},
		},
		"the console imports a store": {
			ImportPath: module + "/console", Imports: []string{module + "/storage"},
		},
		"the console reaches an adapter": {
			ImportPath: module + "/console", Deps: []string{module + "/storage/sqlite"},
		},
		"the console imports the service": {
			ImportPath: module + "/console", Imports: []string{module},
		},
		"the console imports a package of the program": {
			ImportPath: module + "/console", Imports: []string{module + "/cmd/apguard/x"},
		},
		"a program imports an internal package": {
			ImportPath: module + "/cmd/apguard", Imports: []string{module + "/internal/test/benchtest"},
		},
		"one adapter imports another": {
			ImportPath: module + "/storage/sqlite", Imports: []string{module + "/storage/memory"},
		},
	}
	for reason, p := range cases {
		require.NotEmpty(t, violations(p), reason)
	}
}

// violations returns what a package imports or reaches against the table.
func violations(p listed) []string {
	var found []string
	r := folderOf(p.ImportPath)
	if r == nil { // a program
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

func (r *folder) mayImport(path string) bool {
	to := folderOf(path)
	switch {
	case isAdapter(path):
		return false
	case to != nil:
		return to.path == r.path || slices.Contains(r.may, to.path)
	default:
		return !r.standard || isStandard(path)
	}
}

// isStandard reports whether a package belongs to the standard library: its first
// element is not a host name.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// folderOf returns the folder of a package, or nil.
func folderOf(importPath string) *folder {
	rel, ours := strings.CutPrefix(importPath, module)
	if !ours {
		return nil
	}
	rel = strings.TrimPrefix(rel, "/")
	for _, r := range folders() {
		if rel == r.path || r.path != "" && strings.HasPrefix(rel, r.path+"/") {
			return &r
		}
	}
	return nil
}

// isProgram reports whether a package is a program or one of its parts. No table has its imports.
func isProgram(importPath string) bool {
	return strings.HasPrefix(importPath, module+"/cmd/") || strings.HasPrefix(importPath, module+"/examples/")
}

// isAdapter reports whether only programs, host applications and tests may import the
// package: all below storage except what adapters share, and the test generators.
func isAdapter(path string) bool {
	name, inStorage := strings.CutPrefix(path, module+"/storage/")
	return path == module+"/classify/classifytest" || inStorage && !strings.HasPrefix(name, "internal/")
}

// list returns every package of the module.
func list(t *testing.T) []listed {
	t.Helper()
	packages, err := listOnce()
	require.NoError(t, err)
	return packages
}

// listOnce runs the go command once for all tests.
var listOnce = sync.OnceValues(func() ([]listed, error) {
	out, err := exec.CommandContext(context.Background(), "go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		return nil, err
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})

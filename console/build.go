package console

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// page has the files of the page that need no build.
//
//go:embed web
var page embed.FS

const (
	rulesPackage = "github.com/apguard/apguard/rules"
	wasmPackage  = rulesPackage + "/wasm"
)

// configFile is the file that tells the page its addresses.
const configFile = "config.json"

// Build builds the page for the two APIs. It runs the go command, in a working directory that belongs to
// this module or to one that requires it. It returns an error if an address is invalid or the go command
// fails.
func Build(ctx context.Context, addresses Addresses) (Site, error) {
	policy, err := newPolicy(addresses)
	if err != nil {
		return nil, err
	}
	site := make(Site)
	if err := site.addPage(policy); err != nil {
		return nil, err
	}
	if err := site.addRules(ctx); err != nil {
		return nil, err
	}
	if site[configFile], err = json.Marshal(addresses); err != nil {
		return nil, err
	}
	return site, nil
}

// addPage adds the embedded files. The document has the policy, for web servers that send none.
func (s Site) addPage(policy policy) error {
	return fs.WalkDir(page, "web", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".d.ts") || strings.HasSuffix(path, "tsconfig.json") {
			return err
		}
		content, err := page.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, "web/")
		if name == "index.html" {
			content = bytes.ReplaceAll(content, []byte("{{policy}}"), []byte(policy.forDocument()))
		}
		s[name] = content
		return nil
	})
}

// addRules adds the core rules as WebAssembly, with the JavaScript that loads them.
func (s Site) addRules(ctx context.Context) error {
	wasm, err := buildWasm(ctx)
	if err != nil {
		return err
	}
	s["rules.wasm"] = wasm
	root, err := goCommand(ctx, "env", "GOROOT")
	if err != nil {
		return err
	}
	if err := s.addFile("wasm_exec.js", filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return err
	}
	rules, err := goCommand(ctx, "list", "-f", "{{.Dir}}", rulesPackage)
	if err != nil {
		return err
	}
	scripts, err := filepath.Glob(filepath.Join(rules, "js", "*.js"))
	if err != nil {
		return err
	}
	for _, script := range scripts {
		if err := s.addFile(filepath.Base(script), script); err != nil {
			return err
		}
	}
	return nil
}

func (s Site) addFile(name, path string) error {
	content, err := os.ReadFile(path) //nolint:gosec // a file of the toolchain or of the module
	if err != nil {
		return err
	}
	s[name] = content
	return nil
}

// buildWasm returns the program of the rules. It is the same with and without a version control system.
func buildWasm(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "apguard-console-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system removes what is left
	path := filepath.Join(dir, "rules.wasm")
	if _, err := goCommand(ctx, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, wasmPackage); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // a file of this function
}

// goCommand runs the Go toolchain for the browser and returns its output.
func goCommand(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are constants and paths of this program
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var stderr strings.Builder
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.String())
	}
	return strings.TrimSpace(string(output)), nil
}

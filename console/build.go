package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
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

// addresses are the bases of the two APIs, as paths or as URLs of another origin.
type addresses struct {
	API         string `json:"api"`
	OperatorAPI string `json:"operatorApi"`
	// KeysInLink lets the page take keys from its address. It is for the demo, whose
	// address is printed with keys.
	KeysInLink bool `json:"keysInLink"`
}

// site has the files of the page by their paths.
type site map[string][]byte

// buildSite builds the WebAssembly and collects the files of the page.
func buildSite(ctx context.Context, addresses addresses) (site, error) {
	policy, err := newPolicy(addresses)
	if err != nil {
		return nil, err
	}
	files := make(site)
	if err := files.addPage(policy); err != nil {
		return nil, err
	}
	if err := files.addRules(ctx); err != nil {
		return nil, err
	}
	if files["config.json"], err = json.Marshal(addresses); err != nil {
		return nil, err
	}
	return files, nil
}

// addPage adds the embedded files. The document has the policy, for web servers that send none.
func (s site) addPage(policy policy) error {
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
func (s site) addRules(ctx context.Context) error {
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

func (s site) addFile(name, path string) error {
	content, err := os.ReadFile(path) //nolint:gosec // a file of the toolchain or of the module
	if err != nil {
		return err
	}
	s[name] = content
	return nil
}

// buildWasm returns the program of the rules.
func buildWasm(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "apguard-console-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system removes what is left
	path := filepath.Join(dir, "rules.wasm")
	if _, err := goCommand(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", path, wasmPackage); err != nil {
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

// write writes the files to a directory.
func (s site) write(dir string) error {
	for name, content := range s {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a web server reads it
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil { //nolint:gosec // a web server reads it
			return err
		}
	}
	return nil
}

// originOf returns the origin of an address, or nothing for a path.
func originOf(address string) (string, error) {
	parsed, err := url.Parse(address)
	switch {
	case err != nil:
		return "", err
	case parsed.Host == "" && strings.HasPrefix(address, "/"):
		return "", nil
	case parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil:
		return "", fmt.Errorf("%q must be a path or an http or https URL without a user", address)
	default:
		return parsed.Scheme + "://" + parsed.Host, nil
	}
}

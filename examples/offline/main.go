// Command offline serves a page that checks links while they are typed, also without a network. It gets
// hash lists from the API of a server of another origin, such as
//
//	go run ./cmd/apguard serve -hashes -public-hashes -allow-origin http://127.0.0.1:8085
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

//go:embed web
var page embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

// run serves the page until ctx is canceled.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("offline", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8085", "address of the page")
	api := flags.String("api", "http://127.0.0.1:8080/api/v2", "base of the API, which must permit the origin of the page")
	key := flags.String("key", "", "key with the scope check, which everybody who opens the page can read; none for public hashes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "apguard-offline-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system removes what is left
	handler, err := newHandler(ctx, dir, *api, *key)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(stdout, "page on http://%s/\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// newHandler returns the handler of the page, whose program is built into dir.
func newHandler(ctx context.Context, dir, api, key string) (http.Handler, error) {
	target, err := url.Parse(api)
	if err != nil {
		return nil, err
	}
	config := map[string]string{"base": api}
	if key != "" {
		config["key"] = key
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	const rules = "github.com/apguard/apguard/rules"
	program := filepath.Join(dir, "rules.wasm")
	if _, err := goCommand(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", program, rules+"/wasm"); err != nil {
		return nil, err
	}
	sources, err := goCommand(ctx, "list", "-f", "{{.Dir}}", rules)
	if err != nil {
		return nil, err
	}
	goroot, err := goCommand(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	web, err := fs.Sub(page, "web")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(web))
	mux.Handle("GET /offline.js", http.FileServerFS(web))
	mux.Handle("GET /service-worker.js", http.FileServerFS(web))
	mux.Handle("GET /rules.wasm", http.FileServer(http.Dir(dir)))
	mux.Handle("GET /wasm_exec.js", http.FileServer(http.Dir(filepath.Join(goroot, "lib", "wasm"))))
	mux.Handle("GET /{script}", http.FileServer(http.Dir(filepath.Join(sources, "js"))))
	mux.HandleFunc("GET /config.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
	})
	policy := "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' " + target.Scheme + "://" + target.Host
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		mux.ServeHTTP(w, r)
	}), nil
}

// goCommand runs the Go toolchain for the browser and returns its output.
func goCommand(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are constants and paths of this program
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(output)), nil
}

package deploy_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// user is the user of the image.
const user = 65532

// image is a directory with the files of the image.
type image string

// buildImage does what the Dockerfile does, with the Go of this machine. The user of the
// image may write only to /data.
func buildImage(t *testing.T) image {
	t.Helper()
	root := t.TempDir()
	dockerfile, err := os.ReadFile("Dockerfile")
	require.NoError(t, err)
	require.Contains(t, string(dockerfile), "\nCOPY --from=build /image/console /console\n")
	ignored, err := os.ReadFile("../.dockerignore")
	require.NoError(t, err)
	require.NotContains(t, string(ignored), ".git", "the program learns its version from Git")
	text := strings.ReplaceAll(string(dockerfile), "\\\n", "")
	build := regexp.MustCompile(`(?m)^RUN (go build .*)$`).FindStringSubmatch(text)
	require.NotNil(t, build)
	shell := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(build[1], "/image/", root+"/"))
	shell.Dir = ".."
	out, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, folder := range []string{"data", "run/secrets"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	require.NoError(t, os.Chown(filepath.Join(root, "data"), user, user))
	require.NoError(t, os.Chmod(root, 0o755))
	return image(root)
}

// write writes a secret.
func (i image) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(string(i), "run/secrets", name), []byte(text), 0o644))
}

// command returns a command that sees nothing but the image.
func (i image) command(t *testing.T, variable string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Path = args[0]
	cmd.Err = nil // the program need not exist outside of the image
	cmd.Dir = "/data"
	cmd.Env = []string{variable}
	cmd.Stderr = t.Output()
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: string(i), Credential: &syscall.Credential{Uid: user, Gid: user}}
	return cmd
}

// start starts a service, and returns its output up to the line that the expression matches.
func (i image) start(t *testing.T, cmd *exec.Cmd, listening *regexp.Regexp) []string {
	t.Helper()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = write, write
	require.NoError(t, cmd.Start())
	require.NoError(t, write.Close())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var printed strings.Builder
	for lines := bufio.NewScanner(read); lines.Scan(); {
		printed.WriteString(lines.Text() + "\n")
		if match := listening.FindStringSubmatch(printed.String()); match != nil {
			go io.Copy(io.Discard, read) //nolint:errcheck // the service must not wait for a reader
			return match
		}
	}
	require.Fail(t, "the service ended", "%s", &printed)
	return nil
}

// TestImage starts what compose.yaml starts, from the files of the image alone: a new operator creates an
// organization and keys, and the server is replaced by another one on the same database. It serves the console.
func TestImage(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: chroot needs root: run the test as root")
	}
	database := postgrestest.NewDatabase(t)
	services := readCompose(t).Services
	image := buildImage(t)
	image.write(t, "database", database)

	server := slices.Concat([]string{"/apguard"}, services["server"].Command,
		[]string{"-addr=127.0.0.1:0", "-operator=127.0.0.1:0", "-metrics=127.0.0.1:0"})
	listening := regexp.MustCompile(`(?s)metrics on (\S+)\n.*console on (\S+)\n.*listening on (\S+)\n`)
	const variable = "APGUARD_DB_FILE=/run/secrets/database"
	run := func(args ...string) string {
		out, err := image.command(t, variable, append([]string{"/apguard"}, args...)...).Output()
		require.NoError(t, err, "%s", args)
		return strings.TrimSpace(string(out))
	}

	first := image.command(t, variable, server...)
	image.start(t, first, listening)
	run("organizations", "create", "-slug", "acme", "-name", "Acme")
	key := run("keys", "create", "-organization", "acme", "-scopes", "check,changelog")
	require.NoError(t, first.Process.Signal(syscall.SIGTERM))
	require.NoError(t, first.Wait())

	addresses := image.start(t, image.command(t, variable, server...), listening)
	metrics, desk, api := addresses[1], addresses[2], addresses[3]
	status, body := send(t, http.MethodGet, desk+"/", "", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "<title>")
	status, body = send(t, http.MethodGet, metrics, "", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "apguard_requests_total")
	status, body = send(t, http.MethodPost, api+"/asset/check", key, `{"content":"https://bad.example/x"}`)
	require.Equal(t, http.StatusOK, status, body)

	image.write(t, "mirror_key", key)
	mirror := slices.Concat([]string{"/apguard"}, services["mirror"].Command, []string{"-addr=127.0.0.1:0", "-metrics=127.0.0.1:0", "-from=" + api})
	started := image.command(t, "APGUARD_KEY_FILE=/run/secrets/mirror_key", mirror...)
	filled := regexp.MustCompile(`(?s)address=(\S+)\n.*the mirror is filled`)
	address := image.start(t, started, filled)[1]
	status, body = send(t, http.MethodPost, "http://"+address+"/api/v2/asset/check", "", `{"content":"https://bad.example/x"}`)
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, "UNKNOWN")
}

// send sends a request and returns the status and the body of the response.
func send(t *testing.T, method, url, key, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(text)
}

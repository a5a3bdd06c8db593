package linktest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// page reads contents in base64 between its halves, and shows the URLs that they are, as JSON in
// base64.
const (
	pageStart = `<!doctype html><meta charset="utf-8"><pre id="urls"></pre><script>
const contents = `
	pageEnd = `;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const urls = contents.map((content) => {
  try {
    const { href, protocol, hostname } = new URL(decoder.decode(Uint8Array.from(atob(content), (c) => c.charCodeAt(0))));
    return { href, protocol, hostname };
  } catch {
    return {};
  }
});
document.getElementById("urls").textContent = btoa(JSON.stringify(urls)); // a serialized URL is ASCII
</script>`
)

// ParseInChromium parses each content as a URL without a base. It skips the test unless the
// variable APGUARD_TEST_CHROMIUM names the program.
func ParseInChromium(tb testing.TB, contents []string) []URL {
	tb.Helper()
	program := os.Getenv("APGUARD_TEST_CHROMIUM")
	if program == "" {
		tb.Skip("SKIPPED: APGUARD_TEST_CHROMIUM does not name Chromium")
	}
	const batch = 50_000
	urls := make([]URL, 0, len(contents))
	for len(contents) > 0 {
		n := min(batch, len(contents))
		urls = append(urls, parseBatch(tb, program, contents[:n])...)
		contents = contents[n:]
	}
	return urls
}

func parseBatch(tb testing.TB, program string, contents []string) []URL {
	tb.Helper()
	encoded := make([][]byte, len(contents)) // in base64, as contents may be invalid UTF-8
	for i, content := range contents {
		encoded[i] = []byte(content)
	}
	input, err := json.Marshal(encoded)
	require.NoError(tb, err)
	folder := tb.TempDir()
	path := filepath.Join(folder, "page.html")
	require.NoError(tb, os.WriteFile(path, []byte(pageStart+string(input)+pageEnd), 0o600))
	//nolint:gosec // who runs the test names the program
	chromium := exec.CommandContext(tb.Context(), program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(folder, "profile"),
		"--dump-dom", "file://"+path)
	output, err := chromium.Output()
	require.NoError(tb, err)
	_, rest, found := bytes.Cut(output, []byte(`<pre id="urls">`))
	require.True(tb, found, "%.1000s", output)
	text, _, _ := bytes.Cut(rest, []byte("</pre>"))
	decoded, err := base64.StdEncoding.DecodeString(string(text))
	require.NoError(tb, err)
	var urls []URL
	require.NoError(tb, json.Unmarshal(decoded, &urls))
	require.Len(tb, urls, len(contents))
	return urls
}

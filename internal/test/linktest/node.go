// Package linktest has what tests need that compare the reading of links with another parser:
// mutations of links, and Node's implementation of the WHATWG URL Standard.
package linktest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// script reads contents in base64, as a JSON array, and writes the URLs that they are.
const script = `
import { json } from "node:stream/consumers";

const urls = (await json(process.stdin)).map((content) => {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(content, "base64"));
  try {
    const { href, protocol, hostname } = new URL(text);
    return { href, protocol, hostname };
  } catch {
    return {};
  }
});
process.stdout.write(JSON.stringify(urls));
`

// URL is a URL that Node parsed. The zero value is one that it refused.
type URL struct {
	Href     string `json:"href"`
	Protocol string `json:"protocol"`
	Hostname string `json:"hostname"`
}

// OnWeb reports whether the URL is an http or https URL.
func (u URL) OnWeb() bool { return u.Protocol == "http:" || u.Protocol == "https:" }

// ReadsOlder reports whether Node read a content by rules that browsers have changed since: it maps
// U+1E9E to two letters, as before Unicode 15.1, and refuses punycode that does not decode, which
// the standard takes in a host of ASCII since June 2026.
func (u URL) ReadsOlder(content string) bool {
	lower := strings.ToLower(content)
	isPunycode := strings.Contains(lower, "--") || strings.Contains(lower, "%2d")
	return strings.Contains(content, "\u1e9e") || strings.Contains(lower, "%e1%ba%9e") || !u.OnWeb() && isPunycode
}

// ParseInNode parses each content as a URL without a base. It skips the test if there is no node.
func ParseInNode(tb testing.TB, contents []string) []URL {
	tb.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		tb.Skip("SKIPPED: no node on the PATH to parse URLs")
	}
	encoded := make([][]byte, len(contents)) // in base64, as contents may be invalid UTF-8
	for i, content := range contents {
		encoded[i] = []byte(content)
	}
	input, err := json.Marshal(encoded)
	require.NoError(tb, err)
	node := exec.CommandContext(tb.Context(), "node", "--input-type=module", "--eval", script)
	node.Stdin = bytes.NewReader(input)
	var failure bytes.Buffer
	node.Stderr = &failure
	output, err := node.Output()
	require.NoError(tb, err, "%s", &failure)
	var urls []URL
	require.NoError(tb, json.Unmarshal(output, &urls))
	require.Len(tb, urls, len(contents))
	return urls
}

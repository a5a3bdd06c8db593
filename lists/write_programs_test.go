package lists_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/npmtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
)

// These tests give the lists to the programs that they are for.

// readersVariable is the environment variable with a folder in which the npm packages of
// testdata/readers are installed.
const readersVariable = "APGUARD_TEST_READERS"

// verdict is what a reader of a list must say about a URL.
type verdict struct {
	url     string
	blocked bool
}

// requireVerdicts writes a list and asks a reader of its format, which is an npm package.
func requireVerdicts(t *testing.T, format lists.Format, assets []asset.Listed, want []verdict) {
	t.Helper()
	node := npmtest.Command(t, readersVariable, filepath.Join("testdata", "readers", "verdicts.cjs"), string(format))
	text, _ := write(t, format, assets)
	node.Args = append(node.Args, writeFile(t, text))
	for _, one := range want {
		node.Args = append(node.Args, one.url)
	}
	out, err := node.Output()
	require.NoError(t, err)
	var blocked []bool
	require.NoError(t, json.Unmarshal(out, &blocked))
	require.Len(t, blocked, len(want))
	for i, one := range want {
		require.Equal(t, one.blocked, blocked[i], "%s in\n%s", one.url, text)
	}
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "list")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// hostVerdicts are the verdicts of all readers of hosts on the list of mixed.
func hostVerdicts() []verdict {
	return []verdict{
		{"https://bad.com/", true},
		{"http://bad.com:8443/any/path?x=1", true},
		{"https://sub.bad.com/", true},
		{"https://a.b.worse.com/x", true},
		{"https://name.medium.com/post", true},
		{"https://_dmarc.bad.com/", true},
		{"https://1.2.3.4:81/x", true},
		{"https://[2001:db8::1]/x", true},
		{"http://[2001:db8::1]:81/", true},
		{"https://" + strings.Repeat(strings.Repeat("a", 60)+".", 4) + "com/", true},
		{"https://notbad.com/", false},
		{"https://bad.com.example.org/", false},
		{"https://com/", false},
		{"https://medium.com/@name", false},
		{"https://github.com/owner", false},
		{"https://[2001:db8::11]/", false},
		{"https://21.2.3.4/", false},
		{"https://unknown.com/", false},
		{"https://good.com/", false},
		{"https://example.org/?to=https://bad.com/", false},
		{"https://example.org/?to=https://[2001:db8::1]/", false},
	}
}

// An ad blocker blocks the hosts and their subdomains, and nothing else.
func TestWrite_AdBlocker(t *testing.T) {
	t.Parallel()
	requireVerdicts(t, lists.AdBlock, mixed(), hostVerdicts())
}

// The package eth-phishing-detect blocks the hosts and their subdomains, except those below
// an ALLOWED host.
func TestWrite_PhishingDetector(t *testing.T) {
	t.Parallel()
	assets := append(mixed(), listed(asset.StatusBlocked, "mixed.good.com")...)
	assets = append(assets, listed(asset.StatusAllowed, "fine.bad.com")...)
	requireVerdicts(t, lists.PhishingDetect, assets, append(hostVerdicts(),
		verdict{"https://mixed.good.com/", true},
		verdict{"https://fine.bad.com/", false},
		verdict{"https://sub.fine.bad.com/", false},
	))
}

// The packages say the same about random worlds as the readers of TestWrite_SaysNoMoreThanACheck.
func TestWrite_ReadersOfWorlds(t *testing.T) {
	t.Parallel()
	for _, format := range []lists.Format{lists.AdBlock, lists.PhishingDetect} {
		for seed := range testsize.Of(2, 5, 25) {
			t.Run(fmt.Sprintf("%s %d", format, seed), func(t *testing.T) {
				t.Parallel()
				hosts := rapid.Custom(drawHosts).Example(seed)
				assets := rapid.Custom(func(t *rapid.T) []asset.Listed { return drawWorld(t, hosts) }).Example(seed)
				text, _ := write(t, format, assets)
				list := listReaders[format](t, text)
				asked := askedAbout(hosts)
				want := make([]verdict, len(asked))
				for i, host := range asked {
					want[i] = verdict{"https://" + host + "/", list.blocks(host)}
				}
				requireVerdicts(t, format, assets, want)
			})
		}
	}
}

// What an operator allows or blocks by mistake does not reach others through a reader.
func TestWrite_ReadersOfAttacks(t *testing.T) {
	t.Parallel()
	assets := append(listed(asset.StatusBlocked, "https://com", "evil.github.io", "good.net", "https://amazonaws.com"),
		listed(asset.StatusAllowed, "github.io", "https://good.net")...)
	for _, format := range []lists.Format{lists.AdBlock, lists.PhishingDetect} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			requireVerdicts(t, format, assets, []verdict{
				{"https://evil.github.io/", true},
				{"https://good.net/", true},
				{"https://any.com/", false},
				{"https://name.s3.amazonaws.com/", false},
				{"https://other.github.io/", false},
			})
		})
	}
}

// A library of STIX accepts a bundle by its types, without other members, and makes the same IDs.
func TestWrite_STIXLibrary(t *testing.T) {
	t.Parallel()
	packages := filepath.Join(os.Getenv(readersVariable), "node_modules")
	dir := t.TempDir()
	compile := npmtest.Command(t, readersVariable, filepath.Join(packages, "typescript", "bin", "tsc"),
		"--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", filepath.Join(dir, "indicators.mts"))
	run := npmtest.Command(t, readersVariable, filepath.Join(dir, "indicators.mjs"))
	assets := append(mixed(), listed(asset.StatusBlocked, `https://bad.com/a'b?\"c`, "o'brien@bad.com", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")...)
	assets[0].Basis = asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: "\"cheap\",\n\u2028shoes", Since: time.UnixMilli(1)}
	text, _ := write(t, lists.STIX, assets)

	require.NoError(t, os.Symlink(packages, filepath.Join(dir, "node_modules")))
	for name, end := range map[string]string{"bundle.mts": text, "indicators.mts": ""} {
		source, err := os.ReadFile(filepath.Join("testdata", "readers", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), append(source, end...), 0o600))
	}
	told, err := compile.Output()
	require.NoError(t, err, "%s", told)
	told, err = run.Output()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%d\n", len(readBundle(t, text).Objects)), string(told))
}

// A list without assets blocks nothing.
func TestWrite_EmptyForReaders(t *testing.T) {
	t.Parallel()
	for _, format := range []lists.Format{lists.AdBlock, lists.PhishingDetect} {
		requireVerdicts(t, format, nil, []verdict{{"https://bad.com/", false}})
	}
}

// A resolver answers 0.0.0.0 for the domains of a hosts file, and for no other name.
func TestWrite_HostsResolver(t *testing.T) {
	t.Parallel()
	resolver := startResolver(t, mixed())
	for name, listed := range map[string]bool{
		"bad.com": true, "worse.com": true, "name.medium.com": true, "_dmarc.bad.com": true, strings.Repeat(strings.Repeat("a", 60)+".", 4) + "com": true,
		"medium.com": false, "good.com": false, "unknown.com": false, "a!b.com": false,
	} {
		addresses, err := resolver.LookupHost(t.Context(), name+".")
		if listed {
			require.NoError(t, err, name)
			require.Equal(t, []string{"0.0.0.0"}, addresses, name)
		} else {
			require.Error(t, err, name)
		}
	}
}

// startResolver starts dnsmasq with a hosts file of the assets. It asks no other server.
func startResolver(t *testing.T, assets []asset.Listed) *net.Resolver {
	t.Helper()
	program, err := exec.LookPath("dnsmasq")
	if err != nil {
		t.Skip("NOT RUN: needs dnsmasq, of the Debian package dnsmasq-base")
	}
	text, _ := write(t, lists.Hosts, assets)
	file := writeFile(t, text)
	var address string
	for ready := false; !ready; { // until the deadline of the test: another program can take a free port at any time
		address = freeAddress(t)
		ready = serveNames(t, program, file, address)
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
}

// serveNames starts dnsmasq with a hosts file, and reports whether it could listen on the address.
func serveNames(t *testing.T, program, file, address string) bool {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	server := exec.CommandContext(t.Context(), program, "--no-daemon", "--conf-file=/dev/null", "--no-hosts", "--no-resolv", "--no-poll",
		"--addn-hosts="+file, "--port="+port, "--listen-address="+host, "--bind-interfaces", "--pid-file=")
	log, err := server.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() { _ = server.Wait() }) // the end of the context has ended it
	for lines := bufio.NewScanner(log); lines.Scan(); {
		t.Log(lines.Text())
		switch {
		case strings.Contains(lines.Text(), "read "+file):
			return true
		case strings.Contains(lines.Text(), "Address already in use"):
			return false
		}
	}
	require.Fail(t, "dnsmasq ended")
	return false
}

// freeAddress returns an address of this machine that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, free.Close()) }()
	return free.LocalAddr().String()
}

// SQLite imports the CSV file with the same fields.
func TestWrite_CSVIntoSQLite(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("NOT RUN: needs sqlite3")
	}
	assets := append(mixed(), listed(asset.StatusBlocked, "https://bad.com/?a=1,2", "https://bad.com/a'b")...)
	assets[0].Basis = asset.Basis{
		By: asset.SourceList, List: `a "b", c`, Reason: asset.ReasonScam, Note: `"cheap", shoes`, Since: time.UnixMilli(1),
	}
	both := []asset.Status{asset.StatusAllowed, asset.StatusBlocked}
	text, summary := write(t, lists.CSV, assets, both...)
	reader := exec.CommandContext(t.Context(), program, ":memory:", ".import --csv "+writeFile(t, text)+" assets",
		`SELECT json_object('id', CAST(id AS INTEGER), 'type', type, 'content', content, 'canonical', canonical,
			'status', status, 'updatedAt', nullif(updatedAt, ''), 'reason', nullif(reason, ''), 'note', nullif(note, ''),
			'since', nullif(since, ''), 'by', nullif("by", ''), 'list', nullif(list, '')) FROM assets`)
	reader.Stderr = t.Output()
	rows, err := reader.Output()
	require.NoError(t, err)
	want, _ := write(t, lists.JSONLines, assets, both...)
	require.Equal(t, want, string(rows))
	require.Equal(t, int(summary.Written), strings.Count(want, "\n"))
}

// A resolver's own checker accepts the zone.
func TestWrite_CheckZone(t *testing.T) {
	t.Parallel()
	checker, err := exec.LookPath("named-checkzone")
	if err != nil {
		t.Skip("NOT RUN: needs named-checkzone, of the Debian package bind9-utils")
	}
	label := strings.Repeat("a", 59)
	assets := append(mixed(), listed(asset.StatusBlocked, label+"."+label+"."+label[:55]+".com")...)
	text, _ := write(t, lists.RPZ, assets)
	told, err := exec.CommandContext(t.Context(), checker, strings.Repeat("z", 60)+".rpz", writeFile(t, text)).CombinedOutput()
	require.NoError(t, err, "%s", told)
	require.Contains(t, string(told), "loaded serial 7")
	require.NotContains(t, string(told), "warning")
}

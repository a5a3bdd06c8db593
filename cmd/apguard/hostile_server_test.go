package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

// The keys of the organizations of a hostile database.
const (
	hostileKey   = "apg_evil"
	bystanderKey = "apg_globex"
)

// disputable is the number of assets for disputes.
const disputable = 500

// hostileDatabase returns a file with the hostileSeed.
func hostileDatabase(tb testing.TB, size hostileSize) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "hostile.db")
	store, err := openFile(tb.Context(), path)
	require.NoError(tb, err)
	require.NoError(tb, store.Import(tb.Context(), hostileSeed(size)))
	require.NoError(tb, store.Close())
	return path
}

// hostileSeed returns many assets, and an organization with many reports.
func hostileSeed(size hostileSize) storage.Seed {
	at := time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
	seed := storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "evil", Name: "Evil"}, {ID: 7, Slug: "globex", Name: "Globex"}},
		Users: []account.User{
			{ID: 1, FullName: "Eve", Email: "eve@evil.example"},
			{ID: 5, FullName: "Bob", Email: "bob@globex.example"},
		},
		Keys: []storage.SeedKey{
			{Key: hostileKey, Organization: "evil", User: 1, Scopes: account.Scopes()},
			{Key: bystanderKey, Organization: "globex", User: 5, Scopes: account.Scopes()},
		},
		Assets: []storage.SeedAsset{{Content: "https://bad.example", Status: asset.StatusBlocked, ChangedAt: at}},
	}
	for i := range moreHostileKeys + hostileOrganizations {
		slug := "evil"
		if i >= moreHostileKeys {
			slug = fmt.Sprintf(hostileOrganizationOf, i)
			seed.Organizations = append(seed.Organizations, storage.SeedOrganization{ID: int64(100 + i), Slug: slug, Name: slug})
		}
		seed.Keys = append(seed.Keys, storage.SeedKey{Key: fmt.Sprintf(hostileKeyOf, i), Organization: slug, Scopes: account.Scopes()})
	}
	for i := range size.assets {
		content := fmt.Sprintf("https://long.example/%d/", i)
		seed.Assets = append(seed.Assets, storage.SeedAsset{
			Content: content + strings.Repeat("a", max(size.assetLength-len(content), 0)), Status: asset.StatusBlocked, ChangedAt: at,
		})
	}
	for i := range disputable {
		seed.Assets = append(seed.Assets, storage.SeedAsset{
			Content: "https://bad.example/" + strconv.Itoa(i), Status: asset.StatusBlocked, ChangedAt: at,
		})
	}
	for i := range size.reports + 20 {
		report := storage.SeedReport{
			ID: int64(i + 1), Organization: "evil", Title: "Fake shop " + strconv.Itoa(i), CreatedAt: at,
			Proposals: []storage.SeedProposal{{Content: "https://bad.example", ProposedStatus: asset.StatusBlocked}},
		}
		if i >= size.reports {
			report.Organization = "globex"
		}
		seed.Reports = append(seed.Reports, report)
	}
	return seed
}

// hostileServer is a separate process of the program with 512 MiB of memory.
type hostileServer struct {
	url, addr  string
	metricsURL string
	// phishing is the address for MetaMask's clients. It is empty without lists.
	phishing string
	process  *os.Process
	group    memoryGroup
	log      *bytes.Buffer
	// ended is closed when the process has ended, with the error exit.
	ended chan struct{}
	exit  error
}

// startHostile starts a server, with or without lists.
func startHostile(tb testing.TB, database string, lists bool) *hostileServer {
	tb.Helper()
	flags := []string{"serve", "-addr", "127.0.0.1:0", "-metrics", "127.0.0.1:0", "-db", database}
	if lists {
		flags = append(flags, "-phishing-api", "127.0.0.1:0", "-hashes", "-public-hashes")
	}
	cmd := subprocess(tb, flags...)
	s := &hostileServer{group: newMemoryGroup(tb), log: new(bytes.Buffer), ended: make(chan struct{})}
	cmd.Stderr = s.log
	if s.group.folder != "" {
		cmd.Args = append([]string{"sh", "-c", `echo $$ > "$0" && exec "$@"`, filepath.Join(s.group.folder, "cgroup.procs"), cmd.Path}, flags...)
		cmd.Path = "/bin/sh"
	}
	started, process := startProgram(tb, cmd)
	s.url, s.process = started.url, process
	s.addr, _, _ = strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	s.metricsURL = metricsURL.FindStringSubmatch(started.printed)[1]
	if lists {
		s.phishing = phishingAddress.FindStringSubmatch(started.printed)[1]
	}
	go func() {
		s.exit = started.stop()
		close(s.ended)
	}()
	tb.Cleanup(s.kill)
	if lists {
		s.awaitLists(tb)
	}
	return s
}

// awaitLists waits until the server has its lists, which it fills after its start.
func (s *hostileServer) awaitLists(tb testing.TB) {
	tb.Helper()
	for _, url := range []string{s.url + "/asset/hashes", "http://" + s.phishing + "/v1/stalelist"} {
		request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, url, nil)
		require.NoError(tb, err)
		require.Eventually(tb, func() bool {
			response, err := http.DefaultClient.Do(request)
			return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
		}, time.Minute, 10*time.Millisecond, url)
	}
}

// copyOf returns the path of a copy of a file.
func copyOf(tb testing.TB, database string) string {
	tb.Helper()
	content, err := os.ReadFile(database)
	require.NoError(tb, err)
	path := filepath.Join(tb.TempDir(), "copy.db")
	require.NoError(tb, os.WriteFile(path, content, 0o600))
	return path
}

var (
	metricsURL      = regexp.MustCompile(`(?m)^metrics on (\S+)$`)
	phishingAddress = regexp.MustCompile(`(?m)^phishing detection on http://(\S+)$`)
)

// kill kills the server, which would wait for requests in flight.
func (s *hostileServer) kill() {
	_ = s.process.Kill() // it may have ended
	<-s.ended
	s.group.remove()
}

func (s *hostileServer) running() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// peaks returns the peaks of the memory of the process and of its control group, in MiB. The
// first one is that of the group if the process has ended, and both are 0 on systems that
// report neither.
func (s *hostileServer) peaks(tb testing.TB) (resident, group float64) {
	tb.Helper()
	group = s.group.peak(tb)
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	peak := regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`).FindSubmatch(text)
	if peak == nil {
		return group, group
	}
	kib, err := strconv.ParseFloat(string(peak[1]), 64)
	require.NoError(tb, err)
	return kib / 1024, group
}

// end stops the server and returns the lines of its metrics and log about failed requests. The
// error is why it ended before.
func (s *hostileServer) end(tb testing.TB) (serverErrors []string, exited error) {
	tb.Helper()
	if s.running() {
		serverErrors = failedRequest.FindAllString(s.metrics(tb), -1)
		s.kill()
	} else {
		exited = s.exit
	}
	return append(serverErrors, failedLine.FindAllString(s.log.String(), -1)...), exited
}

var (
	failedRequest = regexp.MustCompile(`(?m)^apguard_requests_total\{.*status="5..".*$`)
	failedLine    = regexp.MustCompile(`(?m)^.* status=5.. .*$`)
)

func (s *hostileServer) metrics(tb testing.TB) string {
	tb.Helper()
	req, err := http.NewRequestWithContext(context.WithoutCancel(tb.Context()), http.MethodGet, s.metricsURL, http.NoBody)
	require.NoError(tb, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	defer resp.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	return string(text)
}

// memoryGroup is a control group with 512 MiB of memory. It is zero if the system has none, or
// does not let us make one.
type memoryGroup struct {
	folder string
	// peakFile is the file with the greatest number of bytes so far.
	peakFile string
}

// newMemoryGroup returns a new group. It logs if there is none.
func newMemoryGroup(tb testing.TB) memoryGroup {
	tb.Helper()
	for _, version := range []struct{ root, limit, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
		{"/sys/fs/cgroup", "memory.max", "memory.peak"},
	} {
		folder := filepath.Join(version.root, fmt.Sprintf("apguard-test-%d", rand.Uint64()))
		if err := os.Mkdir(folder, 0o700); err != nil {
			continue
		}
		group := memoryGroup{folder, filepath.Join(folder, version.peak)}
		if err := group.limit(version.limit); err == nil {
			return group
		}
		group.remove()
	}
	tb.Log("no control group for 512 MiB of memory: the peak of the resident memory is only measured")
	return memoryGroup{}
}

// limit writes the limit to an existing file.
func (g memoryGroup) limit(name string) error {
	file, err := os.OpenFile(filepath.Join(g.folder, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(strconv.Itoa(512 << 20))
	return errors.Join(err, file.Close())
}

// peak returns the greatest memory in MiB.
func (g memoryGroup) peak(tb testing.TB) float64 {
	tb.Helper()
	text, err := os.ReadFile(g.peakFile)
	if err != nil {
		return 0
	}
	peak, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	require.NoError(tb, err)
	return peak / (1 << 20)
}

// remove removes the group, if its processes have ended.
func (g memoryGroup) remove() {
	if g.folder != "" {
		_ = os.Remove(g.folder)
	}
}

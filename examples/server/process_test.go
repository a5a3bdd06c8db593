package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAUsageErrorIsToldOnce(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		args []string
		told string
	}{
		"a flag that does not exist": {[]string{"-port", "80"}, "server: flag provided but not defined: -port\n"},
		"a flag without its value":   {[]string{"-addr"}, "server: flag needs an argument: -addr\n"},
		"a list without its value":   {[]string{"-phishlist"}, "server: flag needs an argument: -phishlist\n"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			cmd := program(t, c.args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Run(), &exit)
			require.Equal(t, 2, exit.ExitCode())
			require.Equal(t, c.told, stderr.String())
		})
	}
}

func TestHelpIsNoError(t *testing.T) {
	t.Parallel()
	cmd := program(t, "-help")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Run())
	require.Equal(t, 1, strings.Count(stderr.String(), "-base PATH"))
}

// TestTheSecondInterruptEndsAtOnce interrupts a server again and again while a
// request is under way that would take all of the grace.
func TestTheSecondInterruptEndsAtOnce(t *testing.T) {
	t.Parallel()
	s, process := startProcess(t, "-db", "memory", "-seed", writeFile(t, seed))
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = fmt.Fprint(client, "POST /api/v2/asset/changelog HTTP/1.1\r\nHost: test\r\nX-API-KEY: apg_globex\r\n"+
		"Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(client).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue", "the server waits for the body")

	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	// One by one: the Go runtime may fault at a flood of signals while it lets go of them.
	for range time.Tick(20 * time.Millisecond) {
		if process.Signal(os.Interrupt) != nil {
			break // the process is no more
		}
	}
	var exit *exec.ExitError
	require.ErrorAs(t, <-ended, &exit)
	require.Equal(t, syscall.SIGINT, exit.Sys().(syscall.WaitStatus).Signal(), "nothing was waited for")
}

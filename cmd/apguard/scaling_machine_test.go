package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	scalingFile = "docs/scaling.md"
	// databaseDirectory is the directory of a machine with PostgreSQL in the file.
	databaseDirectory = "/var/lib/postgresql/apguard"
)

// machines run the commands of the file with loopback addresses, which all belong to one computer.
type machines struct {
	// prepare is the first block, which each terminal of a machine with PostgreSQL needs.
	prepare string
	port    string
	// programs is the directory with the programs of PostgreSQL, and built that with those of apguard.
	programs, built string
	// connect sets the variables of the machines with apguard.
	connect string
}

// newMachines skips the test if programs are not installed.
func newMachines(t *testing.T) *machines {
	t.Helper()
	requirePrograms(t, "psql")
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skip("NOT RUN: the package postgresql of Debian is not installed")
	}
	if os.Getuid() == 0 {
		requirePrograms(t, "runuser")
	}
	return &machines{port: freePort(t), programs: filepath.Dir(slices.Max(found)), built: t.TempDir()}
}

// here replaces the addresses and ports in a text of the file.
func (m *machines) here(text string) string {
	return strings.NewReplacer("192.0.2.", "127.0.0.", "5432", m.port, ":8080", ":0", ":8082", ":0", ":9090", ":0",
		"/usr/lib/postgresql/15/bin", m.programs, "-o .", "-o "+m.built).Replace(text)
}

// shell runs commands on a machine with apguard, and returns their output.
func (m *machines) shell(t *testing.T, commands string) string {
	t.Helper()
	return shell(t, m.built, m.connect+m.here(commands))
}

// serve starts a server. Its command is a line of the file.
func (m *machines) serve(t *testing.T, command string) server {
	t.Helper()
	cmd := m.program(t, command)
	cmd.Stderr = t.Output()
	s, _ := startProgram(t, cmd)
	return s
}

// mirror starts a mirror, and returns its base URL when it is filled.
func (m *machines) mirror(t *testing.T, command string) string {
	t.Helper()
	cmd, log := m.program(t, command), new(lockedBuffer)
	cmd.Stderr = log
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "the mirror is filled") }, time.Minute, time.Millisecond, log)
	return "http://" + regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(log.String())[1]
}

// program returns a command that ends with the test.
func (m *machines) program(t *testing.T, command string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", m.connect+"exec "+m.here(command))
	cmd.Dir = m.built
	t.Cleanup(func() { _ = cmd.Wait() })
	return cmd
}

// databaseMachine is a machine with PostgreSQL.
type databaseMachine struct {
	*machines
	directory string
}

// newDatabase returns a machine whose PostgreSQL ends with the test.
func (m *machines) newDatabase(t *testing.T) databaseMachine {
	t.Helper()
	// t.TempDir is closed to the user postgres. The commands create the directory.
	d := databaseMachine{m, filepath.Join(os.TempDir(), fmt.Sprintf("apguard-scaling-%d", rand.Uint64()))}
	t.Cleanup(func() {
		if _, err := os.Stat(filepath.Join(d.directory, "data/postmaster.pid")); err == nil {
			require.NoError(t, d.try(t, "pg_ctl -D data -m immediate -w stop"))
		}
		require.NoError(t, os.RemoveAll(d.directory))
	})
	return d
}

// run runs commands of the file as the user postgres, unless the test has another user than root.
func (d databaseMachine) run(t *testing.T, commands string) {
	t.Helper()
	require.NoError(t, d.try(t, commands), commands)
}

func (d databaseMachine) try(t *testing.T, commands string) error {
	t.Helper()
	commands = strings.ReplaceAll(d.here(d.prepare+"\n"+commands), databaseDirectory, d.directory)
	args := []string{"sh", "-e", "-c", commands}
	if os.Getuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...) //nolint:noctx // it also stops the server after the test
	cmd.Dir = os.TempDir()
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	return cmd.Run()
}

// freePort returns a port that no address of the machine uses. It is below those that the system
// assigns, which an outgoing connection could take.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(20_000 + rand.IntN(12_000))
		if listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":"+port); err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
}

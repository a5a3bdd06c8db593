package postgres_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine is one of the machines of a cluster. It has a directory and an address of its own.
type machine struct {
	*cluster
	number int
	ports  []string
	// processes are what start has started. Each has a process group.
	processes []*exec.Cmd
}

func newMachine(t *testing.T, number int, ports []string) *machine {
	t.Helper()
	m := &machine{cluster: newDirectory(t), number: number, ports: ports}
	member, err := os.ReadFile(filepath.Join(patroniFolder, "member.yml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir(), "member.yml"), []byte(m.here(string(member))), 0o644))
	t.Cleanup(func() {
		m.killProcesses()
		if log, err := os.ReadFile(m.log()); t.Failed() {
			t.Log(m.address(), err, "\n"+string(log))
		}
	})
	return m
}

func (m *machine) address() string { return fmt.Sprintf("127.0.0.%d", m.number) }

func (m *machine) log() string { return filepath.Join(m.dir(), "log") }

// here replaces the addresses, ports and directories in a text of the folder.
func (m *machine) here(text string) string {
	return strings.NewReplacer(
		"name=db1 address=192.0.2.1", fmt.Sprintf("name=db%d address=%s", m.number, m.address()),
		"192.0.2.", "127.0.0.", "2379", m.ports[0], "2380", m.ports[1], "5432", m.ports[2], "8008", m.ports[3],
		"/var/lib/postgresql/apguard", m.dir(), "/usr/lib/postgresql/15/bin", m.bin,
	).Replace(text)
}

// shell runs commands of the folder.
func (m *machine) shell(commands ...string) error {
	sh := cluster{bin: "/bin", data: m.data, credential: m.credential}
	return sh.run("sh", "-e", "-c", m.here(strings.Join(commands, " ")))
}

// start starts commands of the folder of which the last one does not end.
func (m *machine) start(t *testing.T, commands string) {
	t.Helper()
	log, err := os.OpenFile(m.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	cmd := exec.Command("sh", "-e", "-c", m.here(commands)) //nolint:noctx // killProcesses ends it with its children
	cmd.Dir = m.dir()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: m.credential, Setpgid: true}
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	require.NoError(t, log.Close())
	m.processes = append(m.processes, cmd)
}

// fail kills PostgreSQL and all other processes of the machine.
func (m *machine) fail(t *testing.T) {
	t.Helper()
	m.killProcesses() // first, because Patroni restarts PostgreSQL
	m.kill(t)
}

func (m *machine) killProcesses() {
	for _, cmd := range m.processes {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = cmd.Wait()
	}
	m.processes = nil
}

package postgres_test

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// patroniFolder describes a cluster for operators.
const patroniFolder = "../../docs/patroni"

// patroni is the cluster that the folder describes, with loopback addresses.
type patroni struct {
	// machines are three. The last one has no PostgreSQL.
	machines []*machine
	// commands are those of the description, in order.
	commands struct{ etcd, member, list, create, switchover, alone, again string }
	// dsn is the connection string for apguard.
	dsn string
}

// newPatroni starts a cluster that ends with the test. It skips the test if a program is not installed.
func newPatroni(t *testing.T) *patroni {
	t.Helper()
	for _, program := range []string{"etcd", "patroni", "patronictl", "psql"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not in the PATH: install the packages etcd-server, patroni and postgresql-client of Debian", program)
		}
	}
	p, ports := &patroni{}, freePorts(t, 4)
	for number := range 3 {
		p.machines = append(p.machines, newMachine(t, number+1, ports))
	}
	readme, err := os.ReadFile(filepath.Join(patroniFolder, "README.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1)
	places := []*string{
		&p.commands.etcd, &p.commands.member, &p.commands.list, &p.commands.create, &p.commands.switchover, &p.commands.alone, &p.commands.again,
	}
	require.Len(t, blocks, len(places))
	for i, place := range places {
		*place = strings.TrimSpace(string(blocks[i][1]))
	}
	p.dsn = p.machines[0].here(string(regexp.MustCompile("postgres://apguard:.*").Find(readme)))

	for _, m := range p.machines {
		p.start(t, m)
	}
	p.waitForStandby(t)
	require.NoError(t, p.machines[0].shell(p.commands.create))
	require.Eventually(t, func() bool { // the standby refuses connections until it also has the database
		store, err := postgres.Open(t.Context(), p.dsn, postgres.Options{})
		return err == nil && store.Close() == nil
	}, time.Minute, 10*time.Millisecond)
	return p
}

// start starts the programs of a machine.
func (p *patroni) start(t *testing.T, m *machine) {
	t.Helper()
	m.start(t, p.commands.etcd)
	if m.number < 3 {
		m.start(t, p.commands.member)
	}
}

// waitForStandby waits until the cluster has a standby that may replace the primary.
func (p *patroni) waitForStandby(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return p.machines[0].shell(p.commands.list, "| grep 'Sync Standby'") == nil },
		time.Minute, 100*time.Millisecond)
}

// primaryDSN returns the connection string for clients that do not ask for the primary by themselves.
func (p *patroni) primaryDSN(t *testing.T) string {
	t.Helper()
	return withParameter(t, p.dsn, "target_session_attrs", "read-write")
}

// members returns the machines with the primary and the standby.
func (p *patroni) members(t *testing.T) (primary, standby *machine) {
	t.Helper()
	primary, standby = p.machines[0], p.machines[1]
	if queryValue[string](t, p.primaryDSN(t), "SELECT host(inet_server_addr())") == standby.address() {
		primary, standby = standby, primary
	}
	return primary, standby
}

// freePorts returns ports that no address of the machine uses. They are below those that the
// system assigns, which an outgoing connection could take.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var ports []string
	for len(ports) < n {
		port := strconv.Itoa(20_000 + rand.IntN(12_000))
		if listener, err := net.Listen("tcp", ":"+port); err == nil { //nolint:noctx // it does not wait
			defer func() { require.NoError(t, listener.Close()) }()
			ports = append(ports, port)
		}
	}
	return ports
}

package deliver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// senderVariable is the environment variable that makes the test binary run a sender, as a process
// that can be killed. It contains the process's task.
const senderVariable = "APGUARD_TEST_SENDER"

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(senderVariable); ok {
		if err := runTask(text); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, "sender:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// The lines that a sender process prints.
const (
	lineReady = "ready"
	// lineLeaseLost says that a request took longer than its lease.
	lineLeaseLost = "lease lost"
)

// task is what a sender process is told.
type task struct {
	// Database is the file of an SQLite database or the URL of a PostgreSQL one.
	Database string
	// Began is when the clocks of all processes showed the same time as real ones.
	Began time.Time
}

// clockSpeed is how much faster the clock of a sender process runs than a real one, so that retries
// and leases take less time. A lease still takes much longer than a request.
const clockSpeed = 30

func (t task) clock() time.Time { return t.Began.Add(clockSpeed * time.Since(t.Began)) }

// service returns the service of the store with the clock of the task.
func (t task) service(store storage.Store) *webhook.Service {
	return webhook.NewService(store, store, store, webhook.Options{Clock: t.clock, AllowPrivate: true})
}

func (t task) open(ctx context.Context) (storage.Store, error) {
	if strings.HasPrefix(t.Database, "postgres") {
		return postgres.Open(ctx, t.Database, postgres.Options{})
	}
	return sqlite.Open(ctx, t.Database, sqlite.Options{})
}

// runTask sends until the process is killed, or the test that has started it ends.
func runTask(text string) error {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	store, err := t.open(ctx)
	if err != nil {
		return err
	}
	store = leaseWatch{store}
	sender := deliver.New(t.service(store), deliver.Options{
		Interval: 5 * time.Millisecond,
		OnEvent: func(e deliver.Event) {
			if e.Kind == deliver.EventFailed {
				_, _ = fmt.Fprintln(os.Stderr, "sender:", e.Err)
			}
		},
	})
	_, _ = fmt.Fprintln(os.Stdout, lineReady)
	if err := sender.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return store.Close()
}

// leaseWatch prints when a lease was lost.
type leaseWatch struct{ storage.Store }

func (l leaseWatch) UpdateEndpoint(ctx context.Context, id int64, update func(webhook.Endpoint) (webhook.Endpoint, error), entry audit.Entry) (webhook.Endpoint, error) {
	e, err := l.Store.UpdateEndpoint(ctx, id, update, entry)
	if errors.Is(err, webhook.ErrLeaseLost) {
		_, _ = fmt.Fprintln(os.Stdout, lineLeaseLost)
	}
	return e, err
}

// senderProcess is a process with a sender that is killed and started again.
type senderProcess struct {
	task task
	cmd  *exec.Cmd
	// printed ends when the process has.
	printed chan struct{}
	// leasesLost is the number of leases that the process and earlier ones have lost.
	leasesLost atomic.Int64
}

func startSender(t *testing.T, task task) *senderProcess {
	t.Helper()
	p := &senderProcess{task: task}
	p.start(t)
	return p
}

// start starts the process and waits until its store is open.
func (p *senderProcess) start(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(p.task)
	require.NoError(t, err)
	p.cmd = exec.CommandContext(t.Context(), os.Args[0])
	p.cmd.Env = append(os.Environ(), senderVariable+"="+string(text))
	p.cmd.Stderr = t.Output()
	_, err = p.cmd.StdinPipe() // it is closed if this process ends, however it does
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the sender must start")
	require.Equal(t, lineReady, lines.Text())
	p.printed = make(chan struct{})
	go func() {
		defer close(p.printed)
		for lines.Scan() {
			if lines.Text() == lineLeaseLost {
				p.leasesLost.Add(1)
			}
		}
	}()
}

// kill kills the process with SIGKILL and waits until it has ended.
func (p *senderProcess) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Kill())
	<-p.printed
	require.Error(t, p.cmd.Wait(), "the sender was killed")
}

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// childHeap holds the address at which the test wants to be told about the heap of
// the program, when the test binary is the program.
const childHeap = "APGUARD_TEST_SERVER_HEAP"

// tellHeap makes this process tell how many bytes of its heap are in use, once for
// each byte that it gets from the address. An empty address is nobody.
func tellHeap(address string) {
	if address == "" {
		return
	}
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		for {
			if _, err := conn.Read(make([]byte, 1)); err != nil {
				return // nobody wants to know any more
			}
			_ = binary.Write(conn, binary.BigEndian, heapInUse())
		}
	}()
}

// heapInUse returns how many bytes of the heap are in use. What lies in a sync.Pool
// is gone after two collections.
func heapInUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// observed is the program as a process of its own, of which the memory can be seen.
type observed struct {
	server
	process *os.Process
	heap    net.Conn
}

// startObserved starts the program, which ends with the test.
func startObserved(tb testing.TB, args ...string) observed {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
	cmd := program(tb, append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(cmd.Env, childHeap+"="+listener.Addr().String())
	log := new(bytes.Buffer)
	cmd.Stderr = log
	s, process := startProgram(tb, cmd)
	tb.Cleanup(func() {
		_ = process.Kill() // the end of the test's context may have been faster
		require.Error(tb, s.stop(), "the server was killed")
		if tb.Failed() {
			tb.Log(log)
		}
	})
	heap, err := listener.Accept()
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = heap.Close() })
	return observed{server: s, process: process, heap: heap}
}

// heapInUse returns how many MiB of the program's heap are in use.
func (o observed) heapInUse(tb testing.TB) float64 {
	tb.Helper()
	var inUse uint64
	_, err := o.heap.Write([]byte{0})
	require.NoError(tb, err)
	require.NoError(tb, binary.Read(o.heap, binary.BigEndian, &inUse))
	return float64(inUse) / (1 << 20)
}

// resident returns how many MiB of the program are in memory, and makes the kernel
// forget the most that there have been. A kernel that cannot forget tells a most
// that is too large, never one that is too small.
func (o observed) resident(tb testing.TB) float64 {
	tb.Helper()
	now := o.status(tb, "VmRSS")
	_ = os.WriteFile(o.proc("clear_refs"), []byte("5"), 0)
	return now
}

// mostResident returns the most MiB that were in memory since resident was called.
func (o observed) mostResident(tb testing.TB) float64 {
	tb.Helper()
	return o.status(tb, "VmHWM")
}

// status returns a field of the kernel's account of the process, in MiB. Where
// there is none, the test is skipped.
func (o observed) status(tb testing.TB, field string) float64 {
	tb.Helper()
	text, err := os.ReadFile(o.proc("status"))
	if err != nil {
		tb.Skipf("NOT RUN: only Linux tells how much memory a process has (%v)", err)
	}
	found := regexp.MustCompile(`(?m)^` + field + `:\s+(\d+) kB$`).FindSubmatch(text)
	require.NotNil(tb, found, "%s is not among the fields:\n%s", field, text)
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(tb, err)
	return kib / 1024
}

func (o observed) proc(file string) string {
	return fmt.Sprintf("/proc/%d/%s", o.process.Pid, file)
}

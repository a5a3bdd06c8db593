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

// childHeap is the environment variable with the address to which the program reports its
// heap size.
const childHeap = "APGUARD_TEST_SERVER_HEAP"

// serveHeapSize connects to an address and sends the bytes of heap in use, once for each
// byte that it receives. It does nothing if the address is empty.
func serveHeapSize(address string) {
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
				return // the test has ended
			}
			_ = binary.Write(conn, binary.BigEndian, heapInUse())
		}
	}()
}

// heapInUse returns the bytes of heap in use. Two collections empty each sync.Pool.
func heapInUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// measuredServer is a separate process of the program whose memory is measured.
type measuredServer struct {
	server
	process *os.Process
	heap    net.Conn
}

// startMeasured starts the program, which is killed at the end of the test.
func startMeasured(tb testing.TB, args ...string) measuredServer {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
	cmd := subprocess(tb, onFreePort("serve", args)...)
	cmd.Env = append(cmd.Env, childHeap+"="+listener.Addr().String())
	log := new(bytes.Buffer)
	cmd.Stderr = log
	s, process := startProgram(tb, cmd)
	tb.Cleanup(func() {
		_ = process.Kill() // the end of the test's context may have killed it
		require.Error(tb, s.stop(), "the server was killed")
		if tb.Failed() {
			tb.Log(log)
		}
	})
	heap, err := listener.Accept()
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = heap.Close() })
	return measuredServer{server: s, process: process, heap: heap}
}

// heapInUse returns the heap in use of the program in MiB.
func (o measuredServer) heapInUse(tb testing.TB) float64 {
	tb.Helper()
	var inUse uint64
	_, err := o.heap.Write([]byte{0})
	require.NoError(tb, err)
	require.NoError(tb, binary.Read(o.heap, binary.BigEndian, &inUse))
	return float64(inUse) / (1 << 20)
}

// resident returns the resident memory of the program in MiB, and resets its peak. If the
// kernel cannot reset it, mostResident is too large, never too small.
func (o measuredServer) resident(tb testing.TB) float64 {
	tb.Helper()
	now := o.status(tb, "VmRSS")
	_ = os.WriteFile(o.proc("clear_refs"), []byte("5"), 0)
	return now
}

// mostResident returns the peak of the resident memory in MiB since resident was called.
func (o measuredServer) mostResident(tb testing.TB) float64 {
	tb.Helper()
	return o.status(tb, "VmHWM")
}

// status returns a field of the process status in MiB. It skips the test if the system has
// none.
func (o measuredServer) status(tb testing.TB, field string) float64 {
	tb.Helper()
	text, err := os.ReadFile(o.proc("status"))
	if err != nil {
		tb.Skipf("NOT RUN: only Linux reports the memory of a process (%v)", err)
	}
	found := regexp.MustCompile(`(?m)^` + field + `:\s+(\d+) kB$`).FindSubmatch(text)
	require.NotNil(tb, found, "no field %s in:\n%s", field, text)
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(tb, err)
	return kib / 1024
}

func (o measuredServer) proc(file string) string {
	return fmt.Sprintf("/proc/%d/%s", o.process.Pid, file)
}

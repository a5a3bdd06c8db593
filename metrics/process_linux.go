package metrics

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// readProcess returns what this process takes, or nil if the system does not tell.
func readProcess() *process {
	var (
		usage syscall.Rusage
		files syscall.Rlimit
	)
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil || syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return nil
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return nil
	}
	sizes := bytes.Fields(statm)
	if len(sizes) < 2 {
		return nil
	}
	pages, err := strconv.ParseInt(string(sizes[1]), 10, 64)
	if err != nil {
		return nil
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	return &process{
		cpu:       time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
		memory:    pages * int64(os.Getpagesize()),
		openFiles: int64(len(open)) - 1, // one reads the folder
		maxFiles:  int64(min(files.Cur, 1<<53)),
	}
}

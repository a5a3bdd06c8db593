//go:build !unix && cgo

package sqlite_test

import "github.com/apguard/apguard/storage/internal/test/subprocess"

// umaskTasks returns the tasks that set the umask of their process.
func umaskTasks() map[string]subprocess.Task { return nil }

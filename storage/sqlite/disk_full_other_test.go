//go:build !linux && cgo

package sqlite_test

import "github.com/apguard/apguard/storage/internal/test/subprocess"

// diskTasks returns the tasks that mount disks.
func diskTasks() map[string]subprocess.Task { return nil }

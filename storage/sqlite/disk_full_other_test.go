//go:build !linux && cgo

package sqlite_test

import "github.com/apguard/apguard/storage/internal/subprocess"

// diskTasks are those that need disks of their own.
func diskTasks() map[string]subprocess.Task { return nil }

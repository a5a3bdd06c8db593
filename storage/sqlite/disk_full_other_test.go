//go:build !linux && cgo

package sqlite_test

// rolesOfDisks are those that need disks of their own.
func rolesOfDisks() map[string]role { return nil }

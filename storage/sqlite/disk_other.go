//go:build !linux && !darwin

package sqlite

// checkDisk does nothing, as systems report the space of a disk in different ways.
func checkDisk(string) error { return nil }

//go:build !linux && !darwin

package main

import (
	"math"
	"testing"
)

// openFiles returns how many files a process may have open: there is no such limit.
func openFiles(*testing.T) uint64 { return math.MaxUint64 }

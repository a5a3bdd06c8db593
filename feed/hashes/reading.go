package hashes

import (
	"runtime"
	"sync/atomic"
)

const (
	// maxReading is the number of bytes of responses beyond which clients share older ones.
	maxReading = 128 << 20
	// fewChanges is the number of changes in a difference that is always made. It has a few kilobytes.
	fewChanges = 1000
)

// reading counts the bytes of responses that are in use: those that clients still read, and those that are
// kept for others. A response that several clients share counts once. The zero value is ready to use.
type reading struct{ bytes atomic.Int64 }

// count counts a response until it is garbage, and returns it.
func (r *reading) count(response []byte) []byte {
	if len(response) > 0 {
		size := int64(len(response))
		r.bytes.Add(size)
		runtime.AddCleanup(&response[0], func(size int64) { r.bytes.Add(-size) }, size)
	}
	return response
}

// full reports whether there are too many.
func (r *reading) full() bool { return r.bytes.Load() > maxReading }

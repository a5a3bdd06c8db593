package limit

import "time"

// Pace is how slowly a client may send a body or read a response.
type Pace struct {
	// Timeout is the time that the client has for a part.
	Timeout time.Duration
	// MinRate is the number of bytes a second that it must send or accept on average, as soon as that
	// has taken longer than Timeout.
	MinRate int64
}

// TimeFor returns the time that the client has for the next part. total is the number of bytes
// with that part, and spent is the time that the parts before it have taken.
func (p Pace) TimeFor(total int64, spent time.Duration) time.Duration {
	// In seconds, because the rate may allow more time than a Duration can hold.
	timeout := p.Timeout.Seconds()
	whole := max(timeout, float64(total)/float64(p.MinRate))
	return time.Duration(min(timeout, whole-spent.Seconds()) * float64(time.Second))
}

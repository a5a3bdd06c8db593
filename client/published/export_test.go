package published

import "time"

// MinPace is minPace.
const MinPace = minPace

// TimeLeft returns the time that is left for a request with a timeout and a pace, which has taken a time for some bytes.
func TimeLeft(timeout time.Duration, pace, bytes int64, taken time.Duration) time.Duration {
	s := stall{limits: limits{timeout, pace}, bytes: bytes}
	return s.left(taken)
}

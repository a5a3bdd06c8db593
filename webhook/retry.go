package webhook

import "time"

const (
	// DisableAfter is how long an endpoint is tried without success until it is disabled.
	DisableAfter = 5 * 24 * time.Hour
	// maxDelay is the longest time between two attempts, without the jitter.
	maxDelay = 12 * time.Hour
	// jitterPart is the part of a delay that the jitter adds at most.
	jitterPart = 10
)

// delays returns the times until the next attempts after the first failures. All later ones are
// maxDelay.
func delays() []time.Duration {
	return []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour}
}

// retryDelay returns the time until the next attempt after that number of failures in a row. If
// the receiver said how long to wait, that counts instead, from the first delay to the longest
// one. The jitter, from 0 to 1, spreads attempts that failed at the same time.
func retryDelay(failures int, retryAfter time.Duration, jitter float64) time.Duration {
	schedule := delays()
	delay := maxDelay
	if failures <= len(schedule) {
		delay = schedule[max(failures, 1)-1]
	}
	if retryAfter > 0 {
		delay = min(max(retryAfter, schedule[0]), maxDelay)
	}
	return delay + time.Duration(jitter*float64(delay/jitterPart))
}

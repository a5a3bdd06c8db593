package limit

import (
	"net/http"
	"sync"
)

// bound limits an amount that is in use at the same time.
type bound[K comparable] struct {
	policy            string
	max, maxPerCaller int64

	mu        sync.Mutex
	total     int64
	perCaller map[K]int64
}

func newBound[K comparable](policy string, maximum, maxPerCaller int64) *bound[K] {
	return &bound[K]{policy: policy, max: maximum, maxPerCaller: maxPerCaller, perCaller: make(map[K]int64)}
}

// take adds amount to what the caller uses, unless that exceeds a limit.
func (b *bound[K]) take(caller K, amount int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	used := b.perCaller[caller]
	switch {
	case used+amount > b.maxPerCaller:
		refusal := &Error{Policy: b.policy}
		if b.policy != PolicyBodies { // not a number of requests
			refusal.Quota = b.maxPerCaller
		}
		return refusal
	case b.total+amount > b.max:
		return &Error{Policy: b.policy, Status: http.StatusServiceUnavailable}
	}
	b.total += amount
	b.perCaller[caller] = used + amount
	return nil
}

// giveBack subtracts an amount that the caller has taken.
func (b *bound[K]) giveBack(caller K, amount int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total -= amount
	b.perCaller[caller] -= amount
	if b.perCaller[caller] == 0 {
		delete(b.perCaller, caller)
	}
}

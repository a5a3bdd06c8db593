package httpapi

import (
	"net/http"
	"sync"
)

// bound limits an amount that is in use at once, with a server-wide and a per-caller limit.
type bound[K comparable] struct {
	max, maxPerCaller int64

	mu        sync.Mutex
	total     int64
	perCaller map[K]int64
}

func newBound[K comparable](maximum, maxPerCaller int64) *bound[K] {
	return &bound[K]{max: maximum, maxPerCaller: maxPerCaller, perCaller: make(map[K]int64)}
}

// excess says which limit of a bound would be exceeded.
type excess int

const (
	noExcess excess = iota
	excessOfCaller
	excessOfServer
)

// refusal returns the error for an amount beyond a limit of that name: 429 beyond the
// per-caller limit, and 503 beyond the server-wide limit. quota is the number of requests that
// one caller may make at the same time, or 0 if the limit is not a number of requests.
func (e excess) refusal(policy string, quota int64) *LimitError {
	if e == excessOfCaller {
		return &LimitError{Policy: policy, Quota: quota}
	}
	return &LimitError{Policy: policy, Status: http.StatusServiceUnavailable}
}

// take adds amount to what the caller uses, unless that exceeds a limit.
func (b *bound[K]) take(caller K, amount int64) excess {
	b.mu.Lock()
	defer b.mu.Unlock()
	used := b.perCaller[caller]
	switch {
	case used+amount > b.maxPerCaller:
		return excessOfCaller
	case b.total+amount > b.max:
		return excessOfServer
	}
	b.total += amount
	b.perCaller[caller] = used + amount
	return noExcess
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

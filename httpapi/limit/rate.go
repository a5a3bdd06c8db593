package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// ErrOptions reports that [RateOptions] are invalid.
var ErrOptions = errors.New("invalid limit options")

// rememberedClients is how many callers or clients a Rate remembers at most.
const rememberedClients = 16_384

// RateOptions are the settings of a [Rate]. The zero value limits nothing.
type RateOptions struct {
	// Rate is the number of requests a second that a caller may make on average. 0 means no
	// limit.
	Rate float64
	// Burst is the number of requests that a caller may make at once. 0 means those of one
	// second.
	Burst int
	// FailedRate and FailedBurst are the same for failed authentications of a client address.
	// They limit the work for credentials that are invalid, not how many can be guessed: see
	// [Failures]. If httpapi.Options.ClientAddr does not tell the clients apart, as behind a
	// proxy that it does not know, all of them wait for each other while one has exceeded the
	// limit.
	FailedRate  float64
	FailedBurst int
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
}

// Rate limits the rate of each caller's requests and of each client's failed
// authentications. It is an [Admission] and a [Failures]. It keeps its counts in memory, so
// that each process has limits of its own.
//
// The clients of one IPv6 network of 64 bits share a limit, as do all clients without an
// address. It remembers at least the last 8,192 callers and clients, and 16,384 at most. A
// caller that it no longer remembers starts again with its whole burst.
type Rate struct {
	requests limiters[string]
	failed   limiters[netip.Addr]
	clock    func() time.Time
}

// NewRate returns a Rate. It returns an error that matches [ErrOptions] if a rate
// or a burst is negative, or above 2^31-1.
func NewRate(opts RateOptions) (*Rate, error) {
	for _, value := range []float64{opts.Rate, float64(opts.Burst), opts.FailedRate, float64(opts.FailedBurst)} {
		if math.IsNaN(value) || value < 0 || value > math.MaxInt32 {
			return nil, fmt.Errorf("%w: rates and bursts must be from 0 to %d", ErrOptions, math.MaxInt32)
		}
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Rate{
		requests: newLimiters[string](PolicyRate, opts.Rate, opts.Burst),
		failed:   newLimiters[netip.Addr](PolicyFailedRate, opts.FailedRate, opts.FailedBurst),
		clock:    opts.Clock,
	}, nil
}

// Admit implements [Admission].
func (l *Rate) Admit(_ context.Context, req Request) (release func(), err error) {
	if !l.requests.enabled() {
		return nil, nil
	}
	now := l.clock()
	limiter := l.requests.of(req.Caller)
	if limiter.AllowN(now, 1) {
		return nil, nil
	}
	return nil, l.requests.refusal(limiter, now)
}

// Allow implements [Failures].
func (l *Rate) Allow(_ context.Context, client netip.Addr) error {
	if !l.failed.enabled() {
		return nil
	}
	limiter, known := l.failed.lookUp(Network(client))
	if now := l.clock(); known && limiter.TokensAt(now) < 1 {
		return l.failed.refusal(limiter, now)
	}
	return nil
}

// Failed implements [Failures].
func (l *Rate) Failed(_ context.Context, client netip.Addr) {
	if l.failed.enabled() {
		l.failed.of(Network(client)).AllowN(l.clock(), 1)
	}
}

// limiters has the limiters of those that were limited last. It forgets in two generations:
// when the recent one is full, it becomes the older one.
type limiters[K comparable] struct {
	policy string
	rate   rate.Limit
	burst  int

	mu            sync.Mutex
	recent, older map[K]*rate.Limiter
}

func newLimiters[K comparable](policy string, limit float64, burst int) limiters[K] {
	if burst == 0 {
		burst = int(math.Ceil(limit))
	}
	return limiters[K]{policy: policy, rate: rate.Limit(limit), burst: burst, recent: make(map[K]*rate.Limiter)}
}

func (l *limiters[K]) enabled() bool { return l.rate > 0 }

// lookUp returns the limiter of a key, and reports whether there is one.
func (l *limiters[K]) lookUp(key K) (*rate.Limiter, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, known := l.recent[key]
	if !known {
		limiter, known = l.older[key]
	}
	return limiter, known
}

// of returns the limiter of a key.
func (l *limiters[K]) of(key K) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limiter := l.recent[key]; limiter != nil {
		return limiter
	}
	limiter := l.older[key]
	if limiter == nil {
		limiter = rate.NewLimiter(l.rate, l.burst)
	}
	if len(l.recent) == rememberedClients/2 {
		l.recent, l.older = make(map[K]*rate.Limiter), l.recent
	}
	l.recent[key] = limiter
	return limiter
}

// refusal returns the error for a limiter that has no token left.
func (l *limiters[K]) refusal(limiter *rate.Limiter, now time.Time) *Error {
	missing := 1 - limiter.TokensAt(now)
	return &Error{
		Policy:     l.policy,
		Quota:      int64(l.burst),
		Window:     seconds(float64(l.burst) / float64(l.rate)),
		RetryAfter: seconds(missing / float64(l.rate)),
	}
}

// seconds returns a number of seconds as a Duration, as far as that is possible.
func seconds(n float64) time.Duration {
	return time.Duration(min(n*float64(time.Second), math.MaxInt64/2))
}

// Failures limits failed authentication by the address of the client. It is called
// concurrently.
//
// Strangers can share the address of a client with valid credentials, for example behind a proxy.
// So the credentials of a client that has exceeded the limit are looked up nevertheless, but one
// by one. Valid ones are accepted.
type Failures interface {
	// Allow is called before the credentials are looked up. It returns an [*Error] if the
	// client has exceeded the limit. It is the answer if the credentials are invalid. Any other
	// error is answered like that of an httpapi.Authenticator that fails.
	Allow(ctx context.Context, client netip.Addr) error
	// Failed records that a client had no valid credentials. It is not called if Allow has
	// returned an error.
	Failed(ctx context.Context, client netip.Addr)
}

// Network returns the address by which a client is limited. The clients of one IPv6 network of 64 bits
// count as one, because each of them can use every address of it. Anonymous callers are named by it in
// [Request].
func Network(client netip.Addr) netip.Addr {
	if client.Is4() || !client.IsValid() {
		return client
	}
	return netip.PrefixFrom(client, 64).Masked().Addr()
}

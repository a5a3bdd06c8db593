// Package deliver sends the messages of webhooks. A [Sender] follows the events for all endpoints of
// a [webhook.Service]:
//
//	sender := deliver.New(guard.Webhooks, deliver.Options{})
//	go sender.Run(ctx)
//
// Several servers can run a sender on one store. Each message is sent by one of them, and by
// another one only if that one is killed or cannot store the outcome. A sender on a store that only
// reads sends nothing.
//
// A receiver cannot make the sender reach the network of its server: connections to addresses that
// are not public are refused when they are made, whatever a name resolved to before. Redirections
// are not followed. Of a response, only its status code counts.
package deliver

import (
	"cmp"
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/apguard/apguard/webhook"
)

// The defaults of [Options].
const (
	DefaultInterval    = time.Second
	DefaultTimeout     = 15 * time.Second
	DefaultConcurrency = 256
)

// Options are the optional settings of a [Sender]. The zero value is valid.
type Options struct {
	// Interval is the time between two looks for events. If it is not positive, it is
	// [DefaultInterval].
	Interval time.Duration
	// Timeout is how long a request may take, from the look-up of the host to the end of the
	// response. If it is not positive or longer than [DefaultTimeout], it is DefaultTimeout.
	Timeout time.Duration
	// Concurrency is the largest number of requests at the same time, beside those to receivers that
	// take longer than a fifth of a second to answer, of which there are at most four times as many.
	// Endpoints that have failed before take at most half of Concurrency. If it is not positive, it
	// is [DefaultConcurrency].
	Concurrency int
	// OnEvent is called for each event. It must be safe for concurrent use. Nil ignores the events.
	OnEvent func(Event)
	// RootCAs verify the certificates of receivers. Nil means those of the system.
	RootCAs *x509.CertPool
	// Resolver looks up hosts. Nil means net.DefaultResolver.
	Resolver *net.Resolver
	// Proxy returns the proxy for a request, as in [http.Transport]. The proxy must then refuse
	// addresses that are not public, because the sender connects only to the proxy. Outcomes then say
	// more of receivers that are not public than that they cannot be reached. Nil means none; the
	// environment has no effect.
	Proxy func(*http.Request) (*url.URL, error)
}

// Sender sends the messages of all endpoints. [New] returns one, and [Sender.Run] sends. It is
// safe for concurrent use.
type Sender struct {
	webhooks *webhook.Service
	options  Options
	client   *http.Client
	// public is webhook.Public, unless a test replaces it.
	public func(netip.Addr) bool
	// turnTime is the constant, unless a test replaces it.
	turnTime time.Duration
	reader   *reader
	memory   *memory
	slots    *slots
	wake     chan struct{}
}

// New returns a Sender for the endpoints of the service.
func New(webhooks *webhook.Service, opts Options) *Sender {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.Timeout = min(cmp.Or(max(opts.Timeout, 0), DefaultTimeout), DefaultTimeout)
	opts.Concurrency = cmp.Or(max(opts.Concurrency, 0), DefaultConcurrency)
	if opts.OnEvent == nil {
		opts.OnEvent = func(Event) {}
	}
	s := &Sender{
		webhooks: webhooks,
		options:  opts,
		public:   webhook.Public,
		turnTime: turnTime,
		memory:   newMemory(),
		slots:    newSlots(opts.Concurrency),
		wake:     make(chan struct{}, 1),
	}
	s.reader = newReader(webhooks, s.memory)
	s.client = s.newClient()
	return s
}

// Wake makes [Sender.Run] look for events and at all endpoints now instead of at the end of the
// interval. It does not wait for that. Call it when the process knows of an event.
func (s *Sender) Wake() {
	s.memory.miss()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Test sends a test message to the endpoint, whatever its state is, and returns what operators are
// told of the outcome; see [webhook.Outcome.Told]. It stores nothing. The error is that of reading the
// endpoint, such as [webhook.ErrNotFound].
func (s *Sender) Test(ctx context.Context, id int64) (webhook.Outcome, error) {
	attempt, err := s.webhooks.TestAttempt(ctx, id)
	if err != nil {
		return webhook.Outcome{}, err
	}
	return s.send(ctx, attempt).Told(), nil
}

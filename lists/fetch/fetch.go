// Package fetch fetches the files of lists that have a URL, and syncs the lists with them. A [Fetcher]
// does that for all lists of a [lists.Service]:
//
//	fetcher := fetch.New(guard.Lists, fetch.Options{})
//	go fetcher.Run(ctx)
//
// Several servers can run a fetcher on one store. Each list is fetched by one of them at a time.
//
// A list changes only after its file was received whole: one that breaks off, is too large or takes too long changes
// nothing. A server of lists cannot make the fetcher reach the network of its own server: connections to addresses that
// are not public are refused when they are made, whatever a name resolved to before, and so are those of redirections.
package fetch

import (
	"cmp"
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/apguard/apguard/internal/outbound"
	"github.com/apguard/apguard/lists"
)

// The defaults of [Options].
const (
	DefaultInterval = 10 * time.Second
	DefaultTimeout  = 5 * time.Minute
	DefaultMaxBytes = 256 << 20
)

// Options are the optional settings of a [Fetcher]. The zero value is valid.
type Options struct {
	// Interval is the time between two looks for lists to fetch. If it is not positive, it is [DefaultInterval].
	Interval time.Duration
	// Timeout is how long a file may take, from the look-up of the host to its last byte. If it is not positive or
	// longer than [DefaultTimeout], it is DefaultTimeout.
	Timeout time.Duration
	// MaxBytes is the maximum size of a file, after it was decompressed. If it is not positive, it is
	// [DefaultMaxBytes].
	MaxBytes int64
	// OnEvent is called for each event. It must be safe for concurrent use. Nil ignores the events.
	OnEvent func(Event)
	// RootCAs verify the certificates of servers. Nil means those of the system.
	RootCAs *x509.CertPool
	// Resolver looks up hosts. Nil means net.DefaultResolver.
	Resolver *net.Resolver
	// Proxy returns the proxy for a request, as in [http.Transport]. The proxy must then refuse addresses that are not
	// public, because the fetcher connects only to the proxy. Nil means none; the environment has no effect.
	Proxy func(*http.Request) (*url.URL, error)
}

// Fetcher fetches the files of lists. [New] returns one, and [Fetcher.Run] fetches. It is safe for concurrent use.
type Fetcher struct {
	lists   *lists.Service
	options Options
	client  *http.Client
	// public is outbound.Public, unless a test replaces it.
	public func(netip.Addr) bool
}

// New returns a Fetcher for the lists of the service.
func New(service *lists.Service, opts Options) *Fetcher {
	opts.Interval = cmp.Or(max(opts.Interval, 0), DefaultInterval)
	opts.Timeout = min(cmp.Or(max(opts.Timeout, 0), DefaultTimeout), DefaultTimeout)
	opts.MaxBytes = cmp.Or(max(opts.MaxBytes, 0), DefaultMaxBytes)
	if opts.OnEvent == nil {
		opts.OnEvent = func(Event) {}
	}
	f := &Fetcher{lists: service, options: opts, public: outbound.Public}
	f.client = f.newClient()
	return f
}

// FetchNow is [lists.Service.Sync] with the file of the URL of the list, even if the list is not due and its file has not
// changed. It uses the other fields of the request than those of the file. If the file is not received, nothing is kept with
// the list.
//
// The error is [lists.ErrNoURL], [lists.ErrNotFound], an [*Error], or one of Sync.
func (f *Fetcher) FetchNow(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error) {
	list, err := f.lists.Get(ctx, req.Name)
	switch {
	case err != nil:
		return lists.SyncResult{}, err
	case list.Removing:
		return lists.SyncResult{}, lists.ErrNotFound
	case list.URL == "":
		return lists.SyncResult{}, lists.ErrNoURL
	}
	list.ETag, list.LastModified = "", "" // to receive the file in any case
	_, result, err := f.fetch(ctx, list, req)
	return result, err
}

// fetch fetches the file of the list, which is as it was stored, and syncs the list with it. unchanged says that the list has
// that file already.
func (f *Fetcher) fetch(ctx context.Context, list lists.List, req lists.SyncRequest) (unchanged bool, result lists.SyncResult, err error) {
	got, err := f.receive(ctx, list)
	switch {
	case err != nil && !req.Scheduled:
		return false, lists.SyncResult{}, err
	case err != nil:
		return false, lists.SyncResult{}, f.lists.Fail(ctx, list, err)
	case got.file == nil:
		return true, lists.SyncResult{}, f.lists.Unchanged(ctx, list)
	}
	defer got.remove()
	req.Name, req.File, req.Known, req.ETag, req.LastModified = list.Name, got.file, &list, got.etag, got.lastModified
	result, err = f.lists.Sync(ctx, req)
	return false, result, err
}

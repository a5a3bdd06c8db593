package main

import (
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
)

// The limits on failed authentications of a client address. Valid keys are accepted beyond them.
const (
	failedRate  = 10
	failedBurst = 100
)

// maxRate is the maximum of the limits on requests.
const maxRate = math.MaxInt32

// limits are the limits on the requests of each client.
type limits struct {
	// rate is the number of requests a second of one key, or 0 for no limits.
	rate  float64
	burst int
	// proxies are the addresses whose X-Forwarded-For header is trusted.
	proxies prefixes
}

// setOptions adds the limits to the options of the API, with those that keep some connections free of the
// given number.
func (l limits) setOptions(opts *httpapi.Options, connections int) error {
	// With a quarter of MaxRequests for refused ones, they take 33 of 40 connections.
	opts.MaxRequests = int64(max(connections/2, 1))
	opts.MaxWaiting = int64(max(connections/5, 1))
	if len(l.proxies) > 0 {
		opts.ClientAddr = httpapi.TrustProxies(l.proxies...)
	}
	if l.rate == 0 {
		return nil
	}
	rate, err := limit.NewRate(limit.RateOptions{
		Rate: l.rate, Burst: l.burst, FailedRate: failedRate, FailedBurst: failedBurst,
	})
	if err != nil {
		return err
	}
	opts.Admission, opts.Failures = []limit.Admission{rate}, rate
	return nil
}

// warnOfProxy logs a warning at the first request that a proxy has forwarded, if no proxy is
// trusted. All clients then have the address of the proxy, and share one limit.
func (l limits) warnOfProxy(next http.Handler, logger *slog.Logger) http.Handler {
	if len(l.proxies) > 0 {
		return next
	}
	var warned atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" && !warned.Swap(true) {
			logger.WarnContext(r.Context(), "requests seem to come through a proxy; set -trust-proxy, or its clients share the limits of one client address")
		}
		next.ServeHTTP(w, r)
	})
}

// prefixes is a flag with IP addresses and prefixes, separated by commas.
type prefixes []netip.Prefix

// String implements cli.Value.
func (p *prefixes) String() string {
	texts := make([]string, len(*p))
	for i, prefix := range *p {
		texts[i] = prefix.String()
	}
	return strings.Join(texts, ",")
}

// Get implements cli.Value.
func (p *prefixes) Get() any { return *p }

// Set implements cli.Value.
func (p *prefixes) Set(text string) error {
	*p = nil
	for part := range strings.SplitSeq(text, ",") {
		prefix, err := parsePrefix(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*p = append(*p, prefix)
	}
	return nil
}

func parsePrefix(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	switch {
	case err != nil || prefix.Addr().Is4In6():
		return netip.Prefix{}, errors.New("must be IP addresses or prefixes such as 10.0.0.0/8, separated by commas")
	case prefix.Bits() == 0:
		return netip.Prefix{}, errors.New("must not trust all addresses, as each client could then choose its own")
	}
	return prefix.Masked(), nil
}

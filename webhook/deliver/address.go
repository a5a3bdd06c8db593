package deliver

import (
	"context"
	"errors"
	"net/http/httptrace"
	"net/netip"
	"sync/atomic"
	"syscall"
)

// errAddress reports that an address is not public.
var errAddress = errors.New("address is not public")

// checkAddress refuses a connection to an address that is not public, unless the service allows it. The
// dialer calls it with the address to which it connects, after the host was looked up.
func (s *Sender) checkAddress(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if s.isPublic(address) {
		return nil
	}
	if !s.webhooks.AllowPrivate() {
		return errAddress
	}
	if to, ok := ctx.Value(targetKey{}).(*target); ok {
		to.private.Store(true)
	}
	return nil
}

// isPublic reports whether an address with a port is public.
func (s *Sender) isPublic(address string) bool {
	to, err := netip.ParseAddrPort(address)
	return err == nil && s.public(to.Addr())
}

// target is where a request goes. It is in the context of the request under targetKey.
type target struct {
	// private says that an address to which the request connects is not public.
	private atomic.Bool
}

type targetKey struct{}

// observe returns a context with which requests note where they go. They may connect, or use a
// connection of another request.
func (s *Sender) observe(ctx context.Context) (context.Context, *target) {
	to := new(target)
	ctx = context.WithValue(ctx, targetKey{}, to)
	if s.options.Proxy != nil {
		return ctx, to // its address is not that of the receiver
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if !s.isPublic(got.Conn.RemoteAddr().String()) {
			to.private.Store(true)
		}
	}}), to
}

package limit

import (
	"context"
	"net/netip"
)

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

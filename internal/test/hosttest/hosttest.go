// Package hosttest gives tests names of hosts.
package hosttest

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Resolver returns a resolver for which hosts have the addresses that the function returns.
func Resolver(t *testing.T, addresses func(host string) []netip.Addr) *net.Resolver {
	t.Helper()
	server, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		query := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(answer(query[:n], addresses), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// answer answers a query for A or AAAA with the addresses of that family.
func answer(query []byte, addresses func(host string) []netip.Addr) []byte {
	const header = 12
	var labels []string
	end := header
	for end < len(query) && query[end] != 0 {
		next := end + int(query[end]) + 1
		labels = append(labels, string(query[end+1:next]))
		end = next
	}
	question := query[header : end+5]
	answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
	asked := binary.BigEndian.Uint16(question[len(question)-4:])
	for _, address := range addresses(strings.Join(labels, ".")) {
		kind, size := byte(1), byte(4)
		if address.Is6() {
			kind, size = 28, 16
		}
		if asked == uint16(kind) {
			answer[7]++
			answer = append(answer, 0xc0, header, 0, kind, 0, 1, 0, 0, 0, 0, 0, size)
			answer = append(answer, address.AsSlice()...)
		}
	}
	return answer
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The keys of a hostileSeed besides hostileKey: more of the same organization, and one of each of many others.
const (
	moreHostileKeys       = 250
	hostileOrganizations  = 64
	hostileKeyOf          = "apg_evil-%d"
	hostileOrganizationOf = "evil-%d"
)

// slowAttacks returns attacks with connections that do next to nothing. Half of their clients, with which
// tests attack, are still more than a server has connections for.
func slowAttacks() []attack {
	const clients = 2400
	slowBody := func(key func(number int) string, more string) func(context.Context, *attacker) {
		return func(ctx context.Context, a *attacker) {
			head := strings.Replace(string(hostileHead("/asset/check", more)), hostileKey, key(a.number), 1)
			a.trickle(ctx, head, "1\r\n \r\n", 1500*time.Millisecond)
		}
	}
	one := func(int) string { return hostileKey }
	ofOne := func(number int) string { return fmt.Sprintf(hostileKeyOf, number%moreHostileKeys) }
	ofMany := func(number int) string {
		return fmt.Sprintf(hostileKeyOf, moreHostileKeys+number%hostileOrganizations)
	}
	none := func(int) string { return "apg_none" }
	return []attack{
		{name: "2400 connections that send nothing", clients: clients, attempt: trickleHead("", "", time.Hour)},
		{name: "2400 heads byte by byte", clients: clients, attempt: trickleHead("GET /livez HTTP/1.1\r\nHost: test\r\nX-A: ", "a", time.Second)},
		{name: "2400 bodies byte by byte", clients: clients, attempt: slowBody(one, "Content-Length: 60000\r\n")},
		{name: "2400 chunked bodies of one byte", clients: clients, attempt: slowBody(one, "Transfer-Encoding: chunked\r\n")},
		{name: "2400 slow bodies with 250 keys of one organization", clients: clients, attempt: slowBody(ofOne, "Content-Length: 60000\r\n")},
		{name: "2400 slow bodies with keys of 64 organizations", clients: clients, attempt: slowBody(ofMany, "Content-Length: 60000\r\n")},
		{name: "2400 slow bodies without a key", clients: clients, attempt: slowBody(none, "Content-Length: 60000\r\n")},
		{name: "2400 bodies of unknown operations", clients: clients, attempt: trickleHead("POST /livez HTTP/1.1\r\nHost: test\r\nContent-Length: 60000\r\n\r\n", "a", time.Second)},
		{name: "2400 bodies that are expected", clients: clients, attempt: slowBody(one, "Content-Length: 60000\r\nExpect: 100-continue\r\n")},
		{name: "2400 bodies of HTTP/1.0", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			a.trickle(ctx, strings.Replace(string(hostileHead("/asset/check", "Content-Length: 60000\r\n")), "HTTP/1.1", "HTTP/1.0", 1), " ", time.Second)
		}},
		{name: "2400 waiting followers with 250 keys of one organization", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			a.send(ctx, []byte(strings.Replace(string(hostileGet("/asset/feed?wait=30&cursor="+a.cursor)), hostileKey, ofOne(a.number), 1)))
		}, stores: true},
		{name: "2400 readers of the feed with 250 keys of one organization", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			a.send(ctx, []byte(strings.Replace(string(hostileGet("/asset/feed?limit=1000")), hostileKey, ofOne(a.number), 1)))
		}, stores: true},
		{name: "2400 probes", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			a.send(ctx, []byte("GET "+readyPath+" HTTP/1.1\r\nHost: test\r\n\r\n"))
		}, stores: true},
		{name: "2400 readers of one byte a second", clients: clients, attempt: readByteByByte(hostileGet("/openapi.json"))},
		{name: "2400 readers of hash lists, one byte a second", clients: clients, attempt: readByteByByte([]byte("GET /api/v2/asset/hashes HTTP/1.1\r\nHost: test\r\n\r\n")), lists: true},
		{name: "2400 pipelines that are not read", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			readByteByByte([]byte(strings.Repeat(string(hostileGet("/openapi.json"))+"GET /livez HTTP/1.1\r\nHost: test\r\n\r\n", 100)))(ctx, a)
		}},
		{name: "2400 readers of MetaMask's lists, one byte a second", clients: clients, attempt: func(ctx context.Context, a *attacker) {
			a.addr = a.phishing
			path := "/v2/diffsSince/" + strconv.Itoa(a.number)
			readByteByByte([]byte("GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"))(ctx, a)
		}, lists: true},
		{name: "19000 connections", clients: 19_000, attempt: sendHalfHead},
	}
}

// trickle sends the head of a request and then a part after each pause, until the server answers or closes
// the connection.
func (a *attacker) trickle(ctx context.Context, head, part string, pause time.Duration) {
	conn, release := a.dial(ctx)
	defer release()
	if conn == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, _ = conn.Write([]byte(head))
	a.begun()
	go func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for err := error(nil); err == nil; _, err = conn.Write([]byte(part)) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	a.countStatus(ctx, conn)
}

func trickleHead(head, part string, pause time.Duration) func(context.Context, *attacker) {
	return func(ctx context.Context, a *attacker) { a.trickle(ctx, head, part, pause) }
}

// readByteByByte sends requests and reads a byte of the responses each second, with a small receive buffer.
func readByteByByte(requests []byte) func(context.Context, *attacker) {
	return func(ctx context.Context, a *attacker) {
		conn, release := a.dial(ctx)
		defer release()
		if conn == nil {
			return
		}
		_ = conn.SetReadBuffer(1 << 10)
		_, _ = conn.Write(requests)
		a.begun()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		one := make([]byte, 1)
		for err := error(nil); err == nil; _, err = conn.Read(one) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}
}

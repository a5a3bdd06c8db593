package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
)

// A key of the demo is recognized by its organization, if it has one, and its name. A key that replaces it in
// a rotation has both too.
const (
	demoOrganization = 1
	demoKeyName      = "apguard-demo"
)

// isLoopback reports whether only programs on this machine can reach the listener, which can be nil.
func isLoopback(listener net.Listener) bool {
	if listener == nil {
		return true
	}
	addr, ok := listener.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// refuseDemoKeys returns an error if a key of the demo works. Everybody who has seen the
// output of the first start knows it.
func refuseDemoKeys(ctx context.Context, keys *account.KeyService, db database) error {
	now := time.Now()
	var commands []string
	for _, organization := range []int64{demoOrganization, 0} { // that of the operator has none
		all, err := keys.List(ctx, organization)
		if err != nil {
			return err
		}
		for _, key := range all {
			if key.Name == demoKeyName && key.Usable(now) == nil {
				commands = append(commands, "apguard keys revoke"+db.argument()+" "+key.Fingerprint())
			}
		}
	}
	if len(commands) == 0 {
		return nil
	}
	return fmt.Errorf("keys of the demo work, so -addr and -operator must be loopback addresses without a -trust-proxy; or revoke the keys first: %s", strings.Join(commands, " && "))
}

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
)

// The demo's key is recognized by its organization and name. A key that replaces it in a
// rotation has both too.
const (
	demoOrganization = 1
	demoKeyName      = "apguard-demo"
)

// isLoopback reports whether only programs on this machine can reach the listener.
func isLoopback(listener net.Listener) bool {
	addr, ok := listener.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// refuseDemoKeys returns an error if a key of the demo works. Everybody who has seen the
// output of the first start knows it.
func refuseDemoKeys(ctx context.Context, keys *account.KeyService, db database) error {
	inDemo, err := keys.List(ctx, demoOrganization)
	if err != nil {
		return err
	}
	now := time.Now()
	inDemo = slices.DeleteFunc(inDemo, func(key account.Key) bool { return key.Name != demoKeyName || key.Usable(now) != nil })
	if len(inDemo) == 0 {
		return nil
	}
	commands := make([]string, len(inDemo))
	for i, key := range inDemo {
		commands[i] = "server keys revoke" + db.argument() + " " + key.Fingerprint()
	}
	return fmt.Errorf("the key of the demo works, so -addr must be a loopback address without a -trust-proxy; or revoke the key first: %s", strings.Join(commands, " && "))
}

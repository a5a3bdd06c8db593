package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_HostsHead(t *testing.T) {
	t.Parallel()
	testRead(t, lists.Hosts, map[string]readCase{
		"the head of a list": {text: "127.0.0.1 localhost\n127.0.0.1 localhost.localdomain\n127.0.0.1 local\n255.255.255.255 broadcasthost\n::1 localhost\n" +
			"::1 ip6-localhost ip6-loopback\nfe80::1%lo0 localhost\nff00::0 ip6-localnet\nff00::0 ip6-mcastprefix\nff02::1 ip6-allnodes\nff02::2 ip6-allrouters\nff02::3 ip6-allhosts\n0.0.0.0 0.0.0.0\n0.0.0.0 evil.com\n",
			want: []string{"14 PAGE evil.com BLOCKED"}},
		"the head of Debian":     {text: "127.0.0.1\tLOCALHOST\n127.0.1.1\tpc.example.org pc\n::1 localhost ip6-localhost\n", want: nil},
		"the head of Fedora":     {text: "127.0.0.1 localhost localhost.localdomain localhost4 localhost4.localdomain4\n::1 localhost6.localdomain6", want: nil},
		"a host beside the head": {text: "127.0.0.1 localhost evil.com 127.0.0.1\n", want: []string{"1 PAGE evil.com BLOCKED"}},
		"a host below local":     {text: "0.0.0.0 ip6-evil.com\n1.2.3.4 localhost good.com", want: []string{"1 PAGE ip6-evil.com BLOCKED", refused("2", lists.ErrNotBlocking)}},
	})
}

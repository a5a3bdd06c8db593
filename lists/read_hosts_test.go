package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_Hosts(t *testing.T) {
	t.Parallel()
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"the address as a name":           {lists.Hosts, "0.0.0.0 0.0.0.0\n", nil},
		"the names of the machine":        {lists.Hosts, "127.0.0.1 localhost\n127.0.0.1 localhost.localdomain\n127.0.0.1 local\n::1 ip6-localhost ip6-loopback\n", nil},
		"the names of its network":        {lists.Hosts, "255.255.255.255 broadcasthost\nfe80::1%lo0 localhost\nff00::0 ip6-mcastprefix\nfe00::0 ip6-localnet\nff02::1 ip6-allnodes\nff02::3 ip6-allhosts\n", nil},
		"another host beside":             {lists.Hosts, "127.0.0.1 LOCALHOST evil.com\n", []string{"1 PAGE evil.com BLOCKED"}},
		"a host of the broadcast":         {lists.Hosts, "255.255.255.255 evil.com\n", refusedLine(lists.ErrNotBlocking)},
		"a name of the machine, no hosts": {lists.Hosts, "localhost\n", refusedLine(lists.ErrNotBlocking)},
	})
}

func TestRead_Domains(t *testing.T) {
	t.Parallel()
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"one domain on each line":   {lists.Domains, "\ufeff# Title: x\r\n\r\nevil.com\r\nEVIL.org", []string{"3 PAGE evil.com BLOCKED", "4 PAGE evil.org BLOCKED"}},
		"comments":                  {lists.Domains, "evil.com#x\nevil.org # y\n  #z\n", []string{"1 PAGE evil.com BLOCKED", "2 PAGE evil.org BLOCKED"}},
		"a domain with subdomains":  {lists.Domains, "*.evil.com\n.evil.org\n", []string{"1 PAGE evil.com BLOCKED", "2 PAGE evil.org BLOCKED"}},
		"a word":                    {lists.Domains, "group\n", refusedLine(lists.ErrNotHost)},
		"a mistyped domain":         {lists.Domains, "evil.c0m\n", refusedLine(lists.ErrNotHost)},
		"an account":                {lists.Domains, "@jack\n", refusedLine(lists.ErrNotHost)},
		"a link":                    {lists.Domains, "https://evil.com\n", refusedLine(lists.ErrNotHost)},
		"two domains":               {lists.Domains, "evil.com evil.org\n", refusedLine(lists.ErrNotHost)},
		"a wildcard of a wildcard":  {lists.Domains, "*.*.evil.com\n", refusedLine(lists.ErrNotHost)},
		"an IP address":             {lists.Domains, "1.2.3.4\n", []string{"1 PAGE 1.2.3.4 BLOCKED"}},
		"IPFS content":              {lists.Domains, contentID + "\n", []string{"1 " + contentAsset}},
		"an HTML entity":            {lists.Domains, "evil.com&amp;\n", refusedLine(lists.ErrEntity)},
		"the host of a platform":    {lists.Domains, "name.medium.com\n", []string{"1 MEDIUM name.medium.com BLOCKED"}},
		"a line that is not a name": {lists.Domains, "bad\x00.com\n", refusedLine(lists.ErrNotHost)},
	})
}

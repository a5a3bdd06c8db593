package lists_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

func TestRead_AdBlock(t *testing.T) {
	t.Parallel()
	for text, reason := range map[string]error{
		"@@||good.com^":                       lists.ErrException,
		"good.com##.ad":                       lists.ErrPart,
		"good.com#@#.ad":                      lists.ErrPart,
		"##.ad":                               lists.ErrPart,
		"###ad":                               lists.ErrPart,
		"#@#.ad":                              lists.ErrPart,
		"||good.com/ad^":                      lists.ErrPart,
		"||good.com^ad":                       lists.ErrPart,
		"||good.com":                          lists.ErrPart,
		"||*.good.com^":                       lists.ErrPart,
		"*.good.com":                          lists.ErrPart,
		"/ads[0-9]/":                          lists.ErrPart,
		"/ad.gif":                             lists.ErrPart,
		"|https://good.com^":                  lists.ErrPart,
		"||good.com^$third-party":             lists.ErrNarrow,
		"||good.com^$document,domain=bad.com": lists.ErrNarrow,
		"||good.com^$popup":                   lists.ErrNarrow,
		"||good.com^$~document":               lists.ErrNarrow,
		"||good.com^$":                        lists.ErrNarrow,
		"||jack^":                             lists.ErrNotHost,
		"jack":                                lists.ErrNotHost,
		"||good.com&amp;^":                    lists.ErrEntity,
		"1.2.3.4 good.com":                    lists.ErrPart,
	} {
		testRead(t, lists.ReadOptions{}, map[string]readCase{text: {lists.AdBlock, text + "\n", refusedLine(reason)}})
	}
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"comments":              {lists.AdBlock, "[Adblock Plus 2.0]\n! Title: x\n# x\n#x\n#####\n!\n", nil},
		"a host":                {lists.AdBlock, "||EVIL.com^\n", []string{"1 PAGE evil.com BLOCKED"}},
		"options with pages":    {lists.AdBlock, "||a.com^$document\n||b.com^$all\n||c.com^$doc,popup\n||d.com^$important\n", []string{"1 PAGE a.com BLOCKED", "2 PAGE b.com BLOCKED", "3 PAGE c.com BLOCKED", "4 PAGE d.com BLOCKED"}},
		"a domain":              {lists.AdBlock, "evil.com\nevil.org # x\n", []string{"1 PAGE evil.com BLOCKED", "2 PAGE evil.org BLOCKED"}},
		"lines of a hosts file": {lists.AdBlock, "127.0.0.1 localhost\nfe80::1%lo0 localhost\n0.0.0.0 evil.com evil.org\n", []string{"3 PAGE evil.com BLOCKED", "3 PAGE evil.org BLOCKED"}},
		"an IPv6 address":       {lists.AdBlock, "|https://[2001:db8::1]^\n", []string{"1 PAGE [2001:db8::1] BLOCKED"}},
	})
}

func TestRead_RPZ(t *testing.T) {
	t.Parallel()
	const head = "$TTL 300\n@ IN SOA a. b. (\n 1 2 3\n 4 5 ) ; end\n@ NS a.\n  IN NS b.\n"
	testRead(t, lists.ReadOptions{}, map[string]readCase{
		"the head":                  {lists.RPZ, head, nil},
		"a host and its subdomains": {lists.RPZ, head + "evil.com CNAME .\n*.evil.com 300 IN CNAME . ; x\n", []string{"7 PAGE evil.com BLOCKED", "8 PAGE evil.com BLOCKED"}},
		"other actions that block":  {lists.RPZ, "a.com CNAME *.\nb.com cname RPZ-DROP.\n", []string{"1 PAGE a.com BLOCKED", "2 PAGE b.com BLOCKED"}},
		"absolute names":            {lists.RPZ, "$ORIGIN rpz.example.\nEVIL.com.RPZ.example. CNAME .\nevil.org CNAME .\nrpz.example. CNAME .\n", []string{"2 PAGE evil.com BLOCKED", "3 PAGE evil.org BLOCKED"}},
		"a zone that its SOA names": {lists.RPZ, "rpz.example. SOA a. b. 1 2 3 4 5\nevil.com.rpz.example. CNAME .\n", []string{"2 PAGE evil.com BLOCKED"}},
		"a second origin":           {lists.RPZ, "$ORIGIN rpz.example.\n$ORIGIN com\nevil CNAME .\n", []string{"3 PAGE evil.com BLOCKED"}},
		"the root as origin":        {lists.RPZ, "$ORIGIN .\nrpz.example SOA a. b. 1 2 3 4 5\nevil.com.rpz.example CNAME .\n", []string{"3 PAGE evil.com BLOCKED"}},
		"an unknown zone":           {lists.RPZ, "evil.com. CNAME .\n", []string{"1 PAGE evil.com BLOCKED"}},
		"an exception":              {lists.RPZ, "good.com CNAME rpz-passthru.\n", refusedLine(lists.ErrPassthru)},
		"an address":                {lists.RPZ, "32.1.2.0.192.rpz-ip CNAME .\n", refusedLine(lists.ErrTrigger)},
		"a name server":             {lists.RPZ, "ns.evil.com.rpz-nsdname CNAME .\n", refusedLine(lists.ErrTrigger)},
		"a client":                  {lists.RPZ, "32.1.2.0.192.rpz-client-ip CNAME rpz-drop.\n", refusedLine(lists.ErrTrigger)},
		"another answer":            {lists.RPZ, "good.com CNAME walled.example.\n", refusedLine(lists.ErrAction)},
		"an address as the answer":  {lists.RPZ, "good.com A 127.0.0.1\n", refusedLine(lists.ErrAction)},
		"a text with a parenthesis": {lists.RPZ, "good.com TXT \"(;\"\nevil.com CNAME .\n", []string{"1: " + lists.ErrAction.Error(), "2 PAGE evil.com BLOCKED"}},
		"a name outside":            {lists.RPZ, "$ORIGIN rpz.example.\ngood.com. CNAME .\n", []string{"2: " + lists.ErrOutside.Error()}},
		"a directive":               {lists.RPZ, "$INCLUDE other\n", refusedLine(lists.ErrAction)},
		"a word":                    {lists.RPZ, "jack CNAME .\n", refusedLine(lists.ErrNotHost)},
	})
}

// What a writer of hosts writes, the reader of the same format reads as the same hosts.
func TestRead_Written(t *testing.T) {
	t.Parallel()
	assets := listed(asset.StatusBlocked, "evil.com", "name.medium.com", "https://bad.evil.org", "1.2.3.4", "[2001:db8::1]", "evil.com/x", "@jack")
	for format, want := range map[lists.Format]string{
		lists.Domains: "evil.com name.medium.com bad.evil.org",
		lists.Hosts:   "evil.com name.medium.com bad.evil.org",
		lists.RPZ:     "evil.com name.medium.com bad.evil.org",
		lists.AdBlock: "evil.com name.medium.com bad.evil.org 1.2.3.4 [2001:db8::1]",
	} {
		var list bytes.Buffer
		_, err := lists.Write(&list, format, sourceOf(assets), lists.WriteOptions{})
		require.NoError(t, err)
		var hosts []string
		seen := make(map[string]bool)
		for e, err := range lists.Read(&list, format, lists.ReadOptions{}) {
			require.NoError(t, err)
			require.NoError(t, e.Err, format)
			if !seen[e.Identity.Canonical] {
				hosts = append(hosts, e.Identity.Canonical)
			}
			seen[e.Identity.Canonical] = true
		}
		require.ElementsMatch(t, strings.Fields(want), hosts, format)
	}
}

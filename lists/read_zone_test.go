package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_Zone(t *testing.T) {
	t.Parallel()
	const head = "$TTL 2h ; comment\n@ IN SOA localhost. root.localhost. (\n  1 ; serial\n 3600 600\n 86400 300 )\n  IN NS localhost.\n"
	testRead(t, lists.RPZ, map[string]readCase{
		"actions that block":        {text: head + "a.com CNAME .\n*.b.com\tIN CNAME *.\nc.com 300 IN CNAME rpz-drop. ; x\nD.com 1h cname .", want: []string{"7 PAGE a.com BLOCKED", "8 PAGE b.com BLOCKED", "9 PAGE c.com BLOCKED", "10 PAGE d.com BLOCKED"}},
		"addresses that block":      {text: head + "a.com A 0.0.0.0\nb.com AAAA ::", want: []string{"7 PAGE a.com BLOCKED", "8 PAGE b.com BLOCKED"}},
		"domains that pass through": {text: head + "a.com CNAME rpz-passthru.", want: []string{"7: is not taken: passthru"}},
		"other actions":             {text: head + "a.com CNAME rpz-tcp-only.\nb.com CNAME walled.garden.example.\nc.com A 1.2.3.4\nd.com TXT \"a ; b\"\ne.com CNAME rpz-drop\nf.com CNAME . .", want: []string{refused("7", lists.ErrRecord), refused("8", lists.ErrRecord), refused("9", lists.ErrRecord), refused("10", lists.ErrRecord), refused("11", lists.ErrRecord), refused("12", lists.ErrRecord)}},
		"other triggers":            {text: head + "32.4.3.2.1.rpz-ip CNAME .\nns.evil.com.rpz-nsdname CNAME .\n24.0.2.0.192.rpz-nsip CNAME .\n32.4.3.2.1.rpz-client-ip CNAME rpz-drop.", want: []string{refused("7", lists.ErrTrigger), refused("8", lists.ErrTrigger), refused("9", lists.ErrTrigger), refused("10", lists.ErrTrigger)}},
		"absolute names":            {text: "rpz.example. IN SOA l. r. 1 2 3 4 5\nrpz.example. NS l.\na.com.rpz.example. CNAME .\n*.B.com.RPZ.example. CNAME .\nc.com.other.example. CNAME .\nd.com CNAME .", want: []string{"3 PAGE a.com BLOCKED", "4 PAGE b.com BLOCKED", refused("5", lists.ErrOutOfZone), "6 PAGE d.com BLOCKED"}},
		"an origin":                 {text: "$ORIGIN rpz.example.\n@ SOA l. r. 1 2 3 4 5\na.com CNAME .\nb.com.rpz.example. CNAME .\n$ORIGIN com.rpz.example.\nc CNAME .\n$ORIGIN d\ne CNAME .", want: []string{"3 PAGE a.com BLOCKED", "4 PAGE b.com BLOCKED", "6 PAGE c.com BLOCKED", "8 PAGE e.d.com BLOCKED"}},
		"absolute names of no zone": {text: "a.com. CNAME .", want: []string{refused("1", lists.ErrOutOfZone)}},
		"no head":                   {text: "a.com CNAME .", want: []string{"1 PAGE a.com BLOCKED"}},
		"the owner before":          {text: "a.com CNAME .\n  CNAME .", want: []string{"1 PAGE a.com BLOCKED", "2 PAGE a.com BLOCKED"}},
		"a record on two lines":     {text: "a.com ( CNAME\n . )\nb.com CNAME .", want: []string{"1 PAGE a.com BLOCKED", "3 PAGE b.com BLOCKED"}},
		"an open parenthesis":       {text: "a.com CNAME .\nb.com ( CNAME .\nc.com CNAME .", want: []string{"1 PAGE a.com BLOCKED", refused("2", lists.ErrMalformed)}},
		"names that are no hosts":   {text: "com CNAME .\n* CNAME .\n*.com CNAME .\na\\.b.com CNAME .\njack CNAME .\na.*.com CNAME .", want: []string{refused("1", lists.ErrNotHost), refused("2", lists.ErrNotHost), refused("3", lists.ErrNotHost), refused("4", lists.ErrNotHost), refused("5", lists.ErrNotHost), refused("6", lists.ErrNotHost)}},
		"directives":                {text: "$INCLUDE other.zone\n$GENERATE 1-9 a$.com CNAME .\n$ORIGIN", want: []string{refused("1", lists.ErrRecord), refused("2", lists.ErrRecord), refused("3", lists.ErrRecord)}},
		"no records":                {text: "evil.com\nIN\n ; x\n()", want: []string{refused("1", lists.ErrRecord), refused("2", lists.ErrRecord)}},
	})
}

package lists_test

import (
	"testing"

	"github.com/apguard/apguard/lists"
)

func TestRead_Domains(t *testing.T) {
	t.Parallel()
	testRead(t, lists.Domains, map[string]readCase{
		"hosts":                         {text: "\ufeffevil.com\r\n\r\nEVIL.org\nb\u00fccher.com\n1.2.3.4\nname.medium.com\nlast.com.", want: []string{"1 PAGE evil.com BLOCKED", "3 PAGE evil.org BLOCKED", "4 PAGE xn--bcher-kva.com BLOCKED", "5 PAGE 1.2.3.4 BLOCKED", "6 MEDIUM name.medium.com BLOCKED", "7 PAGE last.com BLOCKED"}},
		"comments":                      {text: "# a\n ! b\n##c\nevil.com # d\nworse.com#e\nlast.com\t## f", want: []string{"4 PAGE evil.com BLOCKED", "5 PAGE worse.com BLOCKED", "6 PAGE last.com BLOCKED"}},
		"domains with their subdomains": {text: ".evil.com\n*.worse.com\n.b\u00fccher.com", want: []string{"1 PAGE evil.com BLOCKED", "2 PAGE worse.com BLOCKED", "3 PAGE xn--bcher-kva.com BLOCKED"}},
		"single words":                  {text: "group\nlocalhost\n.group\n*.com\ncom", want: []string{refused("1", lists.ErrNotHost), refused("2", lists.ErrNotHost), refused("3", lists.ErrNotHost), refused("4", lists.ErrNotHost), refused("5", lists.ErrNotHost)}},
		"filters and routes":            {text: "a.com##.ad\na.com#@#.ad\na.com#?#div\na.com#%#x()\na.com#/x\na.com#!x\n||a.com^\n@@||a.com^", want: []string{refused("1", lists.ErrCosmetic), refused("2", lists.ErrCosmetic), refused("3", lists.ErrCosmetic), refused("4", lists.ErrCosmetic), refused("5", lists.ErrNotHost), refused("6", lists.ErrNotHost), refused("7", lists.ErrNotHost), refused("8", lists.ErrNotHost)}},
		"more than a host":              {text: "https://a.com\na.com/x\na.com:80\n0.0.0.0 a.com\na@b.com\n@jack\njohn.smith_official\n.1.2.3.4", want: []string{refused("1", lists.ErrNotHost), refused("2", lists.ErrNotHost), refused("3", lists.ErrNotHost), refused("4", lists.ErrNotHost), refused("5", lists.ErrNotHost), refused("6", lists.ErrNotHost), refused("7", lists.ErrNotHost), refused("8", lists.ErrNotHost)}},
		"a status of the list":          {text: "a.com", opts: lists.ReadOptions{Status: "ALLOWED"}, want: []string{"1 PAGE a.com ALLOWED"}},
		"defanged hosts":                {text: "evil[.]com # x\n*[.]worse(dot)com", opts: lists.ReadOptions{Refang: true}, want: []string{"1 PAGE evil.com BLOCKED", "2 PAGE worse.com BLOCKED"}},
	})
}
